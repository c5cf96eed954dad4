import { isValid, isArray, isObject, ownField, valueAt, type Check } from "../../http/index.js";
import { isEqual } from "../../validator/index.js";
import type { EvaluationContext } from "./evaluation-context.js";
import { rowsOf, valuesOf, type Expression } from "./expressions.js";

/** A compiled `when` of the description. All members have to hold. */
export interface Condition {
  readonly caller?: Check;
  readonly body?: Check;
  readonly target?: Check;
  /** Checks the value on which the rule stands. */
  readonly sent?: Check;
  /** Checks every row that a field references. At least one row has to exist. */
  readonly refs?: Readonly<Record<string, Check>>;
  /** Fields of the body, one of which has to differ from the stored value. */
  readonly changes?: readonly string[];
  readonly compare?: readonly [
    Expression,
    "eq" | "ne" | "lt" | "lte" | "in" | "notIn",
    Expression | { readonly value: unknown },
  ];
}

/** Evaluates a condition: true if every member holds. An absent value satisfies no check. */
export function isConditionMet(condition: Condition, facts: EvaluationContext): boolean {
  const { caller, body, target, sent, refs, changes, compare } = condition;
  return (
    isSatisfied(caller, facts.caller) &&
    isSatisfied(body, facts.body) &&
    isSatisfied(target, facts.target) &&
    (sent === undefined || isValid(sent, facts.self === undefined ? facts.body : facts.self.value)) &&
    (refs === undefined || areRefsSatisfied(refs, facts)) &&
    (changes === undefined || changes.some((field) => changesField(field, facts))) &&
    (compare === undefined || isComparable(compare, facts))
  );
}

/** Whether the body changes a field. An object changes if one of the fields that the client sent changes. */
export function changesField(field: string, { body, target }: Pick<EvaluationContext, "body" | "target">): boolean {
  const pointer = field.split(".");
  return isChanged(valueAt(body, pointer), valueAt(target, pointer));
}

/** Whether a sent value differs from the stored one. Fields that the client did not send stay unchanged. */
export function isChanged(sent: unknown, stored: unknown): boolean {
  if (sent === undefined) return false;
  if (!isObject(sent) || !isObject(stored)) return !isEqual(sent, toWireValue(stored));
  return Object.keys(sent).some((key) => isChanged(ownField(sent, key), ownField(stored, key)));
}

/** A stored Date as its ISO 8601 text, which is how clients read it. */
export function toWireValue(stored: unknown): unknown {
  return stored instanceof Date ? stored.toISOString() : stored;
}

function isSatisfied(check: Check | undefined, value: unknown): boolean {
  return check === undefined || (value !== undefined && isValid(check, value));
}

function areRefsSatisfied(refs: NonNullable<Condition["refs"]>, facts: EvaluationContext): boolean {
  for (const field of Object.keys(refs)) {
    const rows = rowsOf(field, facts);
    const check = refs[field] as Check;
    if (rows.length === 0 || !rows.every((row) => isValid(check, row))) return false;
  }
  return true;
}

/** True if the comparison holds for some pair of values. */
function isComparable([left, operator, right]: NonNullable<Condition["compare"]>, facts: EvaluationContext): boolean {
  const lefts = valuesOf(left, facts);
  if (lefts.length === 0) return false;
  const rights = "root" in right ? valuesOf(right, facts) : [right.value];
  const compare = operators[operator];
  return lefts.some((a) => rights.some((b) => compare(toWireValue(a), toWireValue(b))));
}

type Operator = NonNullable<Condition["compare"]>[1];

const operators = {
  eq: isEqual,
  ne: (a, b) => !isEqual(a, b),
  lt: (a, b) => orderOf(a, b) < 0,
  lte: (a, b) => orderOf(a, b) <= 0,
  in: (a, b) => isArray(b) && b.some((each) => isEqual(a, each)),
  notIn: (a, b) => isArray(b) && !b.some((each) => isEqual(a, each)),
} satisfies Record<Operator, (a: unknown, b: unknown) => boolean>;

/** Below, at or above 0. NaN for values that have no order. */
function orderOf(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return typeof a === "string" && typeof b === "string" ? (a < b ? -1 : a > b ? 1 : 0) : Number.NaN;
}
