import type { Operation } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { unwrap } from "../../../impact/expressions.js";
import { namedProperties, valueOf, type ArgumentProperty, type NestedProperty } from "./call-text.js";

/** The headers of a call: parameters of the operation in its request, and others in its options. */
export function splitHeaders(
  from: ts.PropertyAssignment | ts.ShorthandPropertyAssignment,
  { parameters }: Operation,
): { readonly request: readonly ArgumentProperty[]; readonly options: readonly ArgumentProperty[] } {
  const documented = new Map(
    parameters.filter((each) => each.in === "header").map(({ name }) => [name.toLowerCase(), name] as const),
  );
  if (documented.size === 0) return { request: [], options: [{ key: "headers", from }] };
  const object = unwrap(valueOf(from));
  const properties = ts.isObjectLiteralExpression(object) ? namedProperties(object) : undefined;
  const all = [...(properties ?? [])].map(([key, property]) => ({
    key: documented.get(key.toLowerCase()) ?? key,
    from: property,
  }));
  const requestHeaders = all.filter(({ key }) => documented.has(key.toLowerCase()));
  const others = all.filter(({ key }) => !documented.has(key.toLowerCase()));
  if (properties === undefined || others.length === 0) return { request: [{ key: "headers", from }], options: [] };
  const toGroup = (nested: readonly NestedProperty[]): readonly ArgumentProperty[] =>
    nested.length === 0 ? [] : [{ key: "headers", from, nested }];
  return { request: toGroup(requestHeaders), options: toGroup(others) };
}
