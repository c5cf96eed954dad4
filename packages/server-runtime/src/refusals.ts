import { isEqual, isList, isObject } from "@plumbline/validator-runtime";
import type { RefusalRule } from "./api.js";
import type { Case } from "./case.js";
import { merged } from "./changes.js";
import { isMet, shownOf } from "./conditions.js";
import { at } from "./expressions.js";
import type { Facts } from "./facts.js";

/** Checks the documented conditions under which a request fails. */
export function judgeRefusals(one: Case): void {
  const { refusals, failures } = one.plan;
  let whole: Facts | undefined;
  for (const rule of refusals) {
    if (rule.merged?.every((field) => isKept(field, one)) === true) continue;
    if (rule.merged !== undefined) whole ??= one.withBody(merged(one.target, one.body));
    const place = placeOf(rule, rule.merged === undefined ? one : (whole ?? one));
    if (place === undefined) continue;
    const about = failures[rule.id]?.field;
    const field = [place, typeof about === "string" && !about.startsWith("$") ? about : ""].filter(
      (each) => each !== "",
    );
    throw one.refused(rule.id, about === null || field.length === 0 ? {} : { field: field.join(".") });
  }
}

/** True if a request does not change a field. It is then not responsible for the stored value. */
function isKept(field: string, { target, body }: Case): boolean {
  if (!isObject(body) || !Object.hasOwn(body, field)) return true;
  const stored = at(target, [field])[0];
  return isEqual(merged(stored, body[field]), shownOf(stored));
}

/** The location of the first object that satisfies a rule: "" for the body, `pools.0` for an item. Undefined if there is none. */
function placeOf({ when, pointer }: RefusalRule, facts: Facts): string | undefined {
  if (pointer.length === 0) return isMet(when, facts) ? "" : undefined;
  const found = placesIn(facts.body, pointer).find((place) => {
    const value = at(facts.body, place.map(String))[0];
    return isMet(when, { ...facts, self: { value, at: place } });
  });
  return found?.join(".");
}

type Place = readonly (string | number)[];

function placesIn(value: unknown, [token, ...rest]: readonly string[]): readonly Place[] {
  if (token === undefined) return value === undefined ? [] : [[]];
  return childrenOf(value, token).flatMap(([key, child]) => placesIn(child, rest).map((way) => [key, ...way]));
}

function childrenOf(value: unknown, token: string): readonly (readonly [string | number, unknown])[] {
  if (token !== "*") return [[token, at(value, [token])[0]]];
  if (isList(value)) return value.map((each, index) => [index, each] as const);
  return isObject(value) ? Object.entries(value) : [];
}
