import path from "node:path";
import {
  DiagnosticsError,
  type SourceLocation,
  type SourceRef,
  type Diagnostic,
  isJsonObject,
} from "../../model/index.js";
import { readOverlays } from "../overlays/overlays.js";
import { OutsideBoundaryError, ensureInside, type Boundary } from "./boundary.js";
import { addUnlistedValues } from "./mapped-values.js";
import { isNotRelative, readSource } from "./source.js";
import { SpecNode, isYamlOrJson, parsePointer, unescapeUri, type NodeContext, type SourceFile } from "./spec-node.js";

/** A description: its files, and the root node. */
export interface Description {
  readonly root: SpecNode;
  /** Absolute path of the folder of the root file. */
  readonly folder: string;
  readonly files: readonly SourceFile[];
  /** The diagnostics so far. More are added when references are followed. */
  readonly diagnostics: Diagnostic[];
  /** Dispensable references to nothing. The strict ruleset does not accept them. */
  readonly danglingReferences: readonly Diagnostic[];
  /** The files of the applied overlays. */
  readonly overlays: readonly SourceFile[];
  /** Returns the line and column of a node, in an overlay if the node comes from one. */
  readonly locate: (origin: SourceRef) => SourceLocation;
  /** Returns the source of a node: its own location, or an overlay. */
  readonly sourceOf: (origin: SourceRef) => SourceRef;
}

/**
 * Loads a description: every local file inside the boundary that it refers to, with overlays applied.
 * @throws A DiagnosticsError if the root or an overlay cannot be read.
 */
export async function loadDescription(
  rootFile: string,
  overlayFiles: readonly string[] = [],
  boundary?: Boundary,
): Promise<Description> {
  const rootPath = path.resolve(rootFile);
  const folder = path.dirname(rootPath);
  const files = new Map<string, SourceFile>();
  const diagnostics: Diagnostic[] = [];
  const overlays = await readOverlays(overlayFiles, rootPath);
  const read = async (file: string): Promise<SourceFile> => overlays.apply(await readSource(file, folder));
  const root = await read(rootPath).catch((error: unknown) => {
    const message = isMissing(error) ? "This file does not exist." : `This file cannot be read: ${messageOf(error)}.`;
    const origin = { file: path.basename(rootPath), pointer: "", line: 1, column: 1 };
    throw error instanceof DiagnosticsError
      ? error
      : new DiagnosticsError([{ code: "description/unreadable", severity: "error", origin, message }]);
  });
  files.set(rootPath, root);
  const danglingReferences: Diagnostic[] = [];
  const unreadable = new Map<string, Error>();
  const queue = [root];
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    for (const name of referencedFiles(file)) {
      if (files.has(name)) continue;
      const inside = ensureInside(name, boundary, folder).then(() => read(name));
      const next = await inside.catch((error: unknown) => {
        if (error instanceof Error) unreadable.set(name, error); // reported when a reference to it is followed
        return undefined;
      });
      if (next === undefined) continue;
      files.set(name, next);
      queue.push(next);
    }
  }
  const context = createNodeContext({ files, unreadable, report: reportOnce(diagnostics) });
  addUnlistedValues(files, context);
  diagnostics.push(...[...overlays.diagnostics, ...overlays.findUnused()].filter((each) => each.severity === "error"));
  const sources = [...files.values(), ...overlays.sources];
  const main = files.get(rootPath) ?? root;
  const fileOf = (origin: SourceRef): SourceFile => sources.find((each) => each.name === origin.file) ?? root;
  const assumptions = new Map(SpecNode.root(main, context).get("x-assumptions")?.entries());
  return {
    root: SpecNode.root(main, { ...context, assumptions, reportDangling: reportOnce(danglingReferences) }),
    folder,
    files: [...files.values()],
    overlays: overlays.sources,
    diagnostics,
    danglingReferences,
    locate: (origin) => ({ ...origin, ...fileOf(origin).locate(parsePointer(origin.pointer) ?? []) }),
    sourceOf: (origin) => fileOf(origin).overlays?.sourceOf(parsePointer(origin.pointer) ?? []) ?? origin,
  };
}

/** Follows references to files that have been read, by absolute path. Reports the errors of others where a reference names them. */
export function createNodeContext({
  files,
  unreadable,
  report,
}: {
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly unreadable: ReadonlyMap<string, Error>;
  readonly report: NodeContext["report"];
}): NodeContext {
  return {
    find: (from, reference) => files.get(resolveReferencePath(from, reference)),
    excluded: (from, reference) => {
      const error = unreadable.get(resolveReferencePath(from, reference));
      if (error instanceof DiagnosticsError) error.diagnostics.forEach(report);
      return error instanceof OutsideBoundaryError ? error.message : undefined;
    },
    report,
  };
}

function reportOnce(diagnostics: Diagnostic[]): NodeContext["report"] {
  return (diagnostic) => {
    if (!diagnostics.some((each) => each.code === diagnostic.code && isSameDiagnostic(each, diagnostic)))
      diagnostics.push(diagnostic);
  };
}

function referencedFiles(file: SourceFile): readonly string[] {
  const names = new Set<string>();
  const visited = new Set<unknown>(); // YAML aliases share nodes
  const stack: object[] = [];
  const add = (node: unknown): void => {
    if (typeof node === "object" && node !== null) stack.push(node);
  };
  add(file.value);
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (visited.has(node)) continue;
    visited.add(node);
    if (isJsonObject(node) && typeof node["$ref"] === "string") {
      const name = node["$ref"].split("#")[0];
      if (name !== undefined && !isNotRelative(name) && isYamlOrJson(name)) names.add(resolveReferencePath(file, name));
    }
    const children = Object.values(node) as readonly unknown[];
    for (let index = children.length - 1; index >= 0; index -= 1) add(children[index]); // keeps the order of the text
  }
  return [...names];
}

/** Returns the absolute path of the file that a reference names. */
export function resolveReferencePath(from: SourceFile, reference: string): string {
  return path.resolve(path.dirname(from.path), unescapeUri(reference));
}

function isSameDiagnostic(a: Diagnostic, b: Diagnostic): boolean {
  return a.origin.file === b.origin.file && a.origin.pointer === b.origin.pointer && a.message === b.message;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
