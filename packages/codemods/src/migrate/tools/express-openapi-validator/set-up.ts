import type { Api } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { resolveConstant, unwrap } from "../../../impact/expressions.js";
import type { MovableProperty } from "../../object-changes.js";
import type { CodeRecorder } from "../code-recorder.js";
import type { TextOf } from "../nested-edits.js";
import type { HandlerModuleName } from "./handler-module.js";

/** An option of the tool's middleware. */
export interface GivenOption {
  readonly property: MovableProperty;
  readonly name: string;
  /** The value, or that of the constant which it names. */
  readonly value: ts.Expression;
}

/** The options of the tool's middleware, as they are written. */
export interface ReadOptions {
  readonly object: ts.ObjectLiteralExpression;
  readonly options: readonly GivenOption[];
}

/** What the set-up needs beside the options. */
export interface ValidatorSetUp extends ReadOptions {
  readonly api: Api;
  readonly recorder: CodeRecorder;
  /** The call of the tool's middleware. */
  readonly call: ts.CallExpression;
  /** The name of the generated function in the file. */
  readonly validator: string;
  /** Whether the middleware is mounted at a path. */
  readonly isMounted: boolean;
  /** Whether the code has a parser of bodies in front. */
  readonly hasParser: boolean;
  /** Whether the code has an error handler. */
  readonly hasErrorHandler: boolean;
  /** Imports a function that connects handlers of the application with the validator. */
  readonly importHandler: (name: HandlerModuleName) => string;
}

/** The result for an option of the tool: it goes, it stays, it becomes others, or a person has to decide. */
export type OptionResult =
  /** `toCheck` is for a person, although the code runs. */
  | { readonly kind: "keep" | "remove"; readonly toCheck?: string | undefined }
  | {
      readonly kind: "replace";
      readonly text: string | ((textOf: TextOf) => string);
      readonly toCheck?: string | undefined;
    }
  | { readonly kind: "decide"; readonly message: string };

/** The options of a call. Undefined where they are not written in place. */
export function readOptions(
  { arguments: [given] }: ts.CallExpression,
  checker: ts.TypeChecker,
): ReadOptions | undefined {
  const object = given === undefined ? undefined : unwrap(given);
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return undefined;
  if (object.properties.some(ts.isSpreadAssignment)) return undefined;
  const isOption = (each: ts.Node): each is MovableProperty =>
    ts.isPropertyAssignment(each) || ts.isShorthandPropertyAssignment(each);
  const options = object.properties.filter(isOption).map((property) => {
    const value = resolveConstant(unwrap(valueNodeOf(property)), checker);
    return { property, name: property.name.getText(), value };
  });
  return { object, options };
}

/** The value of a property, as it is written. */
export function valueNodeOf(property: MovableProperty): ts.Expression {
  return ts.isPropertyAssignment(property) ? property.initializer : property.name;
}

/** The value of a property in an object literal. */
export function propertyOf(object: ts.Expression | undefined, name: string): ts.Expression | undefined {
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return undefined;
  const property = object.properties.find((each) => each.name?.getText() === name);
  if (property !== undefined && ts.isPropertyAssignment(property)) return unwrap(property.initializer);
  return property !== undefined && ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
}

/** Whether an option switches something off. */
export function isFalse(node: ts.Expression | undefined): boolean {
  return node?.kind === ts.SyntaxKind.FalseKeyword;
}

/** Code that moves from the line of a node to that of another: its further lines keep their distance from the first. */
export function movedText(text: string, from: ts.Node, to: ts.Node): string {
  return text.replaceAll(`\n${indentOf(from)}`, `\n${indentOf(to)}`);
}

/** The indentation of the line that a node begins on. */
export function indentOf(node: ts.Node): string {
  const { text } = node.getSourceFile();
  const line = text.lastIndexOf("\n", node.getStart() - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line))?.[0] ?? "";
}
