import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unremovedFolder } from "../support/places.js";
import { foreignDescriptions, runForeignSuite } from "./foreign-suites.js";
import { rejectedDescriptions, unmetCases } from "./unmet-cases.js";

// The suite of a description has to pass against the mock of the same description.

let folder: string;
const others: (readonly [key: string, message: string])[] = [];
const rejected: string[] = [];
let [passed, total] = [0, 0];

beforeAll(async () => {
  folder = await unremovedFolder();
});
afterAll(() => rm(folder, { recursive: true }));

describe("the mock passes the suite", () => {
  it.each([...foreignDescriptions()])("of %s", async (name, file) => {
    const outcome = await runForeignSuite(name, file, folder);
    if (outcome === undefined) return void rejected.push(name);
    passed += outcome.passed;
    total += outcome.total;
    others.push(...outcome.others);
    process.stderr.write(`${name}: ${outcome.passed} of ${outcome.total}, ${passed} of ${total} so far\n`);
    expect(outcome.broken).toEqual([]);
    const unexplained = outcome.others.filter(([key]) => !reasons.some((pattern) => pattern.test(key)));
    expect(unexplained).toEqual([]);
  });

  it("in 95 % of all cases, and every reason is needed", () => {
    expect(rejected).toEqual(rejectedDescriptions);
    expect(reasons.filter((pattern) => !others.some(([key]) => pattern.test(key)))).toEqual([]);
    expect(passed / total).toBeGreaterThan(0.95);
  });
});

const reasons = unmetCases.flatMap(({ cases }) => cases);
