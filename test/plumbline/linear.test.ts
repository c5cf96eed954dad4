import path from "node:path";
import { describe, expect, it } from "vitest";
import { axes, bodyAxes, describeChain } from "../support/growing.js";
import { place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";
import { runNode } from "../support/run.js";

/** Numbers of what grows: few suffice to find functions that run for pairs of them. `linear.full.test.ts` has more, and measures time. */
const sizes = [20, 40, 80] as const;

/** Runs for each ordered pair: a function that compares each operation or branch with those before it has half a run. */
const bound = 0.5;

/** Files with such a function on purpose, by axis. An unused entry fails. */
const exemptions: Readonly<Record<string, readonly string[]>> = {
  operations: [
    "compare-pairs.mjs", // Compares all pairs, so that each run of this test finds one.
    "generators/conformance/dist/cases/errors.js", // Looks a schema up by name among all of them: one comparison of texts.
  ],
};

/** The full form has all axes. */
const isFull = process.env["MODE"] === "full";
const few = new Set(["operations", "values of an enum"]);
const tried = Object.entries(axes).filter(([axis]) => isFull || few.has(axis));

describe("the generator", () => {
  it.each(tried)("has no function that runs for pairs of %s", async (axis, describeSize) => {
    expect(filesWithPairs(await countRuns(describeSize))).toEqual(exemptions[axis] ?? []);
  });

  // A case of a suite sends the whole body, so that suites have pairs of fields: of at most 150.
  it.each(Object.entries(bodyAxes).slice(isFull ? 0 : -1))(
    "has none that runs for pairs of %s, but for suites",
    async (_, describeSize) => {
      expect(filesWithPairs(await countRuns(describeSize, { ONLY: "client,validator,server" }))).toEqual([]);
    },
  );

  it("runs for a chain of allOf as often as the types of the chain have fields", async () => {
    const [, middle = {}, large = {}] = await countRuns(describeChain);
    const cubic = Object.entries(large).filter(([name, runs]) => runs > 5 * Math.max(20, middle[name] ?? 0));
    expect(cubic).toEqual([]);
  });

  it("reports quadratic growth, and not linear growth", () => {
    const counts = (of: (size: number) => number) => sizes.map((size) => ({ "a.js 0 f": of(size) }));
    expect(filesWithPairs(counts((size) => size * size))).toEqual(["a.js"]);
    expect(filesWithPairs(counts((size) => (size * (size - 1)) / 2))).toEqual(["a.js"]);
    expect(filesWithPairs(counts((size) => 1000 + 90 * size))).toEqual([]);
    expect(filesWithPairs(counts((size) => size * Math.log2(size)))).toEqual([]);
  });
});

type Counts = Readonly<Record<string, number>>;

async function countRuns(
  describeSize: (size: number) => string,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly Counts[]> {
  const folder = await temporaryFolder();
  await place(folder, Object.fromEntries(sizes.map((size) => [`${size}.yaml`, describeSize(size)] as const)));
  const script = path.join(repository, "test", "support", "count.mjs");
  const files = sizes.map((size) => path.join(folder, `${size}.yaml`));
  const { code, out, error } = await runNode(["--no-opt", script, ...files], { in: folder, env });
  if (code !== 0) throw new Error(error);
  return JSON.parse(out) as readonly Counts[];
}

function filesWithPairs(counts: readonly Counts[]): readonly string[] {
  const functions = Object.keys(counts.at(-1) ?? {});
  const found = functions.filter((name) => runsForPairs(counts.map((each) => each[name] ?? 0)) >= bound);
  return [...new Set(found.map((name) => name.split(" ")[0] ?? ""))].toSorted();
}

/** The coefficient of the square in the parabola through the three counts. */
function runsForPairs([small = 0, middle = 0, large = 0]: readonly number[]): number {
  const [first, second] = [(middle - small) / (sizes[1] - sizes[0]), (large - middle) / (sizes[2] - sizes[1])];
  return (second - first) / (sizes[2] - sizes[0]);
}
