import type { BaseResolver, Document } from "@redocly/openapi-core";
import { isJsonObject } from "../../model/index.js";
import { parsePointer } from "../read/spec-node.js";

/** A reference without an end, with its location and the reason. */
export interface ReferenceCycle {
  readonly document: Document;
  readonly tokens: readonly string[];
  readonly message: string;
}

/**
 * Finds references that lead back to themselves, or through more than a hundred others. Redocly throws at the first
 * one, without its location.
 */
export async function findReferenceCycles(root: Document, resolver: BaseResolver): Promise<readonly ReferenceCycle[]> {
  const documents = new Set([root]);
  const references = new Map<Document, ReturnType<typeof referencesIn>>();
  const targets = new Map<string, Document>();
  for (const document of documents) {
    const found = referencesIn(document.parsed);
    references.set(document, found);
    for (const { node } of found) {
      const name = fileOf(node);
      if (name === "" || targets.has(keyOf(document, name))) continue;
      const next = await resolver.resolveDocument(document.source.absoluteRef, name).catch(() => undefined);
      if (next === undefined || next instanceof Error) continue; // an unresolved reference is another diagnostic
      targets.set(keyOf(document, name), next);
      documents.add(next);
    }
  }
  return [...references].flatMap(([document, found]) =>
    found.flatMap(({ node, tokens }) => {
      const end = followChain({ document, node }, { targets, passed: [] });
      if (end === leadsIntoCycle) return []; // the references of that cycle are reported themselves
      return typeof end === "string" ? [{ document, tokens, message: `The reference "${node.$ref}" ${end}.` }] : [];
    }),
  );
}

interface Reference {
  readonly $ref: string;
}

interface Node<T = unknown> {
  readonly document: Document;
  readonly node: T;
}

interface TraversalState {
  /** The documents by the document that refers to them, and the name it uses. */
  readonly targets: ReadonlyMap<string, Document>;
  /** The references passed so far. */
  readonly passed: readonly Reference[];
}

const leadsIntoCycle = "leads into a circle";
const maxChainLength = 100; // references; real descriptions need three or four

/** Follows a reference to its end. Returns `undefined` if it does not resolve, which others report, and a text if it has no end. */
function followChain(
  { document, node }: Node<Reference>,
  { targets, passed }: TraversalState,
): Node | string | undefined {
  if (passed.includes(node)) return passed[0] === node ? "leads back to itself" : leadsIntoCycle;
  if (passed.length === maxChainLength) return `leads through more than ${maxChainLength} others`;
  const way: TraversalState = { targets, passed: [...passed, node] };
  const name = fileOf(node);
  const start = name === "" ? document : targets.get(keyOf(document, name));
  if (start === undefined) return undefined;
  let here: Node = { document: start, node: start.parsed };
  const tokens = parsePointer(node.$ref.slice(name.length + 1));
  if (tokens === undefined) return undefined;
  for (const token of tokens) {
    // Redocly also follows references on the way.
    const next =
      isStep(here.node, token) || !isReference(here.node) ? here : followChain({ ...here, node: here.node }, way);
    if (typeof next !== "object" || !isStep(next.node, token)) return typeof next === "string" ? next : undefined;
    here = { document: next.document, node: next.node[token] };
  }
  return isReference(here.node) ? followChain({ ...here, node: here.node }, way) : here;
}

function isStep(node: unknown, token: string): node is Readonly<Record<string, unknown>> {
  return typeof node === "object" && node !== null && Object.hasOwn(node, token);
}

function isReference(node: unknown): node is Reference {
  return isJsonObject(node) && Object.hasOwn(node, "$ref") && typeof node["$ref"] === "string";
}

function fileOf({ $ref }: Reference): string {
  return $ref.split("#", 1)[0] ?? "";
}

function keyOf({ source }: Document, name: string): string {
  return `${source.absoluteRef}#${name}`;
}

/** Returns each reference once, with its path. */
function referencesIn(value: unknown): readonly { readonly node: Reference; readonly tokens: readonly string[] }[] {
  const references: { readonly node: Reference; readonly tokens: readonly string[] }[] = [];
  const visited = new Set<object>(); // YAML aliases share nodes
  const tokens: string[] = [];
  const visit = (node: object): void => {
    if (visited.has(node)) return;
    visited.add(node);
    if (isReference(node)) references.push({ node, tokens: [...tokens] });
    for (const [key, child] of Object.entries(node) as [string, unknown][]) {
      if (typeof child !== "object" || child === null) continue;
      tokens.push(key);
      visit(child);
      tokens.pop();
    }
  };
  if (typeof value === "object" && value !== null) visit(value);
  return references;
}
