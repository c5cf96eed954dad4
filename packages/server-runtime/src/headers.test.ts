import { expect, test } from "vitest";
import { writeHeaders } from "./headers.js";

const rules = [{ name: "X-Total", required: true }, { name: "X-Tags" }] as const;

test("documented headers are sent, and others are not", () => {
  const given = { "X-Total": 3, "X-Tags": ["a", true, { b: 1 }], "X-Secret": "c", constructor: "d" };
  expect(writeHeaders(given, rules)).toEqual({ headers: { "X-Total": "3", "X-Tags": "a,true,b,1" }, faults: [] });
});

test("a required header has to be set", () => {
  const fault = { in: "reply", field: "X-Total", code: "required", reason: "is required" };
  expect(writeHeaders({ "X-Tags": null }, rules)).toEqual({ headers: {}, faults: [fault] });
  expect(writeHeaders(undefined, rules)).toEqual({ headers: {}, faults: [fault] });
  expect(writeHeaders(undefined, [])).toEqual({ headers: {}, faults: [] });
});

test.each(["a\r\nSet-Cookie: b", "a\0", "a\u0100", " a", "a\u007f"])("%j is not a valid header value", (value) => {
  const fault = { in: "reply", field: "X-Tags", code: "format", reason: "has characters that a header cannot have" };
  expect(writeHeaders({ "X-Tags": value }, rules.slice(1))).toEqual({ headers: {}, faults: [fault] });
});

test.each(["", "a b\tc", "\u00e9", "~"])("%j can", (value) => {
  expect(writeHeaders({ "X-Tags": value }, rules.slice(1))).toEqual({ headers: { "X-Tags": value }, faults: [] });
});

test("a date has the format of HTTP", () => {
  expect(writeHeaders({ "X-Tags": new Date(0) }, rules.slice(1)).headers).toEqual({
    "X-Tags": "Thu, 01 Jan 1970 00:00:00 GMT",
  });
});
