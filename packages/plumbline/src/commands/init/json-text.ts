import type { Json } from "@plumbline/kit/model";
import { parseTree } from "jsonc-parser";

/** An entry of an object, or without a key of a list. */
export interface JsonEntry {
  readonly key?: string;
  readonly value: Json;
}

/**
 * Appends an entry to an object or a list in a JSON text. The rest of the text stays unchanged.
 *
 * @param text - The JSON text.
 * @param keys - The keys that lead to the object or list.
 * @throws Where the keys lead to neither.
 */
export function addJsonEntry(text: string, keys: readonly string[], { key, value }: JsonEntry): string {
  const into = containerAt(text, keys);
  const [, unit = "  "] = /\n([ \t]+)"/.exec(text) ?? [];
  const isOneLine = !/\n|^\{\}$/.test(text.trim());
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const inner = `${lineBreak}${unit.repeat(keys.length + 1)}`;
  const name = key === undefined ? "" : `${JSON.stringify(key)}: `;
  if (isOneLine) {
    const entry = `${name.trimEnd()}${JSON.stringify(value)}`;
    return splice(text, [into.last, into.last], into.first === undefined ? entry : `,${entry}`);
  }
  const written = name + JSON.stringify(value, undefined, unit).replaceAll("\n", inner);
  if (into.first === undefined) {
    const outer = `${lineBreak}${unit.repeat(keys.length)}`;
    return splice(text, [into.start + 1, into.end - 1], `${inner}${written}${outer}`);
  }
  // The new entry follows the style of the existing ones: on one line, or a line each.
  const before = text.slice(into.start + 1, into.first) || " ";
  return splice(text, [into.last, into.last], `,${before}${written}`);
}

function splice(text: string, [from, to]: readonly [number, number], by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

/** Offsets of an object or a list in the text: its brackets, the start of its first entry and the end of the last. */
interface Container {
  readonly start: number;
  readonly end: number;
  readonly first: number | undefined;
  readonly last: number;
}

function containerAt(text: string, keys: readonly string[]): Container {
  let node = parseTree(text);
  // The last of duplicate keys counts, as in JSON.parse.
  for (const key of keys)
    node = node?.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1];
  if (node?.type !== "object" && node?.type !== "array")
    throw new Error(`Not an object or a list: ${["", ...keys].join("/")}`);
  const { offset: start, length, children = [] } = node;
  const last = children.at(-1);
  return {
    start,
    end: start + length,
    first: children[0]?.offset,
    last: last === undefined ? start + 1 : last.offset + last.length,
  };
}
