import { describe, expect, it } from "vitest";
import { failAt, type Check, type Faults } from "./faults.js";
import { matchOne } from "./unions.js";
import { isGiven, isObject } from "./values.js";

/** A branch with a tag, in which these fields must not be given, and this one must be 0. */
function tagged(type: string, never: readonly string[], zero?: string): Check {
  return (value, faults) => {
    if (!isObject(value)) return;
    if (value["type"] !== type) failAt(faults, "type", "const", type);
    for (const field of never) if (isGiven(value, field)) failAt(faults, field, "never");
    if (zero !== undefined && isGiven(value, zero) && value[zero] !== 0) failAt(faults, zero, "const", 0);
  };
}

const records = [tagged("A", ["tag"], "port"), tagged("CAA", ["port"]), tagged("SRV", ["tag"])];

function told(value: unknown): readonly string[] {
  const faults: Faults = [];
  matchOne(value, faults, records);
  return faults.map(({ path, code }) => [...path, code].join(" "));
}

describe("of branches with tags, that whose tag was sent is told about", () => {
  it.each([
    [{ type: "SRV", tag: "issue" }, ["tag never"]],
    [{ type: "A", port: 5 }, ["port const"]],
    [{ type: "A", port: 0 }, []],
    [{ type: "B" }, ["union"]],
  ])("%j", (value, faults) => {
    expect(told(value)).toEqual(faults);
  });
});
