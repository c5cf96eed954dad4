import { describe, expect, it } from "vitest";
import { addIssue, isObject, type Check } from "../../http/index.js";
import { changesField, isConditionMet, type Condition } from "./conditions.js";
import { noRows, type EvaluationContext } from "./evaluation-context.js";

const nothing: EvaluationContext = { caller: undefined, input: {}, body: undefined, target: undefined, refs: noRows };

/** Satisfied by objects with this id. */
const id =
  (wanted: number): Check =>
  (value, issues) => {
    if (!isObject(value) || value["id"] !== wanted) addIssue(issues, "const");
  };

describe("a condition", () => {
  it("without members is true", () => {
    expect(isConditionMet({}, nothing)).toBe(true);
  });

  it.each(["caller", "body", "target"] as const)(
    "on the %s is true if it matches, and false if the value is absent",
    (part) => {
      const of = (value: unknown) => isConditionMet({ [part]: id(1) }, { ...nothing, [part]: value });
      expect([of({ id: 1 }), of({ id: 2 }), of(null), of(undefined)]).toEqual([true, false, false, false]);
      expect(isConditionMet({ [part]: () => undefined }, nothing)).toBe(false);
    },
  );

  it("is true if every member is", () => {
    const both: Condition = { caller: id(1), body: id(2) };
    expect(isConditionMet(both, { ...nothing, caller: { id: 1 }, body: { id: 2 } })).toBe(true);
    expect(isConditionMet(both, { ...nothing, caller: { id: 1 }, body: { id: 1 } })).toBe(false);
  });

  it("on the subject of a rule is true for that subject only", () => {
    const of = (self: EvaluationContext["self"]) =>
      isConditionMet({ sent: id(1) }, { ...nothing, ...(self === undefined ? {} : { self }) });
    expect([of({ value: { id: 1 }, at: [] }), of({ value: { id: 2 }, at: [] }), of(undefined)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("on rows is true if each row matches, and there is one", () => {
    const named = (...rows: readonly number[]) => {
      const found = new Map(rows.map((row) => [row, { id: row > 9 ? 2 : 1 }]));
      const refs = { ...noRows, at: (key: string) => (key === "rooms" ? found : undefined) };
      return isConditionMet({ refs: { rooms: id(1) } }, { ...nothing, body: { rooms: [...rows] }, refs });
    };
    expect([named(1), named(1, 2), named(1, 10), named()]).toEqual([true, true, false, false]);
  });

  it("compares pairs of values, and dates as texts", () => {
    const compare = (left: unknown, operator: "eq" | "ne" | "lt" | "lte" | "in" | "notIn", value: unknown) =>
      isConditionMet(
        { compare: [{ root: "target", pointer: ["a"] }, operator, { value }] },
        { ...nothing, target: { a: left } },
      );
    expect([compare(1, "eq", 1), compare(1, "eq", 2), compare([1], "eq", [1])]).toEqual([true, false, true]);
    expect([compare(1, "ne", 2), compare(1, "ne", 1)]).toEqual([true, false]);
    expect([compare(1, "lt", 2), compare(2, "lt", 2), compare("a", "lt", "b")]).toEqual([true, false, true]);
    expect([compare(2, "lte", 2), compare(3, "lte", 2), compare(1, "lte", "2")]).toEqual([true, false, false]);
    expect([compare(1, "in", [1, 2]), compare(3, "in", [1, 2]), compare(1, "in", 1)]).toEqual([true, false, false]);
    expect([compare(3, "notIn", [1, 2]), compare(1, "notIn", [1, 2])]).toEqual([true, false]);
    expect([compare(3, "notIn", []), compare(1, "notIn", 3)]).toEqual([true, false]);
    expect(compare(undefined, "ne", 1)).toBe(false);
    expect([compare(new Date(1), "eq", new Date(1)), compare(new Date(1), "eq", new Date(2))]).toEqual([true, false]);
    expect([compare(new Date(1), "lt", new Date(2)), compare(new Date(2), "lt", new Date(2))]).toEqual([true, false]);
  });

  it("compares with every value of an expression", () => {
    const both = { root: "request", part: "body", pointer: ["ids", "*"] } as const;
    const own = { root: "target", pointer: ["id"] } as const;
    const of = (...ids: readonly number[]) =>
      isConditionMet({ compare: [both, "eq", own] }, { ...nothing, body: { ids }, target: { id: 1 } });
    expect([of(3, 1), of(3, 2), of()]).toEqual([true, false, false]);
  });
});

describe("a field changes", () => {
  const stored = { a: 1, tags: ["x"], deep: { b: 1, c: 2 }, at: new Date(0), none: null };
  const changes = (field: string, body: unknown) => changesField(field, { body, target: stored });

  it("if it is sent and differs from the stored value", () => {
    expect([changes("a", { a: 1 }), changes("a", { a: 2 }), changes("a", {}), changes("a", undefined)]).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect([
      changes("tags", { tags: ["x"] }),
      changes("tags", { tags: ["x", "y"] }),
      changes("tags", { tags: [] }),
    ]).toEqual([false, true, true]);
    expect([changes("none", { none: null }), changes("a", { a: null })]).toEqual([false, true]);
  });

  it("field by field in objects", () => {
    expect([changes("deep", { deep: { b: 1 } }), changes("deep", { deep: { b: 2 } })]).toEqual([false, true]);
    expect([changes("deep.c", { deep: { c: 2 } }), changes("deep.c", { deep: { c: 3 } })]).toEqual([false, true]);
    expect(changes("deep", { deep: JSON.parse('{"__proto__":1}') })).toBe(true);
  });

  it("never by a date as clients read it", () => {
    expect([
      changes("at", { at: "1970-01-01T00:00:00.000Z" }),
      changes("at", { at: "1970-01-02T00:00:00.000Z" }),
    ]).toEqual([false, true]);
  });

  it("if there was no value", () => {
    expect(changesField("a", { body: { a: 1 }, target: undefined })).toBe(true);
  });
});
