import { isObject } from "../json.js";
import type { Problem } from "../problem.js";
import { parsePointer, pointerOf, type SourceFile } from "./place.js";
import { resolveName, type Description } from "./load.js";

/**
 * The references that lead back to themselves, or through more than a hundred others: Redocly fails at the first such, and tells neither
 * where it is nor what else is wrong.
 */
export function circles({ files }: Description): readonly Problem[] {
  const byPath = new Map(files.map((file) => [file.path, file] as const));
  return files.flatMap((file) =>
    referencesIn(file).flatMap(({ node, tokens }) => {
      const end = endOf({ file, node }, { files: byPath, passed: [] });
      return typeof end === "string" ? [problemAt(file, tokens, `The reference "${node.$ref}" ${end}.`)] : [];
    }),
  );
}

interface Reference {
  readonly $ref: string;
}

interface Node {
  readonly file: SourceFile;
  readonly node: unknown;
}

interface Way {
  readonly files: ReadonlyMap<string, SourceFile>;
  /** The references on the way here. */
  readonly passed: readonly Reference[];
}

const longest = 100; // references; those who split a description into files need three or four

/** Where a reference leads in the end; undefined when nowhere, which others report, and a text when it has no end. */
function endOf({ file, node }: Node & { readonly node: Reference }, { files, passed }: Way): Node | string | undefined {
  if (passed.includes(node)) return "leads back to itself";
  if (passed.length === longest) return `leads through more than ${longest} others`;
  const way: Way = { files, passed: [...passed, node] };
  const [name = "", pointer = ""] = node.$ref.split("#");
  const start = name === "" ? file : files.get(resolveName(file, name));
  if (start === undefined) return undefined;
  let here: Node | string | undefined = { file: start, node: start.value };
  for (const token of parsePointer(pointer) ?? []) {
    // Redocly goes through references on the way, too.
    const next: Node | string | undefined =
      isStep(here.node, token) || !isReference(here.node) ? here : endOf({ ...here, node: here.node }, way);
    if (typeof next !== "object" || !isStep(next.node, token)) return typeof next === "string" ? next : undefined;
    here = { file: next.file, node: next.node[token] };
  }
  return isReference(here.node) ? endOf({ ...here, node: here.node }, way) : here;
}

function isStep(node: unknown, token: string): node is Readonly<Record<string, unknown>> {
  return typeof node === "object" && node !== null && Object.hasOwn(node, token);
}

function isReference(node: unknown): node is Reference {
  return isObject(node) && Object.hasOwn(node, "$ref") && typeof node["$ref"] === "string";
}

/** Each once, with the way to it. */
function referencesIn(file: SourceFile): readonly { readonly node: Reference; readonly tokens: readonly string[] }[] {
  const found: { readonly node: Reference; readonly tokens: readonly string[] }[] = [];
  const visited = new Set<unknown>(); // YAML aliases share nodes
  const visit = (node: unknown, tokens: readonly string[]): void => {
    if (typeof node !== "object" || node === null || visited.has(node)) return;
    visited.add(node);
    if (isReference(node)) found.push({ node, tokens });
    for (const [key, child] of Object.entries(node)) visit(child, [...tokens, key]);
  };
  visit(file.value, []);
  return found;
}

function problemAt(file: SourceFile, tokens: readonly string[], message: string): Problem {
  const origin = { file: file.name, pointer: pointerOf(tokens), ...file.locate(tokens) };
  return { code: "openapi/no-unresolved-refs", severity: "error", origin, message, fix: "Point it at a definition." };
}
