import type { Api, Operation, Parameter } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { typesOf } from "../../../impact/schema-places.js";

/** The replacement of a read of a parameter. */
export interface ParameterRead {
  readonly node: ts.Node;
  readonly text: string;
}

/** How to read the parameters of one location in the decoded input of an operation. */
export interface ParameterReads {
  readonly api: Api;
  readonly operation: Operation;
  readonly location: "path" | "query";
  /** The code of the decoded group, such as `input.query`. */
  readonly group: string;
}

/**
 * The replacement for a group of parameters, such as `request.query`, with what is around it: the name of a parameter, and the conversions of
 * its text. Decoded values need none: `Number(request.query.limit)` becomes `input.query.limit`.
 *
 * @returns undefined where the operation has no parameter of that name
 */
export function readParameters(group: ts.Expression, reads: ParameterReads): ParameterRead | undefined {
  const { parent } = group;
  const parameters = reads.operation.parameters.filter((each) => each.in === reads.location);
  if (parameters.length === 0) return undefined;
  const name = nameIn(parent, group);
  if (name === undefined) return readGroup(group, parameters, reads);
  const parameter = parameters.find((each) => each.name === name);
  if (parameter === undefined) return undefined;
  const text = accessOf(reads.group, parameter.name);
  const types = typesOf(parameter.schema, reads.api);
  return unwrapConversions(parent, text, types);
}

/** Several parameters at once: `const { limit } = request.query`. */
function readGroup(
  group: ts.Expression,
  parameters: readonly Parameter[],
  { group: text }: ParameterReads,
): ParameterRead | undefined {
  const outer = outermostAssertion(group);
  const { parent } = outer;
  if (!ts.isVariableDeclaration(parent) || !ts.isObjectBindingPattern(parent.name)) return { node: outer, text };
  const names = parent.name.elements.map((each) => (each.propertyName ?? each.name).getText());
  const isKnown = names.every((name) => parameters.some((each) => each.name === name));
  return isKnown ? { node: outer, text } : undefined;
}

function nameIn(parent: ts.Node, group: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(parent) && parent.expression === group) return parent.name.text;
  const isElement = ts.isElementAccessExpression(parent) && parent.expression === group;
  return isElement && ts.isStringLiteralLike(parent.argumentExpression) ? parent.argumentExpression.text : undefined;
}

function accessOf(group: string, name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${group}.${name}` : `${group}[${JSON.stringify(name)}]`;
}

/** The node without the assertions and conversions around it that a decoded value does not need. */
function unwrapConversions(node: ts.Node, text: string, types: readonly string[]): ParameterRead {
  const isNumber = types.length > 0 && types.every((type) => type === "integer" || type === "number");
  const isText = types.length === 1 && types[0] === "string";
  const outer = outermostAssertion(node);
  const call = outer.parent;
  if (ts.isCallExpression(call) && call.arguments[0] === outer) {
    const callee = call.expression.getText();
    if (isNumber && /^(Number|(Number\.)?parse(Int|Float))$/.test(callee)) return { node: call, text };
    if (isText && callee === "String") return { node: call, text };
  }
  const asserted = outer === node ? undefined : lastAssertion(outer);
  // A text is expected where the decoded value is none.
  if (asserted === "string" && !isText) return { node: outer, text: `String(${text})` };
  return { node: outer, text };
}

/** The node with `as`, `!` and parentheses around it. */
export function outermostAssertion(node: ts.Node): ts.Node {
  const { parent } = node;
  const isAssertion =
    ts.isAsExpression(parent) ||
    ts.isNonNullExpression(parent) ||
    (ts.isParenthesizedExpression(parent) && isInParentheses(node));
  return isAssertion ? outermostAssertion(parent) : node;
}

function isInParentheses(node: ts.Node): boolean {
  return ts.isAsExpression(node) || ts.isParenthesizedExpression(node);
}

function lastAssertion(node: ts.Node): string | undefined {
  if (ts.isParenthesizedExpression(node)) return lastAssertion(node.expression);
  return ts.isAsExpression(node) ? node.type.getText() : undefined;
}
