import { describe, expect, test } from "vitest";
import type { Normalizer } from "../../http/index.js";
import {
  escapeAscii,
  roundNearest,
  roundUp,
  normalizeObject,
  normalizeAll,
  normalizeItems,
  type ObjectNormalizer,
} from "./normalize.js";

const take = (rules: ObjectNormalizer, value: unknown, strip?: boolean): unknown =>
  normalizeObject(() => rules)(value, strip);

describe("an object is normalized", () => {
  test("without ignored nulls and properties that clients cannot set", () => {
    expect(take({ nulls: new Set(["a"]), without: new Set(["id"]) }, { a: null, b: null, id: 1, c: 2 })).toEqual({
      b: null,
      c: 2,
    });
  });

  test("without unknown properties, with the option strip", () => {
    const known = new Set(["a"]);
    expect([take({ known }, { a: 1, b: 2 }), take({ known }, { a: 1, b: 2 }, true)]).toEqual([
      { a: 1, b: 2 },
      { a: 1 },
    ]);
  });

  test("with defaults, each a copy of its own", () => {
    const defaults = { list: [1], a: 2 };
    const normalized = take({ defaults }, { a: 0 }) as { readonly list: number[] };
    expect(normalized).toEqual({ a: 0, list: [1] });
    normalized.list.push(2);
    expect(defaults.list).toEqual([1]);
  });

  test("with computed values, independent of each other", () => {
    const values: ObjectNormalizer["values"] = {
      a: (value) => (value === undefined ? undefined : Number(value) + 1),
      b: (_, fields) => fields["a"],
      gone: () => undefined,
    };
    expect(take({ values }, { a: 1, gone: 1 })).toEqual({ a: 2, b: 1 });
    expect(take({ values }, {})).toEqual({});
  });

  test("with its properties normalized, and theirs", () => {
    const inner: Normalizer = normalizeObject(() => ({ defaults: { x: 1 }, known: new Set(["x"]) }));
    expect(take({ fields: { in: inner, missing: inner } }, { in: { y: 2 } }, true)).toEqual({ in: { x: 1 } });
  });

  test("unchanged if nothing applies", () => {
    const inner: Normalizer = normalizeObject(() => ({ defaults: { x: 1 }, known: new Set(["x"]) }));
    const list = [{ x: 2 }, { x: 3 }];
    const sent = { a: 1, list };
    const rules = { nulls: new Set(["a"]), defaults: { a: 2 }, fields: { list: normalizeItems(() => inner) } };
    expect(take(rules, sent)).toBe(sent);
    expect(take(rules, { list: [...list, {}] })).toEqual({ a: 2, list: [{ x: 2 }, { x: 3 }, { x: 1 }] });
    expect(normalizeItems(() => inner)([list[0], {}])).toEqual([{ x: 2 }, { x: 1 }]);
  });

  test("with a default for a property that is undefined", () => {
    expect(take({ defaults: { a: 1, b: 2 } }, { a: undefined, c: 3 })).toEqual({ a: 1, b: 2, c: 3 });
  });

  test("without changing the original", () => {
    const sent = { a: null, b: { c: 1 } };
    take(
      { nulls: new Set(["a"]), defaults: { d: 1 }, fields: { b: normalizeObject(() => ({ defaults: { e: 2 } })) } },
      sent,
    );
    expect(sent).toEqual({ a: null, b: { c: 1 } });
  });

  test("with a property of any name, and no inherited ones", () => {
    const sent: unknown = JSON.parse('{"__proto__": {"isAdmin": true}, "a": null}');
    const normalized = take({ nulls: new Set(["a"]), defaults: { toString: 1 } }, sent);
    expect(JSON.stringify(normalized)).toBe('{"__proto__":{"isAdmin":true},"toString":1}');
    expect([Object.getPrototypeOf(normalized), (normalized as { readonly isAdmin?: unknown }).isAdmin]).toEqual([
      Object.prototype,
      undefined,
    ]);
  });
});

test("values other than objects and arrays are unchanged", () => {
  const items = normalizeItems(() => normalizeObject(() => ({ defaults: { a: 1 } })));
  expect([take({ defaults: { a: 1 } }, [1]), take({}, "a"), items({ b: 1 }), items([{}, 2])]).toEqual([
    [1],
    "a",
    { b: 1 },
    [{ a: 1 }, 2],
  ]);
});

test("normalizers apply in order", () => {
  const all = normalizeAll(() => [
    normalizeObject(() => ({ defaults: { a: 1 } })),
    normalizeObject(() => ({ values: { b: (_, fields) => fields["a"] } })),
  ]);
  expect(all({})).toEqual({ a: 1, b: 1 });
});

describe("a schema in several parts", () => {
  const parts = () => [
    normalizeObject(() => ({
      known: new Set(["a"]),
      fields: { a: normalizeObject(() => ({ known: new Set(["x"]) })) },
    })),
    normalizeObject(() => ({ known: new Set(["b"]) })),
  ];
  const value = { a: { x: 1, y: 2 }, b: 3, c: 4 };

  test("removes what no part documents", () => {
    expect(normalizeAll(parts, new Set(["a", "b"]))(value, true)).toEqual({ a: { x: 1 }, b: 3 });
    expect(
      normalizeAll(() => [normalizeAll(parts, new Set(["a", "b"]))], new Set(["a", "b", "c"]))(value, true),
    ).toEqual({
      a: { x: 1 },
      b: 3,
      c: 4,
    });
  });

  test("keeps all properties if any are allowed, or without strip", () => {
    expect(normalizeAll(parts)(value, true)).toEqual(value);
    expect(normalizeAll(parts, new Set(["a", "b"]))(value)).toEqual(value);
  });
});

test("rules are created once, with the first object", () => {
  let made = 0;
  const once = normalizeObject(() => {
    made += 1;
    return {};
  });
  expect(made).toBe(0);
  once({});
  once({});
  once([]);
  expect(made).toBe(1);
});

test.each<[unknown, unknown, unknown]>([
  [5, 10, 10],
  [10, 10, 10],
  [11, 20, 10],
  [15, 20, 20],
  [14.9, 20, 10],
  [99, 20, 20],
  ["5", "5", "5"],
  [null, null, null],
])("%j rounds up to %j, and to the nearest %j", (value, up, nearest) => {
  expect([roundUp(value, [10, 20]), roundNearest(value, [10, 20])]).toEqual([up, nearest]);
});

test.each<[unknown, unknown]>([
  ["abc~", "abc~"],
  ["é", "\\u00e9"],
  ["💩", "\\ud83d\\udca9"],
  [1, 1],
])("%j is %j in ASCII", (value, escaped) => {
  expect(escapeAscii(value)).toBe(escaped);
});
