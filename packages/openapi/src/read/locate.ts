import {
  Kind,
  safeLoad,
  type YAMLAnchorReference,
  type YAMLMapping,
  type YAMLNode,
  type YAMLSequence,
  type YamlMap,
} from "yaml-ast-parser";
import { JsonText } from "./json-text.js";

export interface TextPosition {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
}

/** Returns a function that locates nodes by their pointer tokens. The text is indexed on first use. */
export function createLocator(text: string, language: "yaml" | "json"): (tokens: readonly string[]) => TextPosition {
  let find: ((tokens: readonly string[]) => number) | undefined;
  let starts: readonly number[] | undefined;
  return (tokens) => {
    find ??= language === "json" ? locateInJson(text) : locateInYaml(text);
    starts ??= lineStarts(text);
    return positionOf(find(tokens), starts);
  };
}

function locateInJson(text: string): (tokens: readonly string[]) => number {
  const json = new JsonText(text);
  return (tokens) => {
    let node = json.root();
    for (const token of tokens) {
      const next = json.child(node, token);
      if (next === undefined) break;
      node = next;
    }
    return node.key ?? node.start;
  };
}

function locateInYaml(text: string): (tokens: readonly string[]) => number {
  const root = safeLoad(text);
  return (tokens) => startOf(root, tokens);
}

/** Returns the offset of the node's key, of the node itself in a list, or of its nearest existing ancestor. */
function startOf(root: YAMLNode | undefined, tokens: readonly string[]): number {
  let node = root;
  let start = root?.startPosition ?? 0;
  for (const token of tokens) {
    const found = childOf(node, token);
    if (found === undefined) return start;
    start = found.start;
    node = found.node;
  }
  return start;
}

function childOf(node: YAMLNode | undefined, token: string): { start: number; node: YAMLNode | undefined } | undefined {
  if (!node) return undefined; // the parser returns null for an empty value
  switch (node.kind) {
    case Kind.ANCHOR_REF:
      return childOf((node as YAMLAnchorReference).value, token);
    case Kind.SEQ: {
      const item = (node as YAMLSequence).items[Number(token)];
      return item && { start: item.startPosition, node: item };
    }
    case Kind.MAP: {
      const mapping = mappingsOf(node as YamlMap).get(token);
      return mapping && { start: mapping.key.startPosition, node: mapping.value };
    }
    default:
      return undefined;
  }
}

/** Returns the mappings by key. The last of duplicate keys counts. Cached, since large descriptions need it for each schema. */
function mappingsOf(map: YamlMap): ReadonlyMap<string, YAMLMapping> {
  const known = byKey.get(map) ?? new Map(map.mappings.map((each: YAMLMapping) => [each.key.value, each] as const));
  byKey.set(map, known);
  return known;
}

const byKey = new WeakMap<YamlMap, ReadonlyMap<string, YAMLMapping>>();

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function positionOf(offset: number, starts: readonly number[]): TextPosition {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
