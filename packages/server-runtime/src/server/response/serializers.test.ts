import { describe, expect, it } from "vitest";
import { addIssueAt, type Check } from "../../http/index.js";
import {
  passthrough,
  toRecord,
  truncate,
  isVisibleTo,
  serializeItems,
  UnexpectedStructureError,
  serializeAdditional,
  serializeTuple,
  serializeScalar,
  type Serializer,
} from "./serializers.js";

const viewer = { caller: undefined, operation: "getPet" };
const upper: Serializer = (value) => String(value).toUpperCase();

describe("scalar", () => {
  it("is what JSON writes without braces", () => {
    const values = ["a", 1, true, null, undefined];
    expect(values.map(serializeScalar)).toEqual(values);
    expect(serializeScalar(new URL("https://pets.example/"))).toBe("https://pets.example/");
  });

  it.each([[{ hash: "a" }], [["a"]], [{ toJSON: () => ({ hash: "a" }) }]])("is not %j", (value) => {
    expect(() => serializeScalar(value)).toThrow(UnexpectedStructureError);
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
    expect(toRecord(plain)).toBe(plain);
    expect(toRecord(Object.assign(Object.create(null), { id: 1 }))).toEqual({ id: 1 });
    expect(toRecord(new Row())).toStrictEqual({ id: 1 });
    expect(toRecord(Object.create({ hash: "a" }))).toStrictEqual({});
    expect(toRecord(Object.assign(Object.create({ toJSON: () => ({ id: 2 }) }), { hash: "a" }))).toEqual({ id: 2 });
  });

  it("is not an array, a date, a text or null", () => {
    expect([[], new Date(0), "a", null, undefined].map(toRecord)).toEqual(Array.from({ length: 5 }, () => undefined));
  });
});

describe("lists", () => {
  it("are serialized item by item", () => {
    expect(serializeItems(["a", "b"], viewer, upper)).toEqual(["A", "B"]);
    expect(serializeItems(null, viewer, upper)).toBe(null);
    expect(() => serializeItems({ hash: "a" }, viewer, upper)).toThrow(UnexpectedStructureError);
  });

  it("are serialized by position, and further ones with the rest or not at all", () => {
    expect(serializeTuple(["a", "b", "c"], viewer, [upper])).toEqual(["A"]);
    expect(serializeTuple(["a", "b", "c"], viewer, [passthrough], upper)).toEqual(["a", "B", "C"]);
    expect(serializeTuple([], viewer, [upper])).toEqual([]);
    expect(serializeTuple(null, viewer, [upper])).toBe(null);
  });
});

describe("additional properties", () => {
  const fields = JSON.parse('{"id": "a", "x-a": "b", "__proto__": "c", "toString": "d"}') as Record<string, unknown>;

  it("are serialized by the pattern that their names match, else with the rest", () => {
    expect(serializeAdditional(fields, viewer, { named: new Set(["id"]), matching: [[/^x-/, upper]] })).toEqual({
      "x-a": "B",
    });
    const all = serializeAdditional(fields, viewer, {
      named: new Set(["id"]),
      matching: [[/^x-/, upper]],
      rest: passthrough,
    });
    expect(JSON.stringify({ id: 1, ...all })).toBe('{"id":1,"x-a":"B","__proto__":"c","toString":"d"}');
  });
});

describe("a condition on the caller", () => {
  const isAdult: Check = (value, issues) => {
    if ((value as { age: number }).age < 18) addIssueAt(issues, "age", "range", 18);
  };

  it("matches some callers, and no anonymous one", () => {
    const holdsFor = (caller: unknown) => isVisibleTo({ ...viewer, caller }, isAdult);
    expect([{ age: 18 }, { age: 17 }, undefined, null].map(holdsFor)).toEqual([true, false, false, false]);
    expect(isVisibleTo(viewer, () => undefined)).toBe(false);
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
    expect(truncate(value, count)).toBe(cut);
  });
});
