import { describe, expect, test } from "vitest";
import { asBigInt } from "./as-bigint.js";
import { decodeValue } from "./convert.js";
import { parseExactJson, stringifyExactJson } from "./exact-json.js";

/** Parses JSON character by character: each number is a `bigint` if it is an integer, else its text. */
function parseSlowly(text: string): unknown {
  let at = 0;
  const space = (): void => {
    while (/[ \t\r\n]/.test(text[at] ?? "x")) at++;
  };
  const expectText = (expected: string): void => {
    space();
    if (!text.startsWith(expected, at)) throw new SyntaxError(`no ${expected} at ${at}`);
    at += expected.length;
  };
  const readText = (): string => {
    const start = at++;
    for (; text[at] !== '"'; at++) if (text[at] === "\\") at++;
    return JSON.parse(text.slice(start, ++at)) as string;
  };
  const readList = (end: string, readItem: () => void): void => {
    at++;
    space();
    if (text[at] === end) return void at++;
    for (;;) {
      readItem();
      space();
      if (text[at] === end) return void at++;
      expectText(",");
    }
  };
  const read = (): unknown => {
    space();
    const first = text[at] ?? "";
    if (first === '"') return readText();
    if (first === "[") {
      const items: unknown[] = [];
      readList("]", () => items.push(read()));
      return items;
    }
    if (first === "{") {
      const entries: [string, unknown][] = [];
      readList("}", () => {
        space();
        const key = readText();
        expectText(":");
        entries.push([key, read()]);
      });
      return Object.fromEntries(entries);
    }
    for (const [word, value] of [
      ["null", null],
      ["true", true],
      ["false", false],
    ] as const)
      if (text.startsWith(word, at)) {
        at += word.length;
        return value;
      }
    const start = at;
    while (/[-+.\deE]/.test(text[at] ?? " ")) at++;
    return numberOf(text.slice(start, at));
  };
  return read();
}

/** Shifts the decimal point digit by digit. */
function numberOf(text: string): unknown {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const sign = mantissa.startsWith("-") ? "-" : "";
  let [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  for (let left = Number(exponent); left > 0; left--) {
    whole += fraction[0] ?? "0";
    fraction = fraction.slice(1);
  }
  for (let left = Number(exponent); left < 0; left++) {
    fraction = (whole.at(-1) ?? "0") + fraction;
    whole = whole.slice(0, -1);
  }
  if (/[1-9]/.test(fraction)) return "fraction";
  const value = BigInt(sign + (whole || "0"));
  return BigInt.asIntN(64, value) === value ? value : "beyond";
}

/** A generator of numbers below `most`: the same in each run. */
function randomly(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

type Random = (most: number) => number;

function pick<T>(random: Random, values: readonly T[]): T {
  return values[random(values.length)] as T;
}

function digits(random: Random, most: number): string {
  return Array.from({ length: 1 + random(most) }, () => String(random(10))).join("");
}

function numberText(random: Random): string {
  const whole = random(4) === 0 ? "0" : String(1 + random(9)) + (random(5) === 0 ? "" : digits(random, 22));
  const fraction = random(3) === 0 ? `.${random(2) === 0 ? "0".repeat(1 + random(18)) : digits(random, 18)}` : "";
  const exponent = random(3) === 0 ? pick(random, ["e", "E"]) + pick(random, ["", "+", "-"]) + String(random(25)) : "";
  return (random(3) === 0 ? "-" : "") + whole + fraction + exponent;
}

const textPieces = ['\\"', "\\\\", "12345678901234567890", "[", "]", ":", ",", "1e5", "\\u0022", "é", " ", '\\\\\\"'];
/** None ends with a backslash: after such a key, JSON.parse of Node 24 takes a quote for it, as in `{"a":{"]":1,"\\\\":1},"b":{"]":1,"\\"":2}}`. */
const keys = [...textPieces.filter((each) => each !== "\\\\"), "__proto__", "2", "1"];

function jsonText(random: Random, depth = 0): string {
  const gap = pick(random, ["", " ", "\n"]);
  const kind = random(depth > 4 ? 6 : 10);
  if (kind < 4) return gap + numberText(random) + gap;
  if (kind === 4) return `"${Array.from({ length: random(5) }, () => pick(random, textPieces)).join("")}"`;
  if (kind === 5) return pick(random, ["null", "true", "false"]);
  const items = Array.from({ length: random(4) }, () => jsonText(random, depth + 1));
  if (kind < 8) return `[${gap}${items.join(",")}]`;
  return `{${items.map((each) => `"${pick(random, keys)}"${gap}:${each}`).join(",")}}`;
}

/** Converts every number of parsed JSON. */
function convertAll(value: unknown, exact: unknown): unknown {
  if (typeof value === "number") {
    try {
      return decodeValue(asBigInt, value, exact);
    } catch (error) {
      return String(error).includes("beyond") ? "beyond" : "fraction";
    }
  }
  const inside = (key: string | number): unknown => (exact as Record<string | number, unknown> | undefined)?.[key];
  if (Array.isArray(value)) return value.map((each, index) => convertAll(each, inside(index)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, convertAll(each, inside(key))]));
}

describe("JSON with exact integers", () => {
  test("is parsed as a slow parser does", () => {
    const random = randomly(7);
    let long = 0;
    for (let count = 0; count < 20_000; count++) {
      const text = jsonText(random);
      const { value, exact } = parseExactJson(text);
      if (exact !== undefined) long++;
      expect(convertAll(value, exact), text).toEqual(parseSlowly(text));
    }
    expect(long).toBeGreaterThan(5000);
  });

  test.each([
    "{12345678901234567: 1}",
    "012345678901234567",
    "1234567890123456.",
    '{"a":1e5e5}',
    "[1234567890123456 1]",
    "",
  ])("%s stays invalid", (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  test("is as long as a server sends it, in linear time: with a quadratic one, this would not end", () => {
    const long = `{"a":"${"\\\\".repeat(500_000)}","b":[${"12345678901234567,".repeat(100_000)}1],"c":1${"0".repeat(1_000_000)}1}`;
    const { exact } = parseExactJson(long);
    expect((exact as { readonly b: readonly unknown[] }).b[0]).toEqual(["12345678901234567"]);
    expect(convertAll(Infinity, (exact as { readonly c: unknown }).c)).toBe("beyond");
  });

  test("is formatted as JSON.stringify does, but for the digits of a bigint", () => {
    class Point {
      x = 1n;
      get hidden(): number {
        return 2;
      }
    }
    const values: unknown[] = [
      {
        a: undefined,
        b: () => 1,
        c: Symbol("c"),
        d: Number.NaN,
        e: [undefined, () => 1],
        f: new Date(5),
        g: new Point(),
      },
      { n: Object(5), s: Object("s"), t: Object(true), toJSON: () => [5] },
      ["\u2028", "\ud800", '"\\', { __proto__: null, x: -0 }],
      undefined,
      Symbol("s"),
    ];
    for (const value of values) {
      const plain = JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? Number(each) : each));
      expect(stringifyExactJson(value)).toBe(plain);
      const together = stringifyExactJson([value, 2n ** 63n]);
      expect(together).toBe(`[${plain ?? "null"},9223372036854775808]`);
    }
  });

  test("keeps a bigint to which a program has given a toJSON", () => {
    const prototype = BigInt.prototype as { toJSON?: () => string };
    prototype.toJSON = () => "text";
    try {
      expect(stringifyExactJson({ a: 1n, b: 2n ** 60n })).toBe('{"a":1,"b":1152921504606846976}');
      expect(stringifyExactJson({ a: 1n })).toBe('{"a":1}');
    } finally {
      delete prototype.toJSON;
    }
  });
});
