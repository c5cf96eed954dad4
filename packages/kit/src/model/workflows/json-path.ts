import { parseRuntimeExpression, type RuntimeExpression } from "./runtime-expressions.js";

/** A condition of a JSONPath filter (RFC 9535), as far as workflows use it. Paths start at the filtered value, `@`. */
export type FilterExpression =
  | { readonly all: readonly FilterExpression[] }
  | { readonly any: readonly FilterExpression[] }
  | { readonly not: FilterExpression }
  | { readonly path: PathSegments; readonly operator: ComparisonOperator; readonly value: FilterOperand }
  /** The member exists. With `items`, it is an array with at least one matching item. */
  | { readonly path: PathSegments; readonly items?: FilterExpression }
  | { readonly length: PathSegments; readonly operator: OrderingOperator; readonly value: number }
  | {
      readonly count: PathSegments;
      readonly items: FilterExpression;
      readonly operator: OrderingOperator;
      readonly value: number;
    }
  | { readonly path: PathSegments; readonly pattern: string };

export type PathSegments = readonly (string | number)[];
export type ComparisonOperator = "!=" | OrderingOperator;
export type OrderingOperator = "==" | "<" | "<=" | ">" | ">=";
export type FilterOperand =
  | { readonly literal: string | number | boolean | null }
  | { readonly reference: RuntimeExpression };

/** Why a condition is invalid. */
export interface InvalidFilter {
  readonly reason: string;
}

/** Parses `$[?…]`, a condition on the value itself. */
export function parseFilterExpression(text: string): FilterExpression | InvalidFilter {
  try {
    const reader = new TokenReader(text);
    reader.expect("$");
    reader.expect("[");
    reader.expect("?");
    const filter = parseOr(reader);
    reader.expect("]");
    reader.end();
    return filter;
  } catch (error) {
    if (error instanceof FilterSyntaxError) return { reason: error.message };
    throw error;
  }
}

class FilterSyntaxError extends Error {
  override readonly name = "FilterSyntaxError";
}

const token =
  /\s*(\{\$[^{}]*\}|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?|[A-Za-z_][\w-]*|&&|\|\||==|!=|<=|>=|[$@[\]().?!<>,])/y;

class TokenReader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    const tokens: string[] = [];
    let end = 0;
    while (end < text.trimEnd().length) {
      token.lastIndex = end;
      const match = token.exec(text);
      if (match === null) throw new FilterSyntaxError(`"${text.slice(end).trim()}" cannot be read.`);
      tokens.push(match[1] ?? "");
      end = token.lastIndex;
    }
    this.#tokens = tokens;
  }

  get peek(): string {
    return this.#tokens[this.#at] ?? "";
  }

  advance(): string {
    const current = this.peek;
    this.#at++;
    return current;
  }

  accept(expected: string): boolean {
    if (this.peek !== expected) return false;
    this.#at++;
    return true;
  }

  expect(expected: string): void {
    if (!this.accept(expected)) throw new FilterSyntaxError(`"${expected}" has to stand where "${this.peek}" does.`);
  }

  end(): void {
    if (this.peek !== "") throw new FilterSyntaxError(`"${this.peek}" is more than one condition.`);
  }
}

function parseOr(reader: TokenReader): FilterExpression {
  const any = [parseAnd(reader)];
  while (reader.accept("||")) any.push(parseAnd(reader));
  return any.length === 1 && any[0] !== undefined ? any[0] : { any };
}

function parseAnd(reader: TokenReader): FilterExpression {
  const all = [parseBasic(reader)];
  while (reader.accept("&&")) all.push(parseBasic(reader));
  return all.length === 1 && all[0] !== undefined ? all[0] : { all };
}

function parseBasic(reader: TokenReader): FilterExpression {
  if (reader.accept("!")) return { not: parseBasic(reader) };
  if (reader.accept("(")) {
    const inner = parseOr(reader);
    reader.expect(")");
    return inner;
  }
  if (reader.peek !== "@") return parseFunctionCall(reader);
  const { path, items } = parsePath(reader);
  const operator = parseOperator(reader);
  if (operator === undefined) return { path, ...(items === undefined ? {} : { items }) };
  if (items !== undefined) throw new FilterSyntaxError("A filter inside a comparison is not supported.");
  return { path, operator, value: parseOperand(reader) };
}

function parseFunctionCall(reader: TokenReader): FilterExpression {
  const name = reader.advance();
  reader.expect("(");
  const { path, items } = parsePath(reader);
  if (name === "search" || name === "match") {
    reader.expect(",");
    const pattern = parseOperand(reader);
    reader.expect(")");
    if (!("literal" in pattern) || typeof pattern.literal !== "string")
      throw new FilterSyntaxError(`The pattern of ${name} is not a string.`);
    return { path, pattern: name === "search" ? pattern.literal : `^(?:${pattern.literal})$` };
  }
  reader.expect(")");
  const operator = parseOperator(reader);
  const value = operator === undefined ? undefined : parseOperand(reader);
  if (operator === undefined || operator === "!=" || value === undefined)
    throw new FilterSyntaxError(`${name} is compared by none of ==, <, <=, > and >=.`);
  if (!("literal" in value) || typeof value.literal !== "number")
    throw new FilterSyntaxError(`${name} is not compared with a number.`);
  if (name === "length" && items === undefined) return { length: path, operator, value: value.literal };
  if (name === "count" && items !== undefined) return { count: path, items, operator, value: value.literal };
  throw new FilterSyntaxError(`"${name}" is neither length of a list, count of a filter, search nor match.`);
}

function parsePath(reader: TokenReader): { readonly path: PathSegments; readonly items?: FilterExpression } {
  reader.expect("@");
  const path: (string | number)[] = [];
  for (;;) {
    if (reader.accept(".")) path.push(reader.advance());
    else if (reader.accept("[")) {
      if (reader.accept("?")) {
        const items = parseOr(reader);
        reader.expect("]");
        return { path, items };
      }
      const key = reader.advance();
      path.push(/^\d+$/.test(key) ? Number(key) : parseStringLiteral(key));
      reader.expect("]");
    } else return { path };
  }
}

function parseOperator(reader: TokenReader): ComparisonOperator | undefined {
  const operator = (["==", "!=", "<=", ">=", "<", ">"] as const).find((each) => each === reader.peek);
  if (operator !== undefined) reader.advance();
  return operator;
}

function parseOperand(reader: TokenReader): FilterOperand {
  const text = reader.advance();
  if (text.startsWith("{")) {
    const reference = parseRuntimeExpression(text.slice(1, -1));
    if (reference === undefined) throw new FilterSyntaxError(`${text} names nothing.`);
    return { reference };
  }
  if (text === "true" || text === "false") return { literal: text === "true" };
  if (text === "null") return { literal: null };
  if (/^-?\d/.test(text)) return { literal: Number(text) };
  return { literal: parseStringLiteral(text) };
}

/** Parses a string literal, with its escapes. */
function parseStringLiteral(text: string): string {
  const [quote] = text;
  if (quote !== '"' && quote !== "'") throw new FilterSyntaxError(`"${text}" is not a value. Put a text in quotes.`);
  return text.slice(1, -1).replace(/\\(.)/g, "$1");
}
