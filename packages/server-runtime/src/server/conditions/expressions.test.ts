import { describe, expect, it } from "vitest";
import { noRows, type EvaluationContext } from "./evaluation-context.js";
import { valuesAt, rowsOf, valuesOf, type Expression } from "./expressions.js";

const facts: EvaluationContext = {
  caller: { user: "ann", account: { id: "a" } },
  input: { path: { house: 1 }, query: { page: 2 }, headers: { "If-Match": "x" }, cookies: {} },
  body: { label: "home", pools: [{ count: 2, range: { max: 5 } }, { count: 3 }], tags: ["a", null] },
  target: { id: 1, specs: { disk: 10 } },
  refs: noRows,
};

function value(root: Expression["root"], pointer: readonly string[], given: Partial<Expression> = {}) {
  return valuesOf({ root, pointer, ...given }, facts);
}

describe("an expression evaluates to", () => {
  it("parameters, by location", () => {
    expect(value("request", [], { part: "path", name: "house" })).toEqual([1]);
    expect(value("request", [], { part: "query", name: "page" })).toEqual([2]);
    expect(value("request", [], { part: "header", name: "If-Match" })).toEqual(["x"]);
    expect(value("request", [], { part: "cookies", name: "a" })).toEqual([]);
    expect(value("request", [], { part: "path", name: "constructor" })).toEqual([]);
    expect(value("request", [], { part: "nowhere", name: "house" })).toEqual([]);
  });

  it("the body, the target, the caller and the response", () => {
    expect(value("request", ["label"], { part: "body" })).toEqual(["home"]);
    expect(value("request", [], { part: "body" })).toEqual([facts.body]);
    expect(value("target", ["specs", "disk"])).toEqual([10]);
    expect(value("target", ["disk"], { name: "specs" })).toEqual([10]);
    expect(value("caller", [], { name: "user" })).toEqual(["ann"]);
    expect(value("caller", ["id"], { name: "account" })).toEqual(["a"]);
    expect(value("response", ["id"])).toEqual([]);
    expect(valuesOf({ root: "response", pointer: ["id"] }, { ...facts, response: { id: 7 } })).toEqual([7]);
  });

  it("relatives, by number of levels up", () => {
    const max = { ...facts, self: { value: 5, at: ["pools", 0, "range", "max"] } };
    const relative = (part: string, ...pointer: readonly string[]) =>
      valuesOf({ root: "relative", part, pointer }, max);
    expect(relative("0")).toEqual([5]);
    expect(relative("1", "max")).toEqual([5]);
    expect(relative("2", "count")).toEqual([2]);
    expect(relative("4", "label")).toEqual(["home"]);
    expect(relative("5", "label")).toEqual([]);
    expect(value("relative", ["count"], { part: "1" })).toEqual([]);
  });

  it("nothing for inherited or missing values", () => {
    expect([
      valuesAt({}, ["constructor"]),
      valuesAt({}, ["a", "b"]),
      valuesAt("text", ["length"]),
      valuesAt(null, ["a"]),
    ]).toEqual([[], [], [], []]);
    expect(valuesAt(JSON.parse('{"__proto__":{"a":1}}'), ["__proto__", "a"])).toEqual([1]);
    expect(valuesAt({}, ["__proto__", "a"])).toEqual([]);
    expect([valuesAt(undefined, []), valuesAt(null, [])]).toEqual([[], [null]]);
  });

  it("each of several, in arrays and in objects", () => {
    expect(valuesAt(facts.body, ["pools", "*", "count"])).toEqual([2, 3]);
    expect(valuesAt(facts.body, ["pools", "*", "range", "max"])).toEqual([5]);
    expect(valuesAt(facts.body, ["tags", "*"])).toEqual(["a", null]);
    expect(valuesAt({ a: { x: 1 }, b: { x: 2 } }, ["*", "x"])).toEqual([1, 2]);
    expect([valuesAt(1, ["*"]), valuesAt([], ["*"])]).toEqual([[], []]);
    expect([valuesAt(["a", "b"], ["1"]), valuesAt(["a", "b"], ["2"])]).toEqual([["b"], []]);
  });
});

describe("referenced rows", () => {
  const rows = new Map<string, ReadonlyMap<unknown, unknown>>([
    ["region", new Map([["us", { id: "us" }]])],
    ["pools/*/type", new Map([["big", { id: "big", size: 9 }]])],
    ["tags/*", new Map([["a", { id: "a" }]])],
  ]);
  const refs = {
    at: (pointer: string) => rows.get(pointer),
    parameter: (name: string) => (name === "house" ? [{ id: 1 }] : undefined),
  };
  const body = { region: "us", tags: ["a", "gone"], pools: [{ type: "big" }, { type: "gone" }] };
  const context = { ...facts, body, refs };

  it("are those of the field, then those of the parameter", () => {
    expect(rowsOf("region", context)).toEqual([{ id: "us" }]);
    expect(rowsOf("tags.*", context)).toEqual([{ id: "a" }]);
    expect(rowsOf("house", context)).toEqual([{ id: 1 }]);
    expect(rowsOf("nothing", context)).toEqual([]);
    expect(valuesOf({ root: "refs", part: "region", pointer: ["id"] }, context)).toEqual(["us"]);
  });

  it("are relative to the subject of a rule, item by item", () => {
    const of = (index: number) => rowsOf("type", { ...context, self: { value: 1, at: ["pools", index] } });
    expect([of(0), of(1)]).toEqual([[{ id: "big", size: 9 }], []]);
    expect(rowsOf("region", { ...context, self: { value: 1, at: ["pools", 0] } })).toEqual([{ id: "us" }]);
  });
});
