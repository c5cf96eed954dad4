import { describe, expect, test } from "vitest";
import {
  callOperation,
  createBaseClient,
  encodeCookiesWith,
  encodeHeadersWith,
  encodeQuery,
  encodeQueryWith,
  pathEncoder,
  type Operation,
} from "../index.js";
import { errorOf, serve, type SeenRequest } from "../loopback.support.js";
import { formExploded } from "./parameters.js";
import * as styles from "./styles.js";

const encoders = { ...styles, form: formExploded };

async function sent(operation: Partial<Operation>, request: object): Promise<SeenRequest | undefined> {
  const { url, seen } = await serve();
  await callOperation(createBaseClient({ baseUrl: url }), { method: "GET", path: "/x", ...operation }, request);
  return seen[0];
}

// The values of the table in the OpenAPI specification, "Style Examples".
const array = ["blue", "black", "brown"];
const object = { R: 100, G: 200, B: 150 };

describe("in a query", () => {
  test.each([
    ["commaDelimited", array, "color=blue,black,brown"],
    ["commaDelimited", object, "color=R,100,G,200,B,150"],
    ["commaDelimited", "a,b", "color=a%2Cb"],
    ["commaDelimited", [], ""],
    ["form", array, "color=blue&color=black&color=brown"],
    ["form", object, "R=100&G=200&B=150"],
    ["spaceDelimited", array, "color=blue%20black%20brown"],
    ["spaceDelimited", object, "color=R%20100%20G%20200%20B%20150"],
    ["pipeDelimited", array, "color=blue%7Cblack%7Cbrown"],
    ["pipeDelimited", object, "color=R%7C100%7CG%7C200%7CB%7C150"],
    ["deepObject", object, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
    [
      "deepObject",
      { a: { b: [1, 2] }, since: new Date(0) },
      "color%5Ba%5D%5Bb%5D%5B%5D=1&color%5Ba%5D%5Bb%5D%5B%5D=2&color%5Bsince%5D=1970-01-01T00%3A00%3A00.000Z",
    ],
    ["deepObject", ["x", null, "y"], "color%5B%5D=x&color%5B%5D=y"],
    [
      "deepObject",
      [{ a: 1, b: [2] }, { a: 3 }],
      "color%5B0%5D%5Ba%5D=1&color%5B0%5D%5Bb%5D%5B%5D=2&color%5B1%5D%5Ba%5D=3",
    ],
    ["deepObjectIndices", { a: [1, 2] }, "color%5Ba%5D%5B0%5D=1&color%5Ba%5D%5B1%5D=2"],
    ["deepObjectIndices", [{ a: 1 }], "color%5B0%5D%5Ba%5D=1"],
    ["deepObjectRepeat", { a: [1, 2] }, "color%5Ba%5D=1&color%5Ba%5D=2"],
    ["deepObjectRepeat", [{ a: 1 }], "color%5B0%5D%5Ba%5D=1"],
    ["deepObject", { a: null, b: undefined }, ""],
    ["deepObject", "blue", "color=blue"],
    ["jsonParameter", object, "color=%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D"],
    ["jsonParameter", null, "color=null"],
    ["form", { R: [1, 2] }, "R=1&R=2"],
    ["allowReserved", { R: ["/", "?"] }, "R=/&R=?"],
    ["allowReserved", "a/b?c=d&e#f+g h", "color=a/b?c%3Dd%26e%23f%2Bg%20h"],
  ] as const)("%s writes %o as %s", async (style, color, expected) => {
    const seen = await sent({ encoders: [encodeQueryWith({ color: encoders[style] })] }, { query: { color } });
    expect(seen?.url).toBe(expected ? `/x?${expected}` : "/x");
  });

  test("encoders of inherited names do not exist", async () => {
    expect((await sent({ encoders: [encodeQuery] }, { query: { toString: 1, valueOf: 2 } }))?.url).toBe(
      "/x?toString=1&valueOf=2",
    );
  });
});

describe("in a path", () => {
  test.each([
    ["simpleStyle", array, "blue,black,brown"],
    ["simpleStyle", object, "R,100,G,200,B,150"],
    ["simpleExploded", array, "blue,black,brown"],
    ["simpleExploded", object, "R=100,G=200,B=150"],
    ["labelStyle", "blue", ".blue"],
    ["labelStyle", array, ".blue,black,brown"],
    ["labelStyle", object, ".R,100,G,200,B,150"],
    ["labelExploded", array, ".blue.black.brown"],
    ["labelExploded", object, ".R=100.G=200.B=150"],
    ["labelExploded", [1.5, "a.b"], ".1%2E5.a%2Eb"],
    ["jsonSegment", object, "%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D"],
    ["matrixStyle", "blue", ";color=blue"],
    ["matrixStyle", array, ";color=blue,black,brown"],
    ["matrixStyle", object, ";color=R,100,G,200,B,150"],
    ["matrixExploded", array, ";color=blue;color=black;color=brown"],
    ["matrixExploded", object, ";R=100;G=200;B=150"],
  ] as const)("%s writes %o as %s", async (style, color, expected) => {
    const seen = await sent(
      { path: "/x{color}", pathEncoder: pathEncoder({ color: encoders[style] }) },
      { path: { color } },
    );
    expect(seen?.url).toBe(`/x${expected}`);
  });

  test.each([
    ["labelStyle", ""],
    ["labelStyle", "."],
    ["labelExploded", "."],
    ["labelStyle", []],
    ["matrixStyle", ""],
    ["matrixStyle", []],
    ["matrixExploded", {}],
    ["simpleStyle", ".."],
  ] as const)("%s throws for %o", async (style, color) => {
    const operation = { method: "GET", path: "/x/{color}", pathEncoder: pathEncoder({ color: encoders[style] }) };
    const error = await errorOf(
      callOperation(createBaseClient({ baseUrl: "http://127.0.0.1:2" }), operation, { path: { color } }),
    );
    expect(error.message).toBe("GET /x/{color}: path color cannot be sent");
  });
});

describe("in a header", () => {
  test.each([
    ["objectHeader", object, "R,100,G,200,B,150"],
    ["objectHeaderExploded", object, "R=100,G=200,B=150"],
    ["jsonHeader", { label: "é€" }, '{"label":"\\u00e9\\u20ac"}'],
  ] as const)("%s writes %o as %s", async (style, value, expected) => {
    const seen = await sent(
      { encoders: [encodeHeadersWith({ "X-Color": encoders[style] })] },
      { headers: { "X-Color": value } },
    );
    expect(seen?.headers["x-color"]).toBe(expected);
  });
});

describe("in a cookie", () => {
  test.each([
    ["form", array, "color=blue; color=black; color=brown"],
    ["form", object, "R=100; G=200; B=150"],
    ["form", "a b;c", "color=a%20b%3Bc"],
    ["commaDelimited", array, "color=blue,black,brown"],
    ["plainCookieExploded", array, "color=blue; color=black; color=brown"],
    ["plainCookieExploded", "50%", "color=50%"],
    ["plainCookie", array, "color=blue,black,brown"],
    ["plainCookie", object, "color=R,100,G,200,B,150"],
  ] as const)("%s writes %o as %s", async (style, color, expected) => {
    const special = style === "form" ? {} : { color: encoders[style] };
    const seen = await sent({ encoders: [encodeCookiesWith(special)] }, { cookies: { color, other: [] } });
    expect(seen?.headers.cookie).toBe(expected);
  });
});

test.each([
  [encodeQueryWith({ a: styles.spaceDelimited }), { query: { a: ["b c"] } }, "a cannot be sent"],
  [encodeQueryWith({ a: styles.pipeDelimited }), { query: { a: { "b|": 1 } } }, "a cannot be sent"],
  [encodeHeadersWith({}), { headers: { a: ["b,c"] } }, "header a cannot be sent"],
  [encodeHeadersWith({}), { headers: { a: ["b "] } }, "header a cannot be sent"],
  [encodeHeadersWith({}), { headers: { a: " b" } }, "header a cannot be sent"],
  [encodeHeadersWith({ a: styles.objectHeader }), { headers: { a: { "b,c": 1 } } }, "header a cannot be sent"],
  [encodeHeadersWith({ a: styles.objectHeaderExploded }), { headers: { a: { "b=c": 1 } } }, "header a cannot be sent"],
  [encodeCookiesWith({ a: styles.plainCookie }), { cookies: { a: "b;c" } }, "cookie a cannot be sent"],
])("what would arrive as something else is not sent: %#", async (encoder, request, message) => {
  const call = callOperation(
    createBaseClient({ baseUrl: "http://127.0.0.1:2" }),
    { method: "GET", path: "/x", encoders: [encoder] },
    request,
  );
  expect((await errorOf(call)).message).toContain(message);
});

test("an empty array and an empty object are no header", async () => {
  const encoder = encodeHeadersWith({ "x-b": styles.objectHeader });
  const seen = await sent({ encoders: [encoder] }, { headers: { "x-a": [], "x-b": {}, "x-c": [""] } });
  expect(seen?.headers).toMatchObject({ "x-c": "" });
  expect(seen?.headers).not.toHaveProperty("x-a");
  expect(seen?.headers).not.toHaveProperty("x-b");
});
