import { describe, expect, test } from "vitest";
import { fail, failAt, mostFaults, type Check, type Faults } from "./faults.js";
import { matchAny, matchOne, matchTagged, refuseUnknown } from "./unions.js";
import { hasOwn, isGiven, isObject } from "./values.js";

const text: Check = (value, faults) => {
  if (typeof value !== "string") fail(faults, "type", "string");
};
const short: Check = (value, faults) => {
  if (String(value).length > 3) fail(faults, "length", undefined, 3);
};
const needs =
  (...fields: readonly string[]): Check =>
  (value, faults) => {
    for (const field of fields) if (!hasOwn(value, field)) failAt(faults, field, "required");
  };
const kind =
  (name: string): Check =>
  (value, faults) => {
    if ((value as { readonly kind?: unknown }).kind !== name) failAt(faults, "kind", "const", name);
    needs("a", "b")(value, faults);
  };

/** The faults of a union, each as its code and path. */
function told(match: typeof matchAny, value: unknown, branches: readonly Check[]): readonly string[] {
  const faults: Faults = [];
  match(value, faults, branches);
  return faults.map(({ code, path }) => [code, ...path].join(" "));
}

describe("of branches", () => {
  test("any may be valid, or exactly one", () => {
    expect([told(matchAny, "abc", [text, short]), told(matchOne, "abc", [text, short])]).toEqual([[], ["variant"]]);
    expect([told(matchAny, 1, [text, short]), told(matchOne, 1, [text, short])]).toEqual([[], []]);
  });

  test("if none is valid, reports the one with the matching type", () => {
    expect(told(matchAny, "abcd", [short, (_, faults) => fail(faults, "type", "object")])).toEqual(["length"]);
    expect(told(matchOne, { kind: "b" }, [kind("a"), kind("b")])).toEqual(["required a", "required b"]);
  });

  test("if none stands out, reports a single fault with the closest branch", () => {
    const faults: Faults = [];
    matchAny({}, faults, [needs("a", "b"), needs("c")]);
    expect(faults).toEqual([
      {
        path: [],
        code: "union",
        first: { path: ["c"], code: "required", first: undefined, second: undefined },
        second: undefined,
      },
    ]);
  });

  test("without branches, nothing is valid", () => {
    expect(told(matchAny, 1, [])).toEqual(["never"]);
  });

  test("at most a hundred faults are reported", () => {
    const faults: Faults = Array.from({ length: mostFaults - 1 }, () => ({ path: [], code: "type" }));
    matchAny({}, faults, [needs("a", "b", "c")]);
    expect(faults.length).toBe(mostFaults);
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
  const faults: Faults = [];
  matchTagged(value, faults, "kind", { a: kind("a"), b: kind("b") });
  expect(faults.map(({ code, path }) => [code, ...path].join(" "))).toEqual(codes);
});

test("undocumented properties are reported one by one", () => {
  const faults: Faults = [];
  refuseUnknown(JSON.parse('{"a": 1, "__proto__": 2, "b": 3}'), faults, new Set(["a"]));
  refuseUnknown(["c"], faults, new Set());
  expect(faults.map(({ path, code }) => [...path, code])).toEqual([
    ["__proto__", "unknown"],
    ["b", "unknown"],
  ]);
});

/** A branch with a discriminator, in which these properties must be absent, and this one must be 0. */
function tagged(type: string, never: readonly string[], zero?: string): Check {
  return (value, faults) => {
    if (!isObject(value)) return;
    if (value["type"] !== type) failAt(faults, "type", "const", type);
    for (const field of never) if (isGiven(value, field)) failAt(faults, field, "never");
    if (zero !== undefined && isGiven(value, zero) && value[zero] !== 0) failAt(faults, zero, "const", 0);
  };
}

const records = [tagged("A", ["tag"], "port"), tagged("CAA", ["port"]), tagged("SRV", ["tag"])];

test.each<[unknown, readonly string[]]>([
  [{ type: "SRV", tag: "issue" }, ["never tag"]],
  [{ type: "A", port: 5 }, ["const port"]],
  [{ type: "A", port: 0 }, []],
  [{ type: "B" }, ["union"]],
])("of branches with discriminators, the selected one is reported: %j", (value, faults) => {
  expect(told(matchOne, value, records)).toEqual(faults);
});
