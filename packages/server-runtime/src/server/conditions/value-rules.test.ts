import { describe, expect, it } from "vitest";
import { addIssue, type Check } from "../../http/index.js";
import { noRows, type EvaluationContext } from "./evaluation-context.js";
import { applyValueRules, type ValueRule } from "./value-rules.js";

const is =
  (wanted: unknown): Check =>
  (value, issues) => {
    if (value !== wanted) addIssue(issues, "const");
  };

function fill(body: unknown, field: string, ...rules: readonly ValueRule[]): unknown {
  const facts: EvaluationContext = {
    caller: { scopes: "*" },
    input: {},
    body,
    target: { size: 3, region: "us" },
    refs: noRows,
  };
  return applyValueRules([{ pointer: field.split("."), rules }], facts);
}

const fromRegion: ValueRule = {
  absent: true,
  set: { kind: "from", from: { root: "target", pointer: ["region"] } },
};

describe("a value", () => {
  it("that is absent is computed, and one that is sent stays", () => {
    expect(fill({}, "region", fromRegion)).toEqual({ region: "us" });
    expect(fill({ region: "eu" }, "region", fromRegion)).toEqual({ region: "eu" });
    expect(fill({}, "a", { absent: true, set: { kind: "value", value: 0 } })).toEqual({ a: 0 });
  });

  it("is multiplied if it is a number", () => {
    const from = (pointer: string): ValueRule => ({
      set: { kind: "from", from: { root: "target", pointer: [pointer] }, times: 90 },
    });
    expect([fill({}, "a", from("size")), fill({}, "a", from("region")), fill({}, "a", from("none"))]).toEqual([
      { a: 270 },
      { a: "us" },
      {},
    ]);
  });

  it("subtracts another number where both are numbers", () => {
    const less = (pointer: string): ValueRule => ({
      set: {
        kind: "from",
        from: { root: "target", pointer: ["size"] },
        minus: { root: "request", part: "body", pointer: [pointer] },
      },
    });
    expect(fill({ swap: 1 }, "a", less("swap"))).toEqual({ swap: 1, a: 2 });
    expect(fill({ swap: "1" }, "a", less("swap"))).toEqual({ swap: "1", a: 3 });
    expect(fill({}, "a", less("swap"))).toEqual({ a: 3 });
  });

  it("is that of the first matching rule", () => {
    const rules: readonly ValueRule[] = [
      { matches: is(0), set: { kind: "value", value: 14_400 } },
      { when: { body: is("never") }, set: { kind: "value", value: 1 } },
      { round: "up", to: [300, 3600] },
    ];
    expect([0, 300, 301, 3601].map((ttl) => fill({ ttl }, "ttl", ...rules))).toEqual([
      { ttl: 14_400 },
      { ttl: 300 },
      { ttl: 3600 },
      { ttl: 3600 },
    ]);
    expect(fill({ ttl: 301 }, "ttl", { round: "nearest", to: [300, 3600] })).toEqual({ ttl: 300 });
  });

  it("is ignored, escaped, or left to the platform", () => {
    expect(fill({ a: 1, b: 2 }, "a", { set: { kind: "ignore" } })).toEqual({ b: 2 });
    expect(fill({ a: "é" }, "a", { escape: "ascii" })).not.toEqual({ a: "é" });
    expect(fill({ a: 1 }, "a", { set: { kind: "platform" } })).toEqual({ a: 1 });
    expect(fill({ a: 1 }, "a", {})).toEqual({ a: 1 });
  });

  it("is set in sent objects, and creates none", () => {
    const evaluation: ValueRule = { absent: true, set: { kind: "value", value: 1 } };
    expect(fill({ range: {} }, "range.min", evaluation)).toEqual({ range: { min: 1 } });
    const body = { a: 1 };
    expect(fill(body, "range.min", evaluation)).toBe(body);
    expect([fill(null, "a", evaluation), fill(undefined, "a", evaluation), fill([1], "a", evaluation)]).toEqual([
      null,
      undefined,
      [1],
    ]);
  });

  it("is set in each item, relative to the item", () => {
    const count: ValueRule = {
      absent: true,
      set: { kind: "from", from: { root: "relative", part: "2", pointer: ["count"] } },
    };
    const pools = [{ count: 2, range: {} }, { count: 3, range: { min: 1 } }, { count: 4 }];
    expect(fill({ pools }, "pools.*.range.min", count)).toEqual({
      pools: [{ count: 2, range: { min: 2 } }, { count: 3, range: { min: 1 } }, { count: 4 }],
    });
    expect(fill({ a: { x: {} }, b: 1 }, "a.*.y", { set: { kind: "value", value: 1 } })).toEqual({
      a: { x: { y: 1 } },
      b: 1,
    });
    const same = { pools: [{ range: { min: 1 } }] };
    expect(fill(same, "pools.*.range.min", count)).toBe(same);
  });

  it("may be named like an inherited property", () => {
    const filled = fill({}, "__proto__", { absent: true, set: { kind: "value", value: 1 } });
    expect(Object.entries(filled as object)).toEqual([["__proto__", 1]]);
    const sent = fill(JSON.parse('{"__proto__":{"admin":true},"a":1}'), "a", { set: { kind: "value", value: 2 } });
    expect([JSON.stringify(sent), "admin" in (sent as object)]).toEqual(['{"__proto__":{"admin":true},"a":2}', false]);
  });

  it("depends on the sent body, and not on other rules", () => {
    const facts: EvaluationContext = { caller: undefined, input: {}, body: { a: 1 }, target: undefined, refs: noRows };
    const fields = [
      { pointer: ["a"], rules: [{ set: { kind: "value", value: 2 } }] },
      { pointer: ["b"], rules: [{ set: { kind: "from", from: { root: "request", part: "body", pointer: ["a"] } } }] },
    ] as const;
    expect(applyValueRules(fields, facts)).toEqual({ a: 2, b: 1 });
  });
});
