import { UsageError } from "@plumbline/command-line";
import { expect, test } from "vitest";
import { optionsOf } from "./options.js";

test("--accept-loss needs no value, defaults to off, and is true or false in the environment", () => {
  const fromEnvironment = (value: string): boolean => optionsOf([], { CLOUD_COMPUTE_ACCEPT_LOSS: value }).acceptLoss;
  expect(optionsOf(["--accept-loss", "--port", "0"], {})).toMatchObject({ acceptLoss: true, port: 0 });
  expect(optionsOf([], {}).acceptLoss).toBe(false);
  expect(["true", "false", ""].map(fromEnvironment)).toEqual([true, false, false]);
  expect(() => fromEnvironment("yes")).toThrow(new UsageError('--accept-loss is true or false, not "yes".'));
});
