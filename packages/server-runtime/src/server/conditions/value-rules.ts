import { isValid, isArray, isObject, safeAssign, type Check } from "../../http/index.js";
import { escapeAscii, roundNearest, roundUp } from "../../validator/index.js";
import { isConditionMet, type Condition } from "./conditions.js";
import { withSelf, type EvaluationContext } from "./evaluation-context.js";
import { valuesAt, valuesOf, type Expression } from "./expressions.js";

/** A rule that sets or changes the value of a field. The first matching rule applies. */
export interface ValueRule {
  readonly absent?: true;
  readonly matches?: Check;
  readonly when?: Condition;
  readonly set?:
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
export function applyValueRules(fields: readonly FieldValues[], facts: EvaluationContext): unknown {
  // Each rule sees the body that the client sent, without the changes of other rules.
  return fields.reduce<unknown>((body, field) => applyRules(body, field, { way: [], facts }), facts.body);
}

interface RuleLocation {
  readonly way: readonly (string | number)[];
  readonly facts: EvaluationContext;
}

function applyRules(value: unknown, { pointer, rules }: FieldValues, { way, facts }: RuleLocation): unknown {
  const [token, ...rest] = pointer;
  if (token === undefined) return value;
  const within = { pointer: rest, rules };
  if (token === "*") {
    if (isArray(value)) {
      const items = value.map((each, index) => applyRules(each, within, { way: [...way, index], facts }));
      return items.some((each, index) => each !== value[index]) ? items : value;
    }
    if (!isObject(value)) return value;
    return Object.keys(value).reduce<unknown>((before, key) => {
      return withField(before, key, applyRules(value[key], within, { way: [...way, key], facts }));
    }, value);
  }
  if (!isObject(value)) return value;
  const before = Object.hasOwn(value, token) ? value[token] : undefined;
  const here = [...way, token];
  const after =
    rest.length > 0
      ? applyRules(before, within, { way: here, facts })
      : ruleValue(before, rules, withSelf(facts, { value: before, at: here }));
  return withField(value, token, after);
}

function withField(value: unknown, field: string, now: unknown): unknown {
  if (!isObject(value) || (Object.hasOwn(value, field) ? value[field] : undefined) === now) return value;
  const { [field]: _before, ...others } = value;
  if (now === undefined) return others;
  const changed: Record<string, unknown> = { ...value };
  safeAssign(changed, field, now);
  return changed;
}

/** The locations in a body whose values the platform replaces. */
export function platformFields(
  fields: readonly FieldValues[],
  facts: EvaluationContext,
): readonly (readonly string[])[] {
  return fields.flatMap(({ pointer, rules }) => {
    const [value] = valuesAt(facts.body, pointer);
    const rule = value === undefined ? undefined : ruleFor(value, rules, withSelf(facts, { value, at: pointer }));
    return rule?.set?.kind === "platform" ? [pointer] : [];
  });
}

function ruleValue(value: unknown, rules: readonly ValueRule[], facts: EvaluationContext): unknown {
  const rule = ruleFor(value, rules, facts);
  return rule === undefined ? value : resultOf(value, rule, facts);
}

function ruleFor(value: unknown, rules: readonly ValueRule[], facts: EvaluationContext): ValueRule | undefined {
  return rules.find(
    ({ absent, matches, when }) =>
      (absent === undefined || value === undefined) &&
      (matches === undefined || (value !== undefined && isValid(matches, value))) &&
      (when === undefined || isConditionMet(when, facts)),
  );
}

function resultOf(value: unknown, { set, round, to, escape }: ValueRule, facts: EvaluationContext): unknown {
  if (round !== undefined && to !== undefined) return round === "up" ? roundUp(value, to) : roundNearest(value, to);
  if (escape !== undefined) return escapeAscii(value);
  switch (set?.kind) {
    case "value":
      return set.value;
    case "ignore":
      return undefined;
    case "from": {
      const [source] = valuesOf(set.from, facts);
      if (typeof source !== "number") return source;
      const [less] = set.minus === undefined ? [] : valuesOf(set.minus, facts);
      return source * (set.times ?? 1) - (typeof less === "number" ? less : 0);
    }
    case "platform":
    case undefined:
      return value;
  }
}
