import { childAt, isArray, isObject, ownField } from "../../http/index.js";
import type { EvaluationContext } from "./evaluation-context.js";

/** A parsed runtime expression of the description. */
export interface Expression {
  readonly root: "request" | "response" | "caller" | "target" | "refs" | "relative";
  /** `path`, `query`, `header` or `body` for `request`; the referencing field for `refs`; the number of levels up for `relative`. */
  readonly part?: string;
  /** The name of the parameter, or of the caller's field. */
  readonly name?: string;
  /** Tokens of the JSON pointer; `*` stands for each item. */
  readonly pointer: readonly string[];
}

/** Evaluates an expression: no values if a step is missing, several values for `*`. */
export function valuesOf({ root, part = "", name, pointer }: Expression, facts: EvaluationContext): readonly unknown[] {
  switch (root) {
    case "request":
      if (part === "body") return valuesAt(facts.body, pointer);
      return valuesAt(parameterOf(facts, part, name ?? ""), pointer);
    case "response":
      return valuesAt(facts.response, pointer);
    case "caller":
      return valuesAt(facts.caller, name === undefined ? pointer : [name, ...pointer]);
    case "target":
      return valuesAt(facts.target, name === undefined ? pointer : [name, ...pointer]);
    case "refs": {
      const rows = rowsOf(part, facts);
      return rows.length === 1 ? valuesAt(rows[0], pointer) : rows.flatMap((row) => valuesAt(row, pointer));
    }
    case "relative": {
      const { at: here } = facts.self ?? wholeBody;
      const up = Number(part);
      if (up > here.length) return [];
      const from = here.slice(0, here.length - up);
      return valuesAt(facts.body, [...from.map(String), ...pointer]);
    }
  }
}

/** Evaluates a JSON pointer, in which `*` stands for each item. */
export function valuesAt(value: unknown, pointer: readonly string[]): readonly unknown[] {
  let current = value;
  for (let index = 0; index < pointer.length; index += 1) {
    const token = pointer[index] as string;
    if (token === "*") {
      const rest = pointer.slice(index + 1);
      return childrenOf(current).flatMap((child) => valuesAt(child, rest));
    }
    current = childAt(current, token);
  }
  return current === undefined ? [] : [current];
}

/** The rows that a field of the body or a parameter references. Fields are relative to the value on which the rule stands. */
export function rowsOf(field: string, { refs, body, self }: EvaluationContext): readonly unknown[] {
  for (let length = self?.at.length ?? 0; length >= 0; length -= 1) {
    const { pointer, key } = length === 0 ? pointerOf(field) : pointerBelow(self?.at.slice(0, length) ?? [], field);
    const rowsById = refs.at(key);
    if (rowsById === undefined) continue;
    if (rowsById.size === 0) return [];
    const ids = valuesAt(body, pointer);
    const rows = (ids.some(isArray) ? ids.flat() : ids).map((id) => rowsById.get(id));
    return rows.includes(undefined) ? rows.filter((row) => row !== undefined) : rows;
  }
  return refs.parameter(field) ?? [];
}

/** A rule without a smaller subject stands on the body. */
const wholeBody: Pick<NonNullable<EvaluationContext["self"]>, "at"> = { at: [] };

interface PointerKey {
  readonly pointer: readonly string[];
  /** The key of the reference, with `*` for each item. */
  readonly key: string;
}

function pointerBelow(base: readonly (string | number)[], field: string): PointerKey {
  const pointer = [...base.map(String), ...field.split(".")];
  return { pointer, key: pointer.map((token) => (/^\d+$/.test(token) ? "*" : token)).join("/") };
}

/** Cached for the process: a description has few fields, and every request uses them. */
const pointersByField = new Map<string, PointerKey>();

function pointerOf(field: string): PointerKey {
  let location = pointersByField.get(field);
  if (location === undefined) pointersByField.set(field, (location = pointerBelow([], field)));
  return location;
}

function parameterOf({ input }: EvaluationContext, location: string, name: string): unknown {
  const group = input[location === "header" ? "headers" : location];
  return isObject(group) ? ownField(group, name) : undefined;
}

function childrenOf(value: unknown): readonly unknown[] {
  if (isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}
