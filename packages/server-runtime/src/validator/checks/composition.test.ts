import { describe, expect, test } from "vitest";
import {
  addIssue,
  addIssueAt,
  maxIssues,
  type Check,
  type Issues,
  hasOwn,
  isPresent,
  isObject,
} from "../../http/index.js";
import { anyOf, oneOf, discriminator, rejectUnknown } from "./composition.js";

const text: Check = (value, issues) => {
  if (typeof value !== "string") addIssue(issues, "type", "string");
};
const short: Check = (value, issues) => {
  if (String(value).length > 3) addIssue(issues, "length", undefined, 3);
};
const needs =
  (...fields: readonly string[]): Check =>
  (value, issues) => {
    for (const field of fields) if (!hasOwn(value, field)) addIssueAt(issues, field, "required");
  };
const kind =
  (name: string): Check =>
  (value, issues) => {
    if ((value as { readonly kind?: unknown }).kind !== name) addIssueAt(issues, "kind", "const", name);
    needs("a", "b")(value, issues);
  };

/** The issues of a union, each as its code and path. */
function codesOf(match: typeof anyOf, value: unknown, branches: readonly Check[]): readonly string[] {
  const issues: Issues = [];
  match(value, issues, branches);
  return issues.map(({ code, path }) => [code, ...path].join(" "));
}

describe("of branches", () => {
  test("any may be valid, or exactly one", () => {
    expect([codesOf(anyOf, "abc", [text, short]), codesOf(oneOf, "abc", [text, short])]).toEqual([[], ["oneOf"]]);
    expect([codesOf(anyOf, 1, [text, short]), codesOf(oneOf, 1, [text, short])]).toEqual([[], []]);
  });

  test("if none is valid, reports the one with the matching type", () => {
    expect(codesOf(anyOf, "abcd", [short, (_, issues) => addIssue(issues, "type", "object")])).toEqual(["length"]);
    expect(codesOf(oneOf, { kind: "b" }, [kind("a"), kind("b")])).toEqual(["required a", "required b"]);
  });

  test("if none stands out, reports a single issue with the closest branch", () => {
    const issues: Issues = [];
    anyOf({}, issues, [needs("a", "b"), needs("c")]);
    expect(issues).toEqual([
      {
        path: [],
        code: "union",
        first: { path: ["c"], code: "required", first: undefined, second: undefined },
        second: undefined,
      },
    ]);
  });

  test("without branches, nothing is valid", () => {
    expect(codesOf(anyOf, 1, [])).toEqual(["false"]);
  });

  test("at most a hundred issues are reported", () => {
    const issues: Issues = Array.from({ length: maxIssues - 1 }, () => ({ path: [], code: "type" }));
    anyOf({}, issues, [needs("a", "b", "c")]);
    expect(issues.length).toBe(maxIssues);
  });
});

test.each<[unknown, readonly string[]]>([
  [{ kind: "a", a: 1, b: 1 }, []],
  [{ kind: "a", a: 1 }, ["required b"]],
  [{ kind: "c" }, ["enum kind"]],
  [{ kind: "toString" }, ["enum kind"]],
  [{ kind: ["a"] }, ["enum kind"]],
  [{ kind: null }, ["required kind"]],
  [{}, ["required kind"]],
  [[], ["type"]],
])("a discriminator selects the branch of %j: %j", (value, codes) => {
  const issues: Issues = [];
  discriminator(value, issues, "kind", { a: kind("a"), b: kind("b") });
  expect(issues.map(({ code, path }) => [code, ...path].join(" "))).toEqual(codes);
});

test("undocumented properties are reported one by one", () => {
  const issues: Issues = [];
  rejectUnknown(JSON.parse('{"a": 1, "__proto__": 2, "b": 3}'), issues, new Set(["a"]));
  rejectUnknown(["c"], issues, new Set());
  expect(issues.map(({ path, code }) => [...path, code])).toEqual([
    ["__proto__", "unknown"],
    ["b", "unknown"],
  ]);
});

/** A branch with a discriminator, in which these properties must be absent, and this one must be 0. */
function tagged(type: string, never: readonly string[], zero?: string): Check {
  return (value, issues) => {
    if (!isObject(value)) return;
    if (value["type"] !== type) addIssueAt(issues, "type", "const", type);
    for (const field of never) if (isPresent(value, field)) addIssueAt(issues, field, "false");
    if (zero !== undefined && isPresent(value, zero) && value[zero] !== 0) addIssueAt(issues, zero, "const", 0);
  };
}

const records = [tagged("A", ["tag"], "port"), tagged("CAA", ["port"]), tagged("SRV", ["tag"])];

test.each<[unknown, readonly string[]]>([
  [{ type: "SRV", tag: "issue" }, ["false tag"]],
  [{ type: "A", port: 5 }, ["const port"]],
  [{ type: "A", port: 0 }, []],
  [{ type: "B" }, ["union"]],
])("of branches with discriminators, the selected one is reported: %j", (value, issues) => {
  expect(codesOf(oneOf, value, records)).toEqual(issues);
});
