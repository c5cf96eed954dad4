import { readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { compareWithAjv } from "../support/ajv.js";
import { repository } from "../support/places.js";
import {
  compileAll,
  failuresOf,
  instancesOf,
  readCases,
  readKnownFailures,
  type Case,
  type Compiled,
  type KnownFailures,
} from "../support/suite.js";

let cases: readonly Case[];
let schemas: readonly unknown[];
let compiled: readonly Compiled[];
let known: KnownFailures;

beforeAll(async () => {
  cases = await readCases();
  schemas = cases.map(({ schema }) => schema);
  compiled = await compileAll(schemas);
  known = await readKnownFailures();
});

describe("JSON Schema's own test suite", () => {
  it("agrees, except for the known failures", () => {
    const expected = Object.entries(known.failures).map(([name, reason]) => [name, known.reasons[reason]?.actual]);
    expect(failuresOf(cases, compiled)).toEqual(Object.fromEntries(expected));
  });

  it("has no reason that no failure needs", () => {
    expect(Object.keys(known.reasons).toSorted()).toEqual([...new Set(Object.values(known.failures))].toSorted());
  });

  it("has no case without an instance", () => {
    const idle = cases.filter(({ valid, invalid }) => valid.length + invalid.length === 0);
    expect(idle.map(({ name }) => name)).toEqual([]);
  });

  it("has the counts of its README", async () => {
    const page = await readFile(path.join(repository, "test", "json-schema", "README.md"), "utf8");
    const rows = [...page.matchAll(/^\| (.*) \|$/gm)].map(([, row = ""]) => row.replaceAll("`", "").split(" | "));
    const [required, optional] = [countsOf(isRequired), countsOf((each) => !isRequired(each))];
    const counted = Object.entries(required).map(([about, count]) => [about, count, optional[about]]);
    expect(rows.filter(([about = ""]) => about in required)).toEqual(counted);
  });
});

describe("the suite on Ajv, with the schemas of a generated package", () => {
  it("agrees, except for the known failures", async () => {
    const expected = await readKnownFailures("ajv");
    const results = failuresOf(cases, await compileAll(schemas, "ajv"));
    const named = Object.entries(expected.failures).map(([name, reason]) => [name, expected.reasons[reason]?.actual]);
    expect(results).toEqual(Object.fromEntries(named));
    expect(Object.keys(expected.reasons).toSorted()).toEqual([...new Set(Object.values(expected.failures))].toSorted());
  });
});

describe("a failure", () => {
  const failures = async (...[schema, valid, invalid]: readonly [unknown, readonly unknown[], readonly unknown[]]) =>
    failuresOf([{ name: "some 0", schema, valid, invalid }], await compileAll([schema]));

  it("counts an instance with a different result", async () => {
    expect(await failures({ type: "string" }, ["a", 1, null], [1, "a"])).toEqual({
      "some 0 valid 1": "type",
      "some 0 valid 2": "type",
      "some 0 invalid 1": "accepted",
    });
  });

  it("counts a rejected schema with all of its instances", async () => {
    expect(await failures({ $ref: "https://schemas.example/a" }, [1], [])).toEqual({
      "some 0": "openapi/no-unresolved-refs",
    });
  });

  it("counts an ignored part of a schema, if an instance depends on it", async () => {
    const schema = { $dynamicRef: "#/$defs/text", $defs: { text: { type: "string" } } };
    expect(await failures(schema, ["a"], [1])).toEqual({ "some 0 invalid 0": "unsupported/keyword" });
    expect(await failures({ ...schema, type: "string" }, ["a"], [1])).toEqual({});
  });

  it("of one schema is not that of another", async () => {
    const reported = (await compileAll([false, { $ref: "#a" }, { type: "integer" }])).map((each) => each.diagnostic);
    expect(reported).toEqual([undefined, "openapi/no-unresolved-refs", undefined]);
  });
});

function isRequired({ name }: Pick<Case, "name">): boolean {
  return !name.startsWith("optional/");
}

function countsOf(isCounted: (about: Pick<Case, "name">) => boolean): Readonly<Record<string, string>> {
  const part = cases.filter(isCounted);
  const failures = Object.entries(known.failures).filter(([name]) => isCounted({ name }));
  const failed = (because: (reason: string) => boolean): number =>
    instancesOf(part, Object.fromEntries(failures.filter(([, reason]) => because(reason))));
  const all = part.reduce((sum, { valid, invalid }) => sum + valid.length + invalid.length, 0);
  const counts = {
    files: new Set(part.map(({ name }) => name.split(" ")[0])).size,
    schemas: part.length,
    instances: all,
    "as the suite says": all - failed(() => true),
    ...Object.fromEntries(
      Object.keys(known.reasons).map((key) => [`known: ${key}`, failed((reason) => reason === key)]),
    ),
    ...(process.env["MODE"] === "full" ? countsOfAjv(part) : {}),
  };
  return Object.fromEntries(Object.entries(counts).map(([about, count]) => [about, count.toLocaleString("en")]));
}

/** Counts the results of another validator; only in the full form. */
function countsOfAjv(part: readonly Case[]): Readonly<Record<string, number>> {
  const { wrong, rejected } = compareWithAjv({
    cases: part,
    formats: part.every(isRequired) ? "annotate" : "assert",
  });
  return { "ajv: wrong": wrong, "ajv: schema rejected": rejected };
}
