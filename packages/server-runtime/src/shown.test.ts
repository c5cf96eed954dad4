import { describe, expect, it } from "vitest";
import { failAt, type Check } from "@plumbline/validator-runtime";
import {
  asGiven,
  fieldsOf,
  first,
  isShownTo,
  itemsOf,
  Misplaced,
  othersOf,
  placesOf,
  scalar,
  type Show,
} from "./shown.js";

const viewer = { caller: undefined, operation: "getPet" };
const upper: Show = (value) => String(value).toUpperCase();

describe("scalar", () => {
  it("is what JSON writes without braces", () => {
    const values = ["a", 1, true, null, undefined];
    expect(values.map(scalar)).toEqual(values);
    expect(scalar(new URL("https://pets.example/"))).toBe("https://pets.example/");
  });

  it.each([[{ hash: "a" }], [["a"]], [{ toJSON: () => ({ hash: "a" }) }]])("is not %j", (value) => {
    expect(() => scalar(value)).toThrow(Misplaced);
  });
});

describe("fieldsOf", () => {
  class Row {
    id = 1;
    get hash() {
      return "a";
    }
  }

  it("is an object, or its JSON form", () => {
    const plain = { id: 1 };
    expect(fieldsOf(plain)).toBe(plain);
    expect(fieldsOf(Object.assign(Object.create(null), { id: 1 }))).toEqual({ id: 1 });
    expect(fieldsOf(new Row())).toStrictEqual({ id: 1 });
    expect(fieldsOf(Object.create({ hash: "a" }))).toStrictEqual({});
    expect(fieldsOf(Object.assign(Object.create({ toJSON: () => ({ id: 2 }) }), { hash: "a" }))).toEqual({ id: 2 });
  });

  it("is not an array, a date, a text or null", () => {
    expect([[], new Date(0), "a", null, undefined].map(fieldsOf)).toEqual(Array.from({ length: 5 }, () => undefined));
  });
});

describe("lists", () => {
  it("are serialized item by item", () => {
    expect(itemsOf(["a", "b"], viewer, upper)).toEqual(["A", "B"]);
    expect(itemsOf(null, viewer, upper)).toBe(null);
    expect(() => itemsOf({ hash: "a" }, viewer, upper)).toThrow(Misplaced);
  });

  it("are serialized by position, and further ones with the rest or not at all", () => {
    expect(placesOf(["a", "b", "c"], viewer, [upper])).toEqual(["A"]);
    expect(placesOf(["a", "b", "c"], viewer, [asGiven], upper)).toEqual(["a", "B", "C"]);
    expect(placesOf([], viewer, [upper])).toEqual([]);
    expect(placesOf(null, viewer, [upper])).toBe(null);
  });
});

describe("additional properties", () => {
  const fields = JSON.parse('{"id": "a", "x-a": "b", "__proto__": "c", "toString": "d"}') as Record<string, unknown>;

  it("are serialized by the pattern that their names match, else with the rest", () => {
    expect(othersOf(fields, viewer, { named: new Set(["id"]), matching: [[/^x-/, upper]] })).toEqual({ "x-a": "B" });
    const all = othersOf(fields, viewer, { named: new Set(["id"]), matching: [[/^x-/, upper]], rest: asGiven });
    expect(JSON.stringify({ id: 1, ...all })).toBe('{"id":1,"x-a":"B","__proto__":"c","toString":"d"}');
  });
});

describe("a condition on the caller", () => {
  const isAdult: Check = (value, faults) => {
    if ((value as { age: number }).age < 18) failAt(faults, "age", "range", 18);
  };

  it("matches some callers, and no anonymous one", () => {
    const holdsFor = (caller: unknown) => isShownTo({ ...viewer, caller }, isAdult);
    expect([{ age: 18 }, { age: 17 }, undefined, null].map(holdsFor)).toEqual([true, false, false, false]);
    expect(isShownTo(viewer, () => undefined)).toBe(false);
  });
});

describe("first", () => {
  it.each([
    ["abcdef", 3, "abc"],
    ["abc", 3, "abc"],
    ["ab", 3, "ab"],
    ["abc", 0, ""],
    ["😀😁😂", 2, "😀😁"],
    [null, 3, null],
    [undefined, 3, undefined],
    [12_345, 3, undefined],
    [{}, 3, undefined],
  ])("of %j, the first %i characters are %j", (value, count, cut) => {
    expect(first(value, count)).toBe(cut);
  });
});
