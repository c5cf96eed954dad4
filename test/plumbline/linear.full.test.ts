import path from "node:path";
import { describe, expect, it } from "vitest";
import { describeOperations } from "../bench/large.js";
import { place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";
import { runNode } from "../support/run.js";

const sizes = [10, 100, 1000] as const;

/** How much more each further operation may cost in a large description than in a small one; with pairs compared it would be ten. */
const bound = 3;

const minutes = 60_000;

describe("the processor time of generation", () => {
  it(
    "grows with the number of operations",
    async () => {
      const costs = await costsOf({});
      console.log(`${costs.join(", ")} s for ${sizes.join(", ")} operations.`);
      expect(growth(costs)).toBeLessThan(bound);
    },
    3 * minutes,
  );

  it(
    "would be seen to grow with its square",
    async () => {
      expect(growth(await costsOf({ SLOW: "1" }))).toBeGreaterThan(bound);
    },
    3 * minutes,
  );

  it("is measured by the cost of each further operation, without the fixed cost of a run", () => {
    expect(growth([5, 5.9, 14.9])).toBeCloseTo(1);
    expect(growth([0.01, 1, 100])).toBeCloseTo(10);
  });
});

/** How many times as much an operation costs between the second and third size as between the first and second. */
function growth([small = 0, middle = 0, large = 0]: readonly number[]): number {
  const each = (from: number, to: number, cost: number): number => cost / (to - from);
  return each(sizes[1], sizes[2], large - middle) / each(sizes[0], sizes[1], middle - small);
}

async function costsOf(env: Readonly<Record<string, string>>): Promise<readonly number[]> {
  const folder = await temporaryFolder();
  const files = sizes.map((size) => `${size}.yaml`);
  await place(folder, Object.fromEntries(sizes.map((size) => [`${size}.yaml`, describeOperations(size)] as const)));
  const script = path.join(repository, "test", "support", "measure.mjs");
  const { out, error } = await runNode([script, ...files.map((file) => path.join(folder, file))], { in: folder, env });
  if (out === "") throw new Error(error);
  return JSON.parse(out) as readonly number[];
}
