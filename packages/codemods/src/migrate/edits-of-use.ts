import type { Difference } from "@plumbline/kit/diff";
import type { Api } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import type { TextEdit } from "../handlers/syntax/text-edits.js";
import type { CodeUse } from "../impact/code-use.js";
import { groupNames } from "../impact/targets.js";
import { marker, quoteAs } from "./code-text.js";
import { pathToGroup, requestOf } from "./move-inputs.js";
import type { ObjectChanges } from "./object-changes.js";
import { renameMention, renameProperty, replaceNode } from "./rename-edits.js";
import { renameValue } from "./value-edits.js";

/** What to do about a use: edits, and what a person has to decide. Undefined: nothing is known. */
export interface UseMigration {
  readonly edits: readonly TextEdit[];
  /** Whether the code gets a marker that does not compile. */
  readonly isOpen: boolean;
}

/** A use with what its migration needs. */
export interface UseToMigrate {
  readonly difference: Difference;
  readonly use: CodeUse;
  readonly file: ts.SourceFile;
  /** The new version of the API. */
  readonly next: Api;
  /** Gets the markers. */
  readonly changes: ObjectChanges;
}

/** Finds the edits that bring a use into step with the new version of an API. */
export function editsOfUse({ difference, use, file, next, changes }: UseToMigrate): UseMigration | undefined {
  const { code, old, new: current, renamedTo } = difference;
  const done = (edits: readonly TextEdit[] | undefined): UseMigration | undefined => edits && { edits, isOpen: false };
  const marked = (isMarked: boolean): UseMigration | undefined => (isMarked ? { edits: [], isOpen: true } : undefined);
  switch (code) {
    case "operation-renamed":
    case "schema-renamed":
      return done(renameMention(use.node, { from: old ?? "", to: current ?? "", file }));
    case "operation-moved":
      return done(replacePath(use.node, newPathOf(difference, next)));
    case "parameter-renamed":
      if (use.kind === "call") return done(replacePath(use.node, newPathOf(difference, next)));
      return done(renameProperty(use.node, use.part.path.at(-1) ?? "", current ?? ""));
    case "parameter-removed":
    case "request-property-removed":
    case "response-property-removed": {
      const name = renamedTo?.split("/").at(-1);
      return name === undefined ? undefined : done(renameProperty(use.node, use.part.path.at(-1) ?? "", name));
    }
    case "request-enum-value-removed":
    case "response-enum-value-removed":
      return renamedTo === undefined ? undefined : done(renameValue(use, readJsonText(old), renamedTo));
    case "state-removed":
      return renamedTo === undefined ? undefined : done(renameValue(use, old ?? "", renamedTo));
    case "request-property-required":
    case "request-property-required-added": {
      const name = (difference.where.pointer.split("/").at(-1) ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
      if (!ts.isObjectLiteralExpression(use.node)) return undefined;
      changes.addTo(use.node, { name, value: marker, reason: difference.message });
      return marked(true);
    }
    case "parameter-required":
    case "parameter-required-added":
      return marked(use.kind === "call" && markParameter({ use, difference, changes }));
    case "body-required":
    case "body-required-added":
      return marked(use.kind === "call" && markBody({ use, difference, changes }));
    default:
      return undefined;
  }
}

/** The text in JSON. Empty for another value, and for a shortened one. */
function readJsonText(json: string | undefined): string {
  return /^"[^"\\]*"$/.test(json ?? "") ? (json ?? "").slice(1, -1) : "";
}

/** The path of the operation in the new description. */
function newPathOf({ where }: Difference, next: Api): string | undefined {
  const [signature = ""] = where.operations;
  return next.operations.find(({ method, path }) => `${method} ${path}` === signature)?.path;
}

function replacePath(node: ts.Node, path: string | undefined): readonly TextEdit[] | undefined {
  return path !== undefined && ts.isStringLiteralLike(node)
    ? [replaceNode(node, quoteAs(node.getText(), path))]
    : undefined;
}

interface MissingInput {
  readonly use: Extract<CodeUse, { kind: "call" }>;
  readonly difference: Difference;
  readonly changes: ObjectChanges;
}

/** Adds a parameter with the marker to the argument of a call. */
function markParameter({ use, difference: { message }, changes }: MissingInput): boolean {
  const [, location = "", name = ""] = /(path|query|header|cookie) parameter "([^"]+)"/.exec(message) ?? [];
  const argument = requestOf(use);
  if (argument === undefined || use.call === undefined || name === "") return false;
  const group = groupNames[location as keyof typeof groupNames];
  return changes.addToRequest(argument, pathToGroup(group, use.call.form), { name, value: marker, reason: message });
}

/** Adds a body with the marker to the argument of a call. */
function markBody({ use, difference: { message }, changes }: MissingInput): boolean {
  const argument = requestOf(use);
  return argument !== undefined && changes.addToRequest(argument, [], { name: "body", value: marker, reason: message });
}
