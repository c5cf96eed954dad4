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
  let at = nextOf(quotesAndColons, text, 0);
  while (at < text.length) {
    const isText = text.charCodeAt(at) === quote;
    if (!isText) keys -= 1;
    at = nextOf(quotesAndColons, text, isText ? endOfText(text, at) : at + 1);
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
  let at = nextOf(marks, text, start);
  while (at < text.length) {
    const character = text.charCodeAt(at);
    const isClosing = character === closingBrace || character === closingBracket;
    if (depth === 0 && (isClosing || character === comma)) return at;
    if (isClosing) depth -= 1;
    else if (character === brace || character === bracket) depth += 1;
    if (isClosing && depth === 0) return at + 1;
    at = nextOf(marks, text, character === quote ? endOfText(text, at) : at + 1);
  }
  return text.length;
}

const quotesAndColons = /[":]/g;
const marks = /["[\]{},]/g;

/** The offset of the next match of one character, or the length of the text. A loop over all characters takes twice as long. */
function nextOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length;
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

const [space, quote, comma] = [0x20, 0x22, 0x2c];
const [bracket, backslash, closingBracket, brace, closingBrace] = [0x5b, 0x5c, 0x5d, 0x7b, 0x7d];
