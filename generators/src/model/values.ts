import type { Place } from "../spec/place.js";
import type { Change, Json, Shape, Take, ValueRule, Visibility } from "./api.js";
import { parseExpression, readCondition } from "./conditions.js";
import { given, textsOf } from "./data.js";
import type { Reading } from "./reading.js";

/** Reads the rules under `x-value`, in order. */
export function readValues(place: Place, readShape: (place: Place) => Shape): readonly ValueRule[] {
  return (place.get("x-value")?.items() ?? []).map((item) => {
    const sent = item.child("sent");
    const to = item.get("to");
    return {
      ...given("absent", item.flag("absent") ? (true as const) : undefined),
      ...given("sent", sent && readShape(sent)),
      ...given("when", readCondition(item.get("when"), readShape)),
      ...given("take", item.has("take") ? readTake(item.object["take"]) : undefined),
      ...(item.has("means") ? { means: item.object["means"] as Json } : {}),
      ...given("round", item.text("round") as "up" | "nearest" | undefined),
      ...given("to", to && to.items().map((each) => Number(each.raw))),
      ...given("escape", item.text("escape") as "ascii" | undefined),
    };
  });
}

/** Reads a `take`: a constant, or an object with the source of the value. */
export function readTake(value: unknown): Take {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const { from, times, minus, by, ignore } = value as Readonly<Record<string, unknown>>;
    const expression = typeof from === "string" ? parseExpression(from) : undefined;
    if (expression !== undefined)
      return {
        kind: "from",
        from: expression,
        ...given("times", typeof times === "number" ? times : undefined),
        ...given("minus", typeof minus === "string" ? parseExpression(minus) : undefined),
      };
    if (by === "platform") return { kind: "platform" };
    if (ignore === true) return { kind: "ignore" };
  }
  return { kind: "value", value: value as Json };
}

export function readChange(place: Place, { operationName }: Reading): Change | undefined {
  const change = place.get("x-change");
  if (change === undefined) return undefined;
  const order = change.text("order");
  return {
    rule: change.text("rule") as Change["rule"],
    ...(change.has("to") ? { to: change.object["to"] as Json } : {}),
    ...given("order", order && operationName(order)),
    ...given("error", change.text("error")),
  };
}

export function readVisibility(place: Place, { read, operationName }: Reading): Visibility | undefined {
  const visible = place.get("x-visible");
  if (visible === undefined) return undefined;
  const within = visible.get("in");
  const otherwise = visible.object["otherwise"];
  return {
    ...given("in", within && textsOf(within).map(operationName)),
    ...given("when", readCondition(visible.get("when"), read)),
    ...(visible.has("otherwise") ? { otherwise: otherwise as "absent" | null | { first: number } } : {}),
    ...given("secret", visible.flag("secret") ? (true as const) : undefined),
  };
}
