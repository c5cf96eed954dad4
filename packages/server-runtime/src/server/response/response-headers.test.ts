import { expect, test } from "vitest";
import { serializeHeaders } from "./response-headers.js";

const rules = [{ name: "X-Total", required: true }, { name: "X-Tags" }] as const;

test("documented headers are sent, and others are not", () => {
  const given = { "X-Total": 3, "X-Tags": ["a", true, { b: 1 }], "X-Secret": "c", constructor: "d" };
  expect(serializeHeaders(given, rules)).toEqual({ headers: { "X-Total": "3", "X-Tags": "a,true,b,1" }, issues: [] });
});

test("a required header has to be set", () => {
  const issue = { in: "response", field: "X-Total", code: "required", reason: "is required" };
  expect(serializeHeaders({ "X-Tags": null }, rules)).toEqual({ headers: {}, issues: [issue] });
  expect(serializeHeaders(undefined, rules)).toEqual({ headers: {}, issues: [issue] });
  expect(serializeHeaders(undefined, [])).toEqual({ headers: {}, issues: [] });
});

test.each(["a\r\nSet-Cookie: b", "a\0", "a\u0100", " a", "a\u007f"])("%j is not a valid header value", (value) => {
  const issue = { in: "response", field: "X-Tags", code: "format", reason: "has characters that a header cannot have" };
  expect(serializeHeaders({ "X-Tags": value }, rules.slice(1))).toEqual({ headers: {}, issues: [issue] });
});

test.each(["", "a b\tc", "\u00e9", "~"])("%j can", (value) => {
  expect(serializeHeaders({ "X-Tags": value }, rules.slice(1))).toEqual({ headers: { "X-Tags": value }, issues: [] });
});

test("a date has the format of HTTP", () => {
  expect(serializeHeaders({ "X-Tags": new Date(0) }, rules.slice(1)).headers).toEqual({
    "X-Tags": "Thu, 01 Jan 1970 00:00:00 GMT",
  });
});
