import { describe, expect, it } from "vitest";
import { addIssue, addIssueAt, isArray, isObject, prefixPaths, type Check, type Issues } from "../../http/index.js";
import { newIssues, validateChange, mergeChange, findMutabilityViolation, type MutabilityRule } from "./mutability.js";

describe("a field may change", () => {
  const orders = () => ["1", "2", "3"];
  const change = async (rule: Omit<MutabilityRule, "pointer">, stored: unknown, sent: unknown) => {
    const pointer = ["deep", "a"];
    const body = { deep: { a: sent } };
    return (
      (await findMutabilityViolation([{ pointer, ...rule }], { body, target: { deep: { a: stored } } }, orders)) ===
      undefined
    );
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
    const changes: readonly MutabilityRule[] = [{ pointer: ["deep", "a"], rule: "one-way", to: true }];
    const wrong = (body: unknown, target: unknown) => findMutabilityViolation(changes, { body, target }, orders);
    expect(await wrong({ deep: null }, { deep: { a: true } })).toBe(changes[0]);
    expect(await wrong({ deep: null }, { deep: null })).toBe(undefined);
    expect(await wrong({}, { deep: { a: true } })).toBe(undefined);
    expect(await wrong(undefined, { deep: { a: true } })).toBe(undefined);
  });
});

/** `label` has at least three characters, and so has each of `tags`. Nothing else is documented. */
const check: Check = (value, issues, reject) => {
  if (!isObject(value)) return addIssue(issues, "type", "object");
  for (const [field, each] of Object.entries(value)) {
    if (field === "label" && String(each).length < 3) addIssueAt(issues, field, "length", 3);
    else if (field === "tags" && isArray(each)) checkTags(each, issues);
    else if (field !== "label" && field !== "tags" && reject === true) addIssueAt(issues, field, "unknown");
  }
};

function checkTags(tags: readonly unknown[], issues: Issues): void {
  const before = issues.length;
  for (const [index, tag] of tags.entries()) if (String(tag).length < 3) addIssueAt(issues, index, "length", 3);
  prefixPaths(issues, before, "tags");
}

function validate(sent: unknown, target: unknown, unknown: "ignore" | "strip" | "reject" = "strip") {
  const issues: Issues = [];
  const normalize = (value: unknown) => ({ ...(value as object), normalized: true });
  const body = validateChange(sent, target, { content: { check, normalize }, unknown, issues });
  return issues.length === 0 ? body : issues.map(({ path, code }) => `${path.join(".")} ${code}`);
}

describe("a change", () => {
  it("may repeat stored values that are not valid, and nothing else", () => {
    expect(validate({ label: "x" }, { label: "x" })).toEqual({ label: "x", normalized: true });
    expect(validate({ label: "x" }, { label: "y" })).toEqual(["label length"]);
    expect(validate({ label: "x" }, undefined)).toEqual(["label length"]);
    expect(validate({ tags: ["a", "b"] }, { tags: ["a"] })).toEqual(["tags.1 length"]);
    expect(validate({ tags: ["a"] }, { tags: ["a"] })).toEqual({ tags: ["a"], normalized: true });
    expect(validate([], { label: "x" })).toEqual([" type"]);
  });

  it("repeats a date as clients read it", () => {
    const at = "1970-01-01T00:00:00.000Z";
    const dated: Check = (_, issues) => addIssueAt(issues, "at", "format");
    const issues: Issues = [];
    validateChange({ at }, { at: new Date(0) }, { content: { check: dated }, unknown: "strip", issues });
    expect(issues).toEqual([]);
  });

  it("cannot probe stored values of undocumented fields", () => {
    const stored = { label: "abc", pin: "1234" };
    expect(validate({ pin: "1234" }, stored, "reject")).toEqual(["pin unknown"]);
    expect(validate({ pin: "4321" }, stored, "reject")).toEqual(["pin unknown"]);
  });

  it("hides no issue behind a hundred repeated values", () => {
    const tags = (count: number) => Array.from({ length: count }, (_, index) => String(index));
    expect(validate({ tags: tags(98), label: "x" }, { tags: tags(98), label: "abc" })).toEqual(["label length"]);
    expect(validate({ tags: tags(100), label: "x" }, { tags: tags(100), label: "abc" })).toHaveLength(100);
  });
});

describe("a change merged into the stored object", () => {
  it("replaces objects field by field, and other values completely", () => {
    const stored = { a: 1, deep: { b: 2, c: 3 }, list: [1, 2], at: new Date(0) };
    expect(mergeChange(stored, { a: 9, deep: { b: 8 }, list: [3] })).toEqual({
      a: 9,
      deep: { b: 8, c: 3 },
      list: [3],
      at: "1970-01-01T00:00:00.000Z",
    });
    expect([mergeChange(stored, undefined), mergeChange({ a: 1 }, null), mergeChange({ a: 1 }, { a: null })]).toEqual([
      stored,
      null,
      { a: null },
    ]);
    expect([mergeChange(undefined, { a: 1 }), mergeChange({ a: 1 }, {})]).toEqual([{ a: 1 }, { a: 1 }]);
  });

  it("has no prototype from the client", () => {
    const whole = mergeChange({ a: 1 }, JSON.parse('{"__proto__":{"admin":true}}')) as object;
    expect([Object.getPrototypeOf(whole) === Object.prototype, "admin" in whole]).toEqual([true, false]);
  });

  it("is responsible for issues of sent fields, and for new ones", () => {
    const issues: Issues = [
      { path: ["a"], code: "range" },
      { path: ["b"], code: "range" },
      { path: ["c"], code: "required" },
      { path: [], code: "rule" },
    ];
    const before: Issues = [
      { path: ["a"], code: "range" },
      { path: ["b"], code: "range" },
      { path: ["c"], code: "type" },
    ];
    expect(newIssues({ a: 1 }, issues, before).map(({ path }) => path.join("."))).toEqual(["a", "c", ""]);
    expect(newIssues({ d: 1 }, issues, issues).map(({ path }) => path.join("."))).toEqual([""]);
    const many: Issues = Array.from({ length: 100 }, () => ({ path: ["b"], code: "range" }));
    const left = [many, many.slice(1)].map((each) => newIssues({ a: 1 }, each, each).length);
    expect(left).toEqual([100, 0]);
  });
});
