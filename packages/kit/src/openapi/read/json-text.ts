/** Positions in a JSON text that JSON.parse has accepted. */

/** A value of the text. `start` is the offset of its first character, `key` the offset of its key. */
export interface JsonNode {
  readonly start: number;
  readonly key: number | undefined;
}

/** Finds the children of an object or an array on first use. The last of duplicate keys counts. */
export class JsonText {
  readonly #text: string;
  readonly #children = new Map<number, ReadonlyMap<string, JsonNode>>();

  constructor(text: string) {
    this.#text = text;
  }

  root(): JsonNode {
    return { start: skipSpace(this.#text, 0), key: undefined };
  }

  child(node: JsonNode, token: string): JsonNode | undefined {
    let children = this.#children.get(node.start);
    if (children === undefined) {
      children = new Map(childrenOf(this.#text, node.start));
      this.#children.set(node.start, children);
    }
    return children.get(token);
  }
}

/** True if a parsed value has as many keys as its text, so that no object has a duplicate key. */
export function hasEveryKey(text: string, value: unknown): boolean {
  let keys = 0;
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const node = stack.pop();
    if (typeof node !== "object" || node === null) continue;
    const children: readonly unknown[] = Array.isArray(node) ? node : Object.values(node);
    if (!Array.isArray(node)) keys += children.length;
    for (const child of children) if (typeof child === "object") stack.push(child);
  }
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfText(text, at) - 1;
    else if (character === colon) keys -= 1;
  }
  return keys === 0;
}

function* childrenOf(text: string, start: number): Generator<readonly [string, JsonNode]> {
  const opening = text.charCodeAt(start);
  if (opening !== brace && opening !== bracket) return;
  let at = skipSpace(text, start + 1);
  for (let index = 0; at < text.length; index += 1) {
    const character = text.charCodeAt(at);
    if (character === closingBrace || character === closingBracket) return;
    let token = String(index);
    let key: number | undefined;
    if (opening === brace) {
      key = at;
      const end = endOfText(text, at);
      token = JSON.parse(text.slice(at, end)) as string;
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    yield [token, { start: at, key }];
    at = skipSpace(text, endOfValue(text, at));
    if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1);
  }
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  for (; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfText(text, at) - 1;
    else if (character === brace || character === bracket) depth += 1;
    else if (character === closingBrace || character === closingBracket) {
      depth -= 1;
      if (depth < 0) return at;
    } else if (depth === 0 && character === comma) return at;
    if (depth === 0 && (character === closingBrace || character === closingBracket)) return at + 1;
  }
  return at;
}

/** Returns the offset after the closing quote. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= space) at += 1;
  return at;
}

const [space, quote, comma, colon] = [0x20, 0x22, 0x2c, 0x3a];
const [bracket, backslash, closingBracket, brace, closingBrace] = [0x5b, 0x5c, 0x5d, 0x7b, 0x7d];
