import { expect, test } from "vitest";
import { identifierOf } from "./identifiers.js";

test.each([
  ["number", 1234, 5, 5],
  ["string", "private/12345", 3, "private/12348"],
  ["string", "007", 5, "012"],
  ["string", "123e4567-e89b-42d3-a456-426614174000", 1, "123e4567-e89b-42d3-a456-426614174001"],
  ["string", "456-0a1b2c3d4e5f", 1, "456-0a1b2c3d4e60"],
  ["string", "rex the dog!", 2, "rex the dog!-2"],
  ["string", "", 2, "2"],
] as const)("a %s like %j counts to %i", (type, sample, number, expected) => {
  expect(identifierOf({ field: "id", type, sample }, number)).toBe(expected);
});
