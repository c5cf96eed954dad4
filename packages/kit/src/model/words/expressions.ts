import type { Api, CallerValues, Expression, Operation, Parameter } from "../api.js";
import { findJsonContent } from "../media.js";
import { findTarget } from "../operation-targets.js";
import { findField } from "../schemas/schema-fields.js";
import { nameInWords } from "./names.js";
import { codePhrase, phrase, type Phrase } from "./phrase.js";

/** What expressions can be named by: the parameters of their operation, and the resource that it is about. */
export interface ExpressionContext {
  readonly parameters?: readonly Parameter[] | undefined;
  readonly target?: string | undefined;
  /** Returns the resource that a field of the body refers to. */
  readonly resourceIn?: ((field: readonly string[]) => string | undefined) | undefined;
  /** The callers that need no grant. */
  readonly needNoGrants?: CallerValues | undefined;
}

/** Returns what the expressions of an operation can be named by. */
export function expressionContext(api: Api, operation: Operation): ExpressionContext {
  const body = findJsonContent(operation.requestBody?.contents ?? [])?.schema;
  return {
    parameters: operation.parameters,
    target: findTarget(api, operation)?.resource,
    needNoGrants: api.callers?.needNoGrants,
    resourceIn: (field) => {
      const schema = body && findField(api, body, field);
      return (schema?.reference ?? schema?.items?.reference)?.to;
    },
  };
}

/** Names the value of an expression: `the image`, `image in the body`, `each of domains in the body`. */
export function describeExpression(expression: Expression, context: ExpressionContext = {}): Phrase {
  const { text, root, part, name = "", pointer } = expression;
  switch (root) {
    case "request": {
      if (part === "body") return valueIn(pointer, "the body");
      const resource = referencedResource(expression, context);
      return resource === undefined ? phrase`${codePhrase(name)} in the ${part ?? ""}` : phrase`the ${resource}`;
    }
    case "response":
      return valueIn(pointer, "the response");
    case "target":
      return pointer.length === 0 ? targetObject(context) : targetField(pointer, context);
    case "caller":
      return callerField(name === "" ? pointer : [name, ...pointer]);
    case "refs":
      return pointer.length === 0
        ? phrase`the object of ${codePhrase(part ?? "")}`
        : phrase`${fieldPhrase(pointer)} of ${codePhrase(part ?? "")}`;
    case "relative":
      return codePhrase(pointer.length === 0 ? text : pointer.join("."));
  }
}

/** Says what is counted separately: `per user`, `per instance`. */
export function describePer(per: Expression, context: ExpressionContext = {}): Phrase {
  if (per.root === "caller") return phrase` per ${per.name === undefined ? "caller" : nameInWords(per.name)}`;
  const resource = per.root === "target" ? targetName(context) : referencedResource(per, context);
  if (resource !== undefined) return phrase` per ${resource}`;
  return per.pointer.includes("*")
    ? phrase` for ${describeExpression(per, context)}`
    : phrase` per ${describeExpression(per, context)}`;
}

/** The object that an operation is about. */
export function targetObject(context: ExpressionContext): Phrase {
  return phrase`the ${targetName(context)}`;
}

export function targetField(path: readonly string[], context: ExpressionContext): Phrase {
  return fieldPhrase(path, `the ${targetName(context)}'s `);
}

export function callerField(path: readonly string[]): Phrase {
  return fieldPhrase(path, "the caller's ");
}

function targetName({ target }: ExpressionContext): string {
  return target === undefined ? "object" : nameInWords(target);
}

/** The resource that a parameter refers to, if it is the only one that refers to it. */
function referencedResource({ part, name }: Expression, { parameters = [] }: ExpressionContext): string | undefined {
  const to = parameters.find((each) => each.in === part && each.name === name)?.reference?.to;
  const isOnly = parameters.filter(({ reference }) => reference?.to === to).length === 1;
  return to === undefined || !isOnly ? undefined : nameInWords(to);
}

function valueIn(pointer: readonly string[], whole: string): Phrase {
  return pointer.length === 0
    ? [whole]
    : phrase`${fieldPhrase(pointer)} ${pointer.every((each) => each === "*") ? "of" : "in"} ${whole}`;
}

/** A path: `a.b`, `each of a`, `b of each of a`; with an owner: `b of each of the caller's a`. */
function fieldPhrase(pointer: readonly string[], owner = ""): Phrase {
  const star = pointer.lastIndexOf("*");
  if (star < 0) return phrase`${owner}${codePhrase(pointer.join("."))}`;
  const items = star === 0 ? phrase`each item` : phrase`each of ${fieldPhrase(pointer.slice(0, star), owner)}`;
  return star === pointer.length - 1 ? items : phrase`${codePhrase(pointer.slice(star + 1).join("."))} of ${items}`;
}
