import type { Location, Oas3Visitor, Plugin, UserContext } from "@redocly/openapi-core";
import { diagnosticCodes } from "./codes.js";
import { LintNode } from "./lint-node.js";
import type { LintSettings } from "./rule.js";
import * as rules from "./rules/index.js";
import { SpecIndex, type ExtensionHost } from "./spec-index.js";
import { createStructureVisitor } from "./structure.js";
import { extendTypes } from "./types.js";

/**
 * Creates the vocabulary's plugin for Redocly: types, so that Redocly resolves and lints schemas inside extension
 * fields, and two rules,
 * `plumbline/vocabulary` and `plumbline/structure`, which report all findings under their own codes.
 */
export function createRedoclyPlugin(settings: LintSettings): Plugin {
  return {
    id: pluginId,
    typeExtension: { oas3: (types) => extendTypes(types) },
    // In this order, since `structure` keeps later rules from what does not conform.
    rules: { oas3: { vocabulary: () => visitor(settings), structure: () => createStructureVisitor(settings.ruleset) } },
  };
}

export const pluginId = "plumbline";

interface RedoclyProblem {
  readonly ruleId: string;
  readonly message: string;
  readonly fix?: string | undefined;
  readonly location: Pick<Location, "source" | "pointer">;
  readonly forceSeverity: "error" | "warn" | "off";
}

type VisitContext = Pick<UserContext, "location" | "rawLocation" | "resolve" | "type">;

function visitor(settings: LintSettings): Oas3Visitor {
  const hosts: ExtensionHost[] = [];
  const noted = new Map<string, Set<unknown>>(); // by type and node, because Redocly visits a node once for each path to it
  const schemas = new Map<string, LintNode>();
  const note = (spot: LintNode, type: string): void => {
    const nodes = noted.get(type) ?? new Set();
    noted.set(type, nodes);
    if (nodes.has(spot.value)) return;
    nodes.add(spot.value);
    hosts.push({ node: spot, type });
  };
  return {
    any(node: unknown, { location, resolve, type }: VisitContext) {
      if (!mayCarryExtensions(type)) return;
      note(new LintNode(node, location, resolve), type.name);
    },
    ref(node: { readonly $ref: string }, { rawLocation, resolve, type }: VisitContext) {
      const spot = new LintNode(node, rawLocation, resolve);
      if (mayCarryExtensions(type)) note(spot, type.name);
      if (type.name === "Schema") nameSchema(schemas, node.$ref, spot);
    },
    NamedSchemas(node: Readonly<Record<string, unknown>>, { location, resolve }: VisitContext) {
      for (const [name, schema] of new LintNode(node, location, resolve).entries()) nameSchema(schemas, name, schema);
    },
    Root: {
      leave(
        node: unknown,
        { location, resolve, report }: VisitContext & { report: (diagnostic: RedoclyProblem) => void },
      ) {
        const index = new SpecIndex(new LintNode(node, location, resolve), hosts, {
          schemas,
          ruleset: settings.ruleset,
        });
        for (const rule of Object.values(rules)) {
          for (const { code, at, message, fix } of rule.check(index, settings)) {
            const level = diagnosticCodes[code][settings.ruleset];
            report({
              ruleId: code,
              message,
              fix,
              // Redocly made it, and rules see a part of it.
              location: at.location as RedoclyProblem["location"],
              forceSeverity: level === "warning" ? "warn" : level,
            });
          }
        }
      },
    },
  };
}

/** The name is the last segment of a reference, or the name of a file. */
function nameSchema(schemas: Map<string, LintNode>, reference: string, spot: LintNode): void {
  const name = reference
    .split("/")
    .at(-1)
    ?.replace(/\.(ya?ml|json)#?$/, "");
  const target = spot.follow();
  if (name === undefined || target === undefined || schemas.has(name)) return;
  schemas.set(name, target);
}

function mayCarryExtensions(type: VisitContext["type"]): boolean {
  return type.extensionsPrefix !== undefined && !type.name.startsWith("x-");
}
