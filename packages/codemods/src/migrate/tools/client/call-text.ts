import { ts } from "ts-morph";
import { indentAt, styleOf } from "../../../handlers/syntax/source-style.js";
import type { TextOf } from "../nested-edits.js";

/** A property of an argument of a new call. */
export interface ArgumentProperty {
  readonly key: string;
  /** The property in the old call that it comes from, or an object whose properties the new argument gets. */
  readonly from: ts.ObjectLiteralElementLike | ts.Expression;
  /** The properties of its value that remain. Default: all. */
  readonly nested?: readonly NestedProperty[];
}

/** A property of an object in an argument of a new call. */
export interface NestedProperty {
  readonly key: string;
  readonly from: ts.ObjectLiteralElementLike;
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
  const print = (all: readonly ArgumentProperty[]): string => printArgument(all, like, textOf);
  const args = [client];
  if (request.length > 0 || options.length > 0) args.push(print(request));
  if (options.length > 0) args.push(print(options));
  return `${name}(${args.join(", ")})`;
}

/** Prints an argument of a call, or variables of a mutation. */
export function printArgument(
  properties: readonly ArgumentProperty[],
  like: ts.ObjectLiteralExpression | undefined,
  textOf: TextOf,
): string {
  return printObject(
    properties.map((each) => (indent) => printProperty(each, indent, textOf)),
    like,
  );
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
  const margin = like && indentOfLines(like);
  const outer = margin === undefined || at === undefined ? margin : indentAt(at.getSourceFile().text, at.getStart());
  const level = like === undefined ? "  " : styleOf(like.getSourceFile().text).indent;
  const print = (indent: string): readonly string[] => properties.map((each) => each(indent));
  const texts = print(outer === undefined ? "" : `${outer}${level}`);
  const isShort = texts.length === 1 && texts.every((each) => !each.includes("\n"));
  const hasLineComment = texts.some((each) => /^\s*\/\//m.test(each));
  if ((outer === undefined || isShort) && !hasLineComment) return `{ ${texts.join(", ")} }`;
  const place = at ?? like;
  const end = outer ?? (place === undefined ? "" : indentAt(place.getSourceFile().text, place.getStart()));
  const lines = print(`${end}${level}`).map((each) => `${end}${level}${each},\n`);
  return `{\n${lines.join("")}${end}}`;
}

/** The indentation of the last line of an object on several lines. */
function indentOfLines(node: ts.ObjectLiteralExpression): string | undefined {
  const { text } = node.getSourceFile();
  const [first] = node.properties;
  const isMultiline = first !== undefined && text.slice(node.getStart(), first.getStart()).includes("\n");
  return isMultiline ? indentAt(text, node.getEnd()) : undefined;
}

/** Prints a property with the comments that it has in the old code. */
export function printProperty({ key, from, nested }: ArgumentProperty, indent: string, textOf: TextOf): string {
  if (!ts.isObjectLiteralElement(from)) return `...${textOf(from)}`;
  if (nested !== undefined)
    return `${key}: { ${nested.map((each) => printValue(each.key, each.from, textOf)).join(", ")} }`;
  return `${commentsOf(from, indent)}${dedent(printValue(key, from, textOf), from, indent)}`;
}

/** The comments of a property, each on its line: those above it, behind it on its line, and below the last one. */
export function commentsOf(property: ts.ObjectLiteralElementLike, indent: string): string {
  const { text } = property.getSourceFile();
  const object = property.parent;
  const all = ts.isObjectLiteralExpression(object) ? object.properties : [];
  const index = all.findIndex((each) => each === property);
  const next = all[index + 1];
  const above = text.slice(property.getFullStart(), property.getStart());
  const behind = text.slice(property.getEnd(), next?.getStart() ?? object.getEnd() - 1).replace(",", "");
  const parts = [
    index > 0 ? above.replace(/^.*\n/, "") : above,
    next === undefined ? behind : (/^.*(?=\n)/.exec(behind)?.[0] ?? ""),
  ];
  return parts
    .flatMap((each) => each.split("\n"))
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => `${line}\n${indent}`)
    .join("");
}

function printValue(key: string, from: ts.ObjectLiteralElementLike, textOf: TextOf): string {
  if (ts.isSpreadAssignment(from)) return textOf(from);
  const quoted = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
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

/** Moves the lines of a text to another indentation, unless some are in a literal. */
function dedent(text: string, from: ts.Node, indent: string): string {
  const old = indentAt(from.getSourceFile().text, from.getStart());
  if (old === indent || hasLongTemplate(from)) return text;
  return text.replaceAll(`\n${old}`, `\n${indent}`);
}

function hasLongTemplate(node: ts.Node): boolean {
  const isTemplate = ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node);
  if (isTemplate && node.getText().includes("\n")) return true;
  return ts.forEachChild(node, (each) => hasLongTemplate(each) || undefined) ?? false;
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
