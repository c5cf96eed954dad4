import {
  isJsonObject,
  type Json,
  type Mutability,
  pickDefined,
  type Schema,
  type ValueRule,
  type ValueSource,
  type Visibility,
} from "../../model/index.js";
import { parseExpression } from "../read/expression.js";
import type { SpecNode } from "../read/spec-node.js";
import { readCondition } from "./conditions.js";
import { definedFields, readStrings } from "./plain-data.js";
import type { ReadContext } from "./read-context.js";

/** Reads the rules under `x-value`, in order. */
export function readValueRules(place: SpecNode, readSchema: (place: SpecNode) => Schema): readonly ValueRule[] {
  return (place.get("x-value")?.items() ?? []).map((item) => {
    const sent = item.child("matches");
    const to = item.get("to");
    return definedFields<ValueRule>({
      absent: item.isTrue("absent") ? (true as const) : undefined,
      matches: sent && readSchema(sent),
      when: readCondition(item.get("when"), readSchema),
      set: item.has("set") ? readValueSource(item.object["set"]) : undefined,
      interpretAs: item.object["interpretAs"] as Json | undefined,
      round: item.text("round") as "up" | "nearest" | undefined,
      to: to && to.items().map((each) => Number(each.raw)),
      escape: item.text("escape") as "ascii" | undefined,
    });
  });
}

/** Reads the source of a value: a constant, or an object with the source of the value. */
export function readValueSource(value: unknown): ValueSource {
  if (isJsonObject(value)) {
    const { from, times, minus, by, ignore } = value;
    const expression = typeof from === "string" ? parseExpression(from) : undefined;
    if (expression !== undefined)
      return {
        kind: "from",
        from: expression,
        ...pickDefined("times", typeof times === "number" ? times : undefined),
        ...pickDefined("minus", typeof minus === "string" ? parseExpression(minus) : undefined),
      };
    if (by === "platform") return { kind: "platform" };
    if (ignore === true) return { kind: "ignore" };
  }
  return { kind: "value", value: value as Json };
}

const mutabilityRules = ["immutable", "one-way", "increase", "next"] as const satisfies readonly Mutability["rule"][];

export function readMutability(place: SpecNode, { operationName }: ReadContext): Mutability | undefined {
  const change = place.get("x-mutability");
  const rule = mutabilityRules.find((name) => name === change?.text("rule"));
  // The linter reports an unknown rule, as a warning where the ruleset is minimal.
  if (change === undefined || rule === undefined) return undefined;
  const order = change.text("order");
  return definedFields<Mutability>({
    rule,
    to: change.object["to"] as Json | undefined,
    order: order && operationName(order),
    error: change.text("error"),
  });
}

export function readVisibility(place: SpecNode, { read, operationName }: ReadContext): Visibility | undefined {
  const visible = place.get("x-visibility");
  if (visible === undefined) return undefined;
  const within = visible.get("in");
  return definedFields<Visibility>({
    in: within && readStrings(within).map(operationName),
    when: readCondition(visible.get("when"), read),
    otherwise: visible.has("otherwise") ? readOtherwise(visible.object["otherwise"]) : undefined,
    secret: visible.isTrue("secret") ? (true as const) : undefined,
  });
}

/** Reads `otherwise`: `absent`, null, or the number of characters to which the value is truncated. What is none of them shows nothing. */
function readOtherwise(value: unknown): NonNullable<Visibility["otherwise"]> | null {
  if (value === null) return null;
  const truncate = (value as { readonly truncate?: unknown }).truncate;
  return typeof truncate === "number" ? { truncate } : "absent";
}
