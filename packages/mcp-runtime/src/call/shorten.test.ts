import { expect, it } from "vitest";
import { shortenValue } from "./shorten.js";

const sizeOf = (value: unknown) => JSON.stringify(value).length;

it("keeps what fits, at the limit and not past it", () => {
  const value = { data: ["a", "b"] };
  expect(shortenValue(value, sizeOf(value))).toEqual({ value, notes: [] });
  expect(shortenValue(value, sizeOf(value) - 1).notes).toEqual(["`data` has 2 items; the first 1 are shown."]);
});

it("cuts lists, and says how much", () => {
  const data = Array.from({ length: 100 }, (_, id) => ({ id, text: "x".repeat(90) }));
  const { value, notes } = shortenValue({ page: 1, data }, 5000);
  expect(sizeOf(value)).toBeLessThanOrEqual(5000);
  expect(value).toEqual({ page: 1, data: data.slice(0, 45) });
  expect(notes).toEqual([expect.stringMatching(/^`data` has 100 items; the first \d+ are shown\.$/)]);
});

it("cuts texts, and everything where nothing else helps", () => {
  expect(shortenValue({ file: "x".repeat(9000) }, 3000)).toMatchObject({
    value: { file: `${"x".repeat(2000)}…` },
    notes: ["`file` has 9000 characters; the first 2000 are shown."],
  });
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key-${index}`, index]));
  expect(shortenValue(wide, 1000)).toEqual({ value: {}, notes: ["Everything was left out: the result is too large."] });
});
