import { fail, failAt, isList, isObject, under, type Check, type Faults } from "@plumbline/validator-runtime";
import { describe, expect, it } from "vitest";
import { blamedOn, judgeChange, merged, wrongChange, type Change } from "./changes.js";

describe("a field may change", () => {
  const orders = () => ["1", "2", "3"];
  const change = async (rule: Omit<Change, "pointer">, stored: unknown, sent: unknown) => {
    const pointer = ["deep", "a"];
    const body = { deep: { a: sent } };
    return (await wrongChange([{ pointer, ...rule }], { body, target: { deep: { a: stored } } }, orders)) === undefined;
  };

  it("to one value", async () => {
    const rule = { rule: "one-way", to: true } as const;
    expect([await change(rule, false, true), await change(rule, true, false)]).toEqual([true, false]);
    expect([await change(rule, true, true), await change(rule, false, false)]).toEqual([true, true]);
    expect([await change(rule, true, undefined), await change(rule, true, null)]).toEqual([true, false]);
  });

  it("to no smaller value", async () => {
    const rule = { rule: "increase" } as const;
    expect([await change(rule, 2, 3), await change(rule, 2, 2), await change(rule, 2, 1)]).toEqual([true, true, false]);
    expect([await change(rule, null, 1), await change(rule, 2, "3")]).toEqual([true, false]);
  });

  it("to the next value only", async () => {
    const rule = { rule: "next", order: "versions" } as const;
    expect([await change(rule, "1", "2"), await change(rule, "1", "3"), await change(rule, "2", "1")]).toEqual([
      true,
      false,
      false,
    ]);
    expect([await change(rule, "3", "4"), await change(rule, "0", "1"), await change(rule, "0", "0")]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("not by removing its parent", async () => {
    const changes: readonly Change[] = [{ pointer: ["deep", "a"], rule: "one-way", to: true }];
    const wrong = (body: unknown, target: unknown) => wrongChange(changes, { body, target }, orders);
    expect(await wrong({ deep: null }, { deep: { a: true } })).toBe(changes[0]);
    expect(await wrong({ deep: null }, { deep: null })).toBe(undefined);
    expect(await wrong({}, { deep: { a: true } })).toBe(undefined);
    expect(await wrong(undefined, { deep: { a: true } })).toBe(undefined);
  });
});

/** `label` has at least three characters, and so has each of `tags`. Nothing else is documented. */
const check: Check = (value, faults, reject) => {
  if (!isObject(value)) return fail(faults, "type", "object");
  for (const [field, each] of Object.entries(value)) {
    if (field === "label" && String(each).length < 3) failAt(faults, field, "length", 3);
    else if (field === "tags" && isList(each)) checkTags(each, faults);
    else if (field !== "label" && field !== "tags" && reject === true) failAt(faults, field, "unknown");
  }
};

function checkTags(tags: readonly unknown[], faults: Faults): void {
  const before = faults.length;
  for (const [index, tag] of tags.entries()) if (String(tag).length < 3) failAt(faults, index, "length", 3);
  under(faults, before, "tags");
}

function judge(sent: unknown, target: unknown, unknown: "ignore" | "strip" | "reject" = "strip") {
  const faults: Faults = [];
  const take = (value: unknown) => ({ ...(value as object), taken: true });
  const body = judgeChange(sent, target, { content: { check, take }, unknown, faults });
  return faults.length === 0 ? body : faults.map(({ path, code }) => `${path.join(".")} ${code}`);
}

describe("a change", () => {
  it("may repeat stored values that are not valid, and nothing else", () => {
    expect(judge({ label: "x" }, { label: "x" })).toEqual({ label: "x", taken: true });
    expect(judge({ label: "x" }, { label: "y" })).toEqual(["label length"]);
    expect(judge({ label: "x" }, undefined)).toEqual(["label length"]);
    expect(judge({ tags: ["a", "b"] }, { tags: ["a"] })).toEqual(["tags.1 length"]);
    expect(judge({ tags: ["a"] }, { tags: ["a"] })).toEqual({ tags: ["a"], taken: true });
    expect(judge([], { label: "x" })).toEqual([" type"]);
  });

  it("repeats a date as clients read it", () => {
    const at = "1970-01-01T00:00:00.000Z";
    const dated: Check = (_, faults) => failAt(faults, "at", "format");
    const faults: Faults = [];
    judgeChange({ at }, { at: new Date(0) }, { content: { check: dated }, unknown: "strip", faults });
    expect(faults).toEqual([]);
  });

  it("cannot probe stored values of undocumented fields", () => {
    const stored = { label: "abc", pin: "1234" };
    expect(judge({ pin: "1234" }, stored, "reject")).toEqual(["pin unknown"]);
    expect(judge({ pin: "4321" }, stored, "reject")).toEqual(["pin unknown"]);
  });

  it("hides no fault behind a hundred repeated values", () => {
    const tags = (count: number) => Array.from({ length: count }, (_, index) => String(index));
    expect(judge({ tags: tags(98), label: "x" }, { tags: tags(98), label: "abc" })).toEqual(["label length"]);
    expect(judge({ tags: tags(100), label: "x" }, { tags: tags(100), label: "abc" })).toHaveLength(100);
  });
});

describe("a change merged into the stored object", () => {
  it("replaces objects field by field, and other values completely", () => {
    const stored = { a: 1, deep: { b: 2, c: 3 }, list: [1, 2], at: new Date(0) };
    expect(merged(stored, { a: 9, deep: { b: 8 }, list: [3] })).toEqual({
      a: 9,
      deep: { b: 8, c: 3 },
      list: [3],
      at: "1970-01-01T00:00:00.000Z",
    });
    expect([merged(stored, undefined), merged({ a: 1 }, null), merged({ a: 1 }, { a: null })]).toEqual([
      stored,
      null,
      { a: null },
    ]);
    expect([merged(undefined, { a: 1 }), merged({ a: 1 }, {})]).toEqual([{ a: 1 }, { a: 1 }]);
  });

  it("has no prototype from the client", () => {
    const whole = merged({ a: 1 }, JSON.parse('{"__proto__":{"admin":true}}')) as object;
    expect([Object.getPrototypeOf(whole) === Object.prototype, "admin" in whole]).toEqual([true, false]);
  });

  it("is responsible for faults of sent fields, and for new ones", () => {
    const faults: Faults = [
      { path: ["a"], code: "range" },
      { path: ["b"], code: "range" },
      { path: ["c"], code: "required" },
      { path: [], code: "rule" },
    ];
    const before: Faults = [
      { path: ["a"], code: "range" },
      { path: ["b"], code: "range" },
      { path: ["c"], code: "type" },
    ];
    expect(blamedOn({ a: 1 }, faults, before).map(({ path }) => path.join("."))).toEqual(["a", "c", ""]);
    expect(blamedOn({ d: 1 }, faults, faults).map(({ path }) => path.join("."))).toEqual([""]);
    const many: Faults = Array.from({ length: 100 }, () => ({ path: ["b"], code: "range" }));
    const left = [many, many.slice(1)].map((each) => blamedOn({ a: 1 }, each, each).length);
    expect(left).toEqual([100, 0]);
  });
});
