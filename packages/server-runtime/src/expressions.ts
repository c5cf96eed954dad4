import { isList, isObject, ownField } from "@plumbline/validator-runtime";
import type { Facts } from "./facts.js";

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
export function valuesOf({ root, part = "", name, pointer }: Expression, facts: Facts): readonly unknown[] {
  switch (root) {
    case "request":
      if (part === "body") return at(facts.body, pointer);
      return at(parameterOf(facts, part, name ?? ""), pointer);
    case "response":
      return at(facts.response, pointer);
    case "caller":
      return at(facts.caller, name === undefined ? pointer : [name, ...pointer]);
    case "target":
      return at(facts.target, name === undefined ? pointer : [name, ...pointer]);
    case "refs": {
      const rows = rowsOf(part, facts);
      return rows.length === 1 ? at(rows[0], pointer) : rows.flatMap((row) => at(row, pointer));
    }
    case "relative": {
      const { at: here } = facts.self ?? wholeBody;
      const up = Number(part);
      if (up > here.length) return [];
      const from = here.slice(0, here.length - up);
      return at(facts.body, [...from.map(String), ...pointer]);
    }
  }
}

/** Evaluates a JSON pointer, in which `*` stands for each item. */
export function at(value: unknown, pointer: readonly string[]): readonly unknown[] {
  let found = value;
  for (let index = 0; index < pointer.length; index += 1) {
    const token = pointer[index] as string;
    if (token === "*") {
      const rest = pointer.slice(index + 1);
      return childrenOf(found).flatMap((child) => at(child, rest));
    }
    found = isList(found) ? found[Number(token)] : isObject(found) ? ownField(found, token) : undefined;
  }
  return found === undefined ? [] : [found];
}

/** The rows that a field of the body or a parameter references. Fields are relative to the value on which the rule stands. */
export function rowsOf(field: string, { refs, body, self }: Facts): readonly unknown[] {
  for (let length = self?.at.length ?? 0; length >= 0; length -= 1) {
    const { pointer, key } = length === 0 ? placeOf(field) : placeBelow(self?.at.slice(0, length) ?? [], field);
    const found = refs.at(key);
    if (found === undefined) continue;
    const rows: unknown[] = [];
    const take = (id: unknown): void => {
      const row = found.get(id);
      if (row !== undefined) rows.push(row);
    };
    for (const named of found.size === 0 ? [] : at(body, pointer)) {
      if (isList(named)) named.forEach(take);
      else take(named);
    }
    return rows;
  }
  return refs.parameter(field) ?? [];
}

/** A rule without a smaller subject stands on the body. */
const wholeBody: Pick<NonNullable<Facts["self"]>, "at"> = { at: [] };

interface Place {
  readonly pointer: readonly string[];
  /** The key of the reference, with `*` for each item. */
  readonly key: string;
}

function placeBelow(base: readonly (string | number)[], field: string): Place {
  const pointer = [...base.map(String), ...field.split(".")];
  return { pointer, key: pointer.map((token) => (/^\d+$/.test(token) ? "*" : token)).join("/") };
}

/** Cached for the process: a description has few fields, and every request uses them. */
const places = new Map<string, Place>();

function placeOf(field: string): Place {
  let place = places.get(field);
  if (place === undefined) places.set(field, (place = placeBelow([], field)));
  return place;
}

function parameterOf({ input }: Facts, place: string, name: string): unknown {
  const group = input[place === "header" ? "headers" : place];
  return isObject(group) ? ownField(group, name) : undefined;
}

function childrenOf(value: unknown): readonly unknown[] {
  if (isList(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}
