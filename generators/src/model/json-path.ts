import { parseReference, type Reference } from "./runtime-expressions.js";

/** A condition of a JSONPath filter (RFC 9535), as far as workflows use it. Paths start at the filtered value, `@`. */
export type Filter =
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }
  | { readonly path: Path; readonly operator: Comparison; readonly value: Operand }
  /** The member exists. With `items`, it is an array with at least one matching item. */
  | { readonly path: Path; readonly items?: Filter }
  | { readonly length: Path; readonly operator: Bound; readonly value: number }
  | { readonly count: Path; readonly items: Filter; readonly operator: Bound; readonly value: number }
  | { readonly path: Path; readonly pattern: string };

export type Path = readonly (string | number)[];
export type Comparison = "!=" | Bound;
export type Bound = "==" | "<" | "<=" | ">" | ">=";
export type Operand = { readonly literal: string | number | boolean | null } | { readonly reference: Reference };

/** Why a condition is invalid. */
export interface Wrong {
  readonly wrong: string;
}

/** Parses `$[?…]`, a condition on the value itself. */
export function parseFilter(text: string): Filter | Wrong {
  try {
    const reader = new Reader(text);
    reader.expect("$");
    reader.expect("[");
    reader.expect("?");
    const filter = orOf(reader);
    reader.expect("]");
    reader.end();
    return filter;
  } catch (error) {
    if (error instanceof Unreadable) return { wrong: error.message };
    throw error;
  }
}

class Unreadable extends Error {
  override readonly name = "Unreadable";
}

const token =
  /\s*(\{\$[^{}]*\}|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?|[A-Za-z_][\w-]*|&&|\|\||==|!=|<=|>=|[$@[\]().?!<>,])/y;

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    const tokens: string[] = [];
    let end = 0;
    while (end < text.trimEnd().length) {
      token.lastIndex = end;
      const found = token.exec(text);
      if (found === null) throw new Unreadable(`"${text.slice(end).trim()}" cannot be read.`);
      tokens.push(found[1] ?? "");
      end = token.lastIndex;
    }
    this.#tokens = tokens;
  }

  get next(): string {
    return this.#tokens[this.#at] ?? "";
  }

  take(): string {
    const taken = this.next;
    this.#at++;
    return taken;
  }

  takes(wanted: string): boolean {
    if (this.next !== wanted) return false;
    this.#at++;
    return true;
  }

  expect(wanted: string): void {
    if (!this.takes(wanted)) throw new Unreadable(`"${wanted}" has to stand where "${this.next}" does.`);
  }

  end(): void {
    if (this.next !== "") throw new Unreadable(`"${this.next}" is more than one condition.`);
  }
}

function orOf(reader: Reader): Filter {
  const any = [andOf(reader)];
  while (reader.takes("||")) any.push(andOf(reader));
  return any.length === 1 && any[0] !== undefined ? any[0] : { any };
}

function andOf(reader: Reader): Filter {
  const all = [basicOf(reader)];
  while (reader.takes("&&")) all.push(basicOf(reader));
  return all.length === 1 && all[0] !== undefined ? all[0] : { all };
}

function basicOf(reader: Reader): Filter {
  if (reader.takes("!")) return { not: basicOf(reader) };
  if (reader.takes("(")) {
    const inner = orOf(reader);
    reader.expect(")");
    return inner;
  }
  if (reader.next !== "@") return callOf(reader);
  const { path, items } = pathOf(reader);
  const operator = comparisonOf(reader);
  if (operator === undefined) return { path, ...(items === undefined ? {} : { items }) };
  if (items !== undefined) throw new Unreadable("A filter inside a comparison is not supported.");
  return { path, operator, value: operandOf(reader) };
}

function callOf(reader: Reader): Filter {
  const name = reader.take();
  reader.expect("(");
  const { path, items } = pathOf(reader);
  if (name === "search" || name === "match") {
    reader.expect(",");
    const pattern = operandOf(reader);
    reader.expect(")");
    if (!("literal" in pattern) || typeof pattern.literal !== "string")
      throw new Unreadable(`The pattern of ${name} is not a string.`);
    return { path, pattern: name === "search" ? pattern.literal : `^(?:${pattern.literal})$` };
  }
  reader.expect(")");
  const operator = comparisonOf(reader);
  const value = operator === undefined ? undefined : operandOf(reader);
  if (operator === undefined || operator === "!=" || value === undefined)
    throw new Unreadable(`${name} is compared by none of ==, <, <=, > and >=.`);
  if (!("literal" in value) || typeof value.literal !== "number")
    throw new Unreadable(`${name} is not compared with a number.`);
  if (name === "length" && items === undefined) return { length: path, operator, value: value.literal };
  if (name === "count" && items !== undefined) return { count: path, items, operator, value: value.literal };
  throw new Unreadable(`"${name}" is neither length of a list, count of a filter, search nor match.`);
}

function pathOf(reader: Reader): { readonly path: Path; readonly items?: Filter } {
  reader.expect("@");
  const path: (string | number)[] = [];
  for (;;) {
    if (reader.takes(".")) path.push(reader.take());
    else if (reader.takes("[")) {
      if (reader.takes("?")) {
        const items = orOf(reader);
        reader.expect("]");
        return { path, items };
      }
      const key = reader.take();
      path.push(/^\d+$/.test(key) ? Number(key) : textOf(key));
      reader.expect("]");
    } else return { path };
  }
}

function comparisonOf(reader: Reader): Comparison | undefined {
  const found = (["==", "!=", "<=", ">=", "<", ">"] as const).find((each) => each === reader.next);
  if (found !== undefined) reader.take();
  return found;
}

function operandOf(reader: Reader): Operand {
  const text = reader.take();
  if (text.startsWith("{")) {
    const reference = parseReference(text.slice(1, -1));
    if (reference === undefined) throw new Unreadable(`${text} names nothing.`);
    return { reference };
  }
  if (text === "true" || text === "false") return { literal: text === "true" };
  if (text === "null") return { literal: null };
  if (/^-?\d/.test(text)) return { literal: Number(text) };
  return { literal: textOf(text) };
}

/** Parses a string literal, with its escapes. */
function textOf(text: string): string {
  const [quote] = text;
  if (quote !== '"' && quote !== "'") throw new Unreadable(`"${text}" is not a value. Put a text in quotes.`);
  return text.slice(1, -1).replace(/\\(.)/g, "$1");
}
