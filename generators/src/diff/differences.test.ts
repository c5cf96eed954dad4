import { expect, describe, it } from "vitest";
import { shapeCases } from "./shapes.cases.support.js";
import { toldOf } from "./testing.support.js";

describe("of two descriptions it is told that", () => {
  it.each(shapeCases)("$what", async ({ expected, ...texts }) => {
    expect(await toldOf(texts)).toEqual(expected);
  });
});
