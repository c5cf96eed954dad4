import type { BaseResolver, Document } from "@redocly/openapi-core";
import { isObject } from "../json.js";
import { parsePointer, pointerOf } from "./place.js";

/** A reference where it stands: in which document, at which tokens. */
export interface Loop {
  readonly document: Document;
  readonly tokens: readonly string[];
}

/** Every reference that leads, by way of references alone, back to itself. Redocly cannot read a description that has one. */
export async function findLoops(root: Document, resolver: BaseResolver): Promise<readonly Loop[]> {
  const found = new Map<string, Loop & { readonly target: string }>();
  const documents = new Set([root]);
  for (const document of documents) {
    const file = document.source.absoluteRef;
    for (const { tokens, reference } of referencesIn(document.parsed)) {
      const [name = "", pointer = ""] = reference.split("#", 2);
      const next = name === "" ? document : await resolver.resolveDocument(file, name).catch(() => undefined);
      if (next === undefined || next instanceof Error) continue; // it leads nowhere, which is another problem
      documents.add(next);
      const target = keyOf(next.source.absoluteRef, parsePointer(pointer) ?? []);
      found.set(keyOf(file, tokens), { document, tokens, target });
    }
  }
  return [...found].flatMap(([key, loop]) => (leadsBack(key, found) ? [loop] : []));
}

function leadsBack(key: string, found: ReadonlyMap<string, { readonly target: string }>): boolean {
  const seen = new Set<string>();
  let here = found.get(key)?.target;
  while (here !== undefined && here !== key && !seen.has(here)) {
    seen.add(here);
    here = found.get(here)?.target;
  }
  return here === key;
}

function referencesIn(value: unknown): readonly { readonly tokens: readonly string[]; readonly reference: string }[] {
  const all: { tokens: readonly string[]; reference: string }[] = [];
  const visited = new Set<unknown>(); // YAML aliases share nodes
  const tokens: string[] = [];
  const visit = (node: object): void => {
    if (visited.has(node)) return;
    visited.add(node);
    if (isObject(node) && typeof node["$ref"] === "string") all.push({ tokens: [...tokens], reference: node["$ref"] });
    for (const [key, child] of Object.entries(node)) {
      if (typeof child !== "object" || child === null) continue;
      tokens.push(key);
      visit(child as object);
      tokens.pop();
    }
  };
  if (typeof value === "object" && value !== null) visit(value);
  return all;
}

function keyOf(file: string, tokens: readonly string[]): string {
  return `${file}#${pointerOf(tokens)}`;
}
