import { JsonText } from "./json-text.js";
import { parseYamlNodes, type YamlNode } from "./yaml-nodes.js";

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
  const root = parseYamlNodes(text);
  return (tokens) => startOf(root, tokens);
}

/** Returns the offset of the node's key, of the node itself in a list, or of its nearest existing ancestor. */
function startOf(root: YamlNode | undefined, tokens: readonly string[]): number {
  let node = root;
  let start = root?.start ?? 0;
  for (const token of tokens) {
    const entry = node?.entries?.get(token);
    const item = node?.items?.[Number(token)];
    if (entry === undefined && item === undefined) return start;
    start = entry?.keyStart ?? item?.start ?? start;
    node = entry === undefined ? item : entry.value;
  }
  return start;
}

/** Returns the offsets at which the lines of a text start. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Returns the position of an offset, given where the lines start. */
export function positionOf(offset: number, starts: readonly number[]): TextPosition {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
