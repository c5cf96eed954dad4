import { expect, test } from "vitest";
import { errorFormat } from "./error-format.js";

const reason = { from: "reason" } as const;
const reasons = { from: "reasons" } as const;
const field = { from: "field" } as const;

test.each([
  ["a text", reasons, { reason: [] }],
  ["an object", { object: { message: reasons } }, { reason: ["message"] }],
  [
    "entries inside",
    {
      object: {
        error: { object: { message: reasons, details: { each: { object: { path: field, message: reason } } } } },
      },
    },
    { entries: ["error", "details"], field: ["path"], reason: ["message"] },
  ],
  [
    "entries with segments",
    { object: { detail: { each: { object: { loc: { from: "location" }, msg: reason } } } } },
    { entries: ["detail"], field: ["loc"], reason: ["msg"] },
  ],
  ["entries of texts", { object: { errors: { each: reason } } }, { entries: ["errors"], reason: [] }],
  [
    "entries without reason",
    { object: { message: reasons, errors: { each: { object: {} } } } },
    { reason: ["message"] },
  ],
  ["no reason", { object: { ok: { value: false } } }, undefined],
] as const)("finds what is where: %s", (_, template, format) => {
  expect(errorFormat(template)).toEqual(format);
});
