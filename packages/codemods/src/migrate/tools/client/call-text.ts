import { ts } from "ts-morph";
import type { TextOf } from "../nested-edits.js";

/** A property of an argument of a new call. */
export interface ArgumentProperty {
  readonly key: string;
  /** The property in the old call that it comes from, or its value. */
  readonly from: ts.ObjectLiteralElementLike | ts.Expression;
  /** The properties of its value that remain. Default: all. */
  readonly nested?: readonly ArgumentProperty[];
}

/** A new call: the function, the client, and the arguments in groups. */
export interface NewCall {
  readonly name: string;
  readonly client: string;
  readonly request: readonly ArgumentProperty[];
  readonly options: readonly ArgumentProperty[];
  /** The object in the old call, whose lines and indentation the new one keeps. */
  readonly like: ts.ObjectLiteralExpression | undefined;
}

/** Prints a call of a generated function. */
export function printCall({ name, client, request, options, like }: NewCall, textOf: TextOf): string {
  const print = (all: readonly ArgumentProperty[]): string =>
    printObject(
      all.map((each) => (indent) => printProperty(each, indent, textOf)),
      like,
    );
  const args = [client];
  if (request.length > 0 || options.length > 0) args.push(print(request));
  if (options.length > 0) args.push(print(options));
  return `${name}(${args.join(", ")})`;
}

/**
 * Prints an object on one line, or on several as in the old code.
 *
 * @param at the node in whose place it is printed; the old object by default
 */
export function printObject(
  properties: readonly ((indent: string) => string)[],
  like: ts.ObjectLiteralExpression | undefined,
  at?: ts.Node,
): string {
  if (properties.length === 0) return "{}";
  const own = like && indentOfLines(like);
  const indent = own === undefined || at === undefined ? own : indentOfLine(at.getSourceFile(), at.getStart());
  const texts = properties.map((each) => each(indent === undefined ? "" : `${indent}  `));
  const isShort = texts.length === 1 && texts.every((each) => !each.includes("\n"));
  if ((indent === undefined || isShort) && !texts.some((each) => each.includes("//"))) return `{ ${texts.join(", ")} }`;
  return `{\n${texts.map((each) => `${indent ?? ""}  ${each},\n`).join("")}${indent ?? ""}}`;
}

/** The indentation of the last line of an object on several lines. */
function indentOfLines(node: ts.ObjectLiteralExpression): string | undefined {
  const file = node.getSourceFile();
  const [first] = node.properties;
  const isMultiline = first !== undefined && file.text.slice(node.getStart(file), first.getStart(file)).includes("\n");
  return isMultiline ? indentOfLine(file, node.getEnd()) : undefined;
}

function indentOfLine({ text }: ts.SourceFile, position: number): string {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? "";
}

function printProperty({ key, from, nested }: ArgumentProperty, indent: string, textOf: TextOf): string {
  if (nested !== undefined)
    return `${key}: { ${nested.map((each) => printValue(each.key, each.from, textOf)).join(", ")} }`;
  if (!ts.isObjectLiteralElement(from)) return printValue(key, from, textOf);
  const file = from.getSourceFile();
  const comments = file.text
    .slice(from.getFullStart(), from.getStart(file))
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => `${line}\n${indent}`);
  return `${comments.join("")}${dedent(printValue(key, from, textOf), from, indent)}`;
}

function printValue(key: string, from: ArgumentProperty["from"], textOf: TextOf): string {
  if (ts.isSpreadAssignment(from)) return textOf(from);
  const quoted = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
  if (!ts.isObjectLiteralElement(from)) {
    const text = textOf(from);
    return text === quoted ? text : `${quoted}: ${text}`;
  }
  if (ts.isPropertyAssignment(from))
    return from.name.getText() === quoted ? textOf(from) : `${quoted}: ${textOf(from.initializer)}`;
  if (ts.isShorthandPropertyAssignment(from)) {
    const text = textOf(from.name);
    // The name itself may have been replaced: `{ body }` may have become `{ body: result.data }`.
    const value = text.startsWith(`${from.name.text}: `) ? text.slice(from.name.text.length + 2) : text;
    return value === quoted ? quoted : `${quoted}: ${value}`;
  }
  return textOf(from);
}

/** Moves the lines of a text to another indentation. */
function dedent(text: string, from: ts.Node, indent: string): string {
  const old = indentOfLine(from.getSourceFile(), from.getStart());
  return old === indent ? text : text.replaceAll(`\n${old}`, `\n${indent}`);
}

/** The properties of an object. Undefined for objects with spreads, methods or computed names. */
export function namedProperties(
  node: ts.ObjectLiteralExpression,
): ReadonlyMap<string, ts.PropertyAssignment | ts.ShorthandPropertyAssignment> | undefined {
  const all = new Map<string, ts.PropertyAssignment | ts.ShorthandPropertyAssignment>();
  for (const each of node.properties) {
    if (!ts.isPropertyAssignment(each) && !ts.isShorthandPropertyAssignment(each)) return undefined;
    if (ts.isComputedPropertyName(each.name)) return undefined;
    all.set(each.name.text, each);
  }
  return all;
}

/** The value of a property. */
export function valueOf(property: ts.PropertyAssignment | ts.ShorthandPropertyAssignment): ts.Expression {
  return ts.isPropertyAssignment(property) ? property.initializer : property.name;
}
