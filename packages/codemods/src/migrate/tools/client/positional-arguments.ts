import { ts } from "ts-morph";
import { unwrap } from "../../../impact/expressions.js";
import { namedProperties, valueOf, type ArgumentProperty } from "./call-text.js";

/** What a parameter of a generated function is in a request: one parameter of the API, all of a location, the body, or options. */
export type ParameterRole =
  | { readonly kind: "parameter"; readonly group: "path" | "query" | "headers" | "cookies"; readonly name: string }
  | { readonly kind: "group"; readonly group: "query" | "headers" }
  | { readonly kind: "body" }
  | { readonly kind: "options" };

/** The arguments of a call, as those of a generated client. */
export interface ReadArguments {
  readonly request: readonly ArgumentProperty[];
  readonly options: readonly ArgumentProperty[];
  /** Options without a counterpart, which the new call keeps. They do not compile. */
  readonly undecided: readonly string[];
}

/** Options of a call that a generated client has, too. */
const kept: ReadonlySet<string> = new Set(["signal", "headers"]);

/** Reads arguments by the roles of their parameters, in order. Undefined for spreads, and options that are not an object with names. */
export function readArguments(
  given: readonly (ts.Expression | undefined)[],
  roles: readonly ParameterRole[],
): ReadArguments | undefined {
  const groups = new Map<string, ArgumentProperty[]>();
  const request: ArgumentProperty[] = [];
  const options: ArgumentProperty[] = [];
  for (const [index, value] of given.entries()) {
    const role = roles[index];
    if (value === undefined || value.getText() === "undefined") continue;
    if (role === undefined || ts.isSpreadElement(value)) return undefined;
    if (role.kind === "parameter") {
      const known = groups.get(role.group) ?? [];
      if (known.length === 0) request.push({ key: role.group, from: value, nested: known });
      known.push({ key: role.name, from: value });
      groups.set(role.group, known);
    } else if (role.kind === "options") {
      const object = unwrap(value);
      const properties = ts.isObjectLiteralExpression(object) ? namedProperties(object) : undefined;
      if (properties === undefined) return undefined;
      options.push(...[...properties].map(([key, from]) => ({ key, from: valueOf(from) })));
    } else request.push({ key: role.kind === "group" ? role.group : "body", from: value });
  }
  const order = ["path", "query", "headers", "cookies", "body"];
  return {
    request: request.toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key)),
    options,
    undecided: options.map(({ key }) => key).filter((key) => !kept.has(key)),
  };
}
