import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../test/support/property-testing.js";
import { deepFreeze } from "@plumbline/openapi";
import { shareStructure } from "./structural-sharing.js";

describe("what is made again", () => {
  it("is the same object where it says the same", () => {
    const before = { a: { b: [1, { c: "x" }] }, d: null };
    expect(shareStructure(before, structuredClone(before))).toBe(before);
  });

  it("is made of what was there where only a part is new", () => {
    const before = deepFreeze({
      shapes: [
        { name: "A", types: ["string"] },
        { name: "B", of: { least: 1 } },
      ],
      other: [{}],
    });
    const now = shareStructure(before, { shapes: [before.shapes[0], { name: "B", of: { least: 2 } }], other: [{}] });
    expect(now).toEqual({ shapes: [before.shapes[0], { name: "B", of: { least: 2 } }], other: [{}] });
    expect(now).not.toBe(before);
    expect(now.shapes[0]).toBe(before.shapes[0]);
    expect(now.other).toBe(before.other);
  });

  it("finds again what follows something new, and what follows something that is gone", () => {
    const [a, b, c] = [{ name: "a" }, { name: "b" }, { name: "c" }] as const;
    const longer = shareStructure([a, c], [{ name: "a" }, { name: "b" }, { name: "c" }]);
    expect([longer[0] === a, longer[2] === c]).toEqual([true, true]);
    const shorter = shareStructure([a, b, c], [{ name: "a" }, { name: "c" }]);
    expect([shorter[0] === a, shorter[1] === c]).toEqual([true, true]);
  });

  it("keeps an order of keys that is another, and what is frozen", () => {
    const before = { a: 1, b: 2 };
    expect(Object.keys(shareStructure(before, { b: 2, a: 1 }))).toEqual(["b", "a"]);
    const frozen = deepFreeze({ list: [{ x: 1 }, { x: 2 }] });
    expect(shareStructure({ list: [{ x: 1 }, { x: 3 }] }, frozen)).toBe(frozen);
  });

  it("says what it says, whatever there was before", () => {
    const json = fc.jsonValue();
    fc.assert(
      fc.property(json, json, (before, now) => {
        const text = JSON.stringify(now);
        expect(JSON.stringify(shareStructure(before, structuredClone(now)))).toBe(text);
        expect(JSON.stringify(shareStructure(now, structuredClone(now)))).toBe(text);
      }),
      propertyRuns(50, 1000),
    );
  });
});
