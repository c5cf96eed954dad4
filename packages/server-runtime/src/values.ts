import { escapeAscii, holds, isList, isObject, roundNearest, roundUp, type Check } from "@plumbline/validator-runtime";
import { isMet, type Condition } from "./conditions.js";
import { at, valuesOf, type Expression } from "./expressions.js";
import type { Facts } from "./facts.js";

/** A rule that sets or changes the value of a field. The first matching rule applies. */
export interface ValueRule {
  readonly absent?: true;
  readonly sent?: Check;
  readonly when?: Condition;
  readonly take?:
    | { readonly kind: "value"; readonly value: unknown }
    | { readonly kind: "from"; readonly from: Expression; readonly times?: number; readonly minus?: Expression }
    /** The handler sets the value. */
    | { readonly kind: "platform" }
    | { readonly kind: "ignore" };
  readonly round?: "up" | "nearest";
  readonly to?: readonly number[];
  readonly escape?: "ascii";
}

/** The rules of a field of the body; `*` in its pointer stands for each item. */
export interface FieldValues {
  readonly pointer: readonly string[];
  readonly rules: readonly ValueRule[];
}

/** Applies the value rules to a body. Returns the same body if nothing changes. */
export function withValues(fields: readonly FieldValues[], facts: Facts): unknown {
  // Each rule sees the body that the client sent, without the changes of other rules.
  return fields.reduce<unknown>((body, field) => changed(body, field, { way: [], facts }), facts.body);
}

interface Around {
  readonly way: readonly (string | number)[];
  readonly facts: Facts;
}

function changed(value: unknown, { pointer, rules }: FieldValues, { way, facts }: Around): unknown {
  const [token, ...rest] = pointer;
  if (token === undefined) return value;
  const within = { pointer: rest, rules };
  if (token === "*") {
    if (isList(value)) {
      const items = value.map((each, index) => changed(each, within, { way: [...way, index], facts }));
      return items.some((each, index) => each !== value[index]) ? items : value;
    }
    if (!isObject(value)) return value;
    return Object.keys(value).reduce<unknown>((before, key) => {
      return withField(before, key, changed(value[key], within, { way: [...way, key], facts }));
    }, value);
  }
  if (!isObject(value)) return value;
  const before = Object.hasOwn(value, token) ? value[token] : undefined;
  const here = [...way, token];
  const after =
    rest.length > 0
      ? changed(before, within, { way: here, facts })
      : valueOf(before, rules, { ...facts, self: { value: before, at: here } });
  return withField(value, token, after);
}

function withField(value: unknown, field: string, now: unknown): unknown {
  if (!isObject(value) || (Object.hasOwn(value, field) ? value[field] : undefined) === now) return value;
  const { [field]: _before, ...others } = value;
  if (now === undefined) return others;
  return Object.defineProperty({ ...value }, field, {
    value: now,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** The locations in a body whose values the platform replaces. */
export function platformsOwn(fields: readonly FieldValues[], facts: Facts): readonly (readonly string[])[] {
  return fields.flatMap(({ pointer, rules }) => {
    const [value] = at(facts.body, pointer);
    const rule = value === undefined ? undefined : ruleFor(value, rules, { ...facts, self: { value, at: pointer } });
    return rule?.take?.kind === "platform" ? [pointer] : [];
  });
}

function valueOf(value: unknown, rules: readonly ValueRule[], facts: Facts): unknown {
  const rule = ruleFor(value, rules, facts);
  return rule === undefined ? value : resultOf(value, rule, facts);
}

function ruleFor(value: unknown, rules: readonly ValueRule[], facts: Facts): ValueRule | undefined {
  return rules.find(
    ({ absent, sent, when }) =>
      (absent === undefined || value === undefined) &&
      (sent === undefined || (value !== undefined && holds(sent, value))) &&
      (when === undefined || isMet(when, facts)),
  );
}

function resultOf(value: unknown, { take, round, to, escape }: ValueRule, facts: Facts): unknown {
  if (round !== undefined && to !== undefined) return round === "up" ? roundUp(value, to) : roundNearest(value, to);
  if (escape !== undefined) return escapeAscii(value);
  switch (take?.kind) {
    case "value":
      return take.value;
    case "ignore":
      return undefined;
    case "from": {
      const [found] = valuesOf(take.from, facts);
      if (typeof found !== "number") return found;
      const [less] = take.minus === undefined ? [] : valuesOf(take.minus, facts);
      return found * (take.times ?? 1) - (typeof less === "number" ? less : 0);
    }
    case "platform":
    case undefined:
      return value;
  }
}
