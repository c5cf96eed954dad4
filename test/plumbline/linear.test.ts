import { rm } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { axes, bodyAxes, describeChain } from "../support/growing.js";
import { place } from "../support/pets.js";
import { repository, unremovedFolder } from "../support/places.js";
import { runNode } from "../support/run.js";

/** Numbers of what grows: few suffice to find functions that run for pairs of them. `linear.full.test.ts` has more, and measures time. */
const sizes = [15, 30, 60] as const;

/** Runs for each ordered pair: a function that compares each operation or branch with those before it has half a run. */
const bound = 0.5;

/** Files with such a function on purpose, by axis. An unused entry fails. */
const exemptions: Readonly<Record<string, readonly string[]>> = {
  operations: [
    "compare-pairs.mjs", // Compares all pairs, so that each run of this test finds one.
    "generators/src/conformance/cases/errors.ts", // Looks a schema up by name among all of them: one comparison of texts.
  ],
};

/** The full form has all axes. */
const isFull = process.env["MODE"] === "full";
const few = new Set(["operations", "values of an enum", "required properties"]);
const isTried = ([axis]: readonly [axis: string, ...rest: unknown[]]): boolean => isFull || few.has(axis);
const tried = Object.entries(axes).filter(isTried);
// A case of a suite sends the whole body, so that suites have pairs of fields: of at most 150.
const triedOfBodies = Object.entries(bodyAxes).filter(isTried);

describe("the generator", () => {
  let countsByAxis: Readonly<Record<string, readonly Counts[]>>;
  beforeAll(async () => {
    countsByAxis = await countRuns([
      ...tried.map(([axis, describeSize]) => ({ axis, describeSize, only: [] })),
      ...triedOfBodies.map(([axis, describeSize]) => ({ axis, describeSize, only: ["client", "validator", "server"] })),
      { axis: "chain", describeSize: describeChain, only: [] },
    ]);
  });

  it.each(tried)("has no function that runs for pairs of %s", (axis) => {
    expect(filesWithPairs(countsByAxis[axis])).toEqual(exemptions[axis] ?? []);
  });

  it.each(triedOfBodies)("has none that runs for pairs of %s, but for suites", (axis) => {
    expect(filesWithPairs(countsByAxis[axis])).toEqual([]);
  });

  it("runs for a chain of allOf as often as the types of the chain have fields", () => {
    const [, middle = {}, large = {}] = countsByAxis["chain"] ?? [];
    const cubic = Object.entries(large).filter(([name, runs]) => runs > 5 * Math.max(20, middle[name] ?? runs));
    expect(Object.keys(large).length).toBeGreaterThan(1000);
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

interface Growth {
  readonly axis: string;
  readonly describeSize: (size: number) => string;
  readonly only: readonly string[];
}

/** The counts of each size, by axis: of one process, since to load the generator takes longer than a description. */
async function countRuns(growths: readonly Growth[]): Promise<Readonly<Record<string, readonly Counts[]>>> {
  const folder = await unremovedFolder();
  try {
    const list = growths.map(({ only }, index) => ({
      files: sizes.map((size) => path.join(folder, `${index}-${size}.yaml`)),
      only,
    }));
    for (const [index, { describeSize }] of growths.entries())
      await place(
        folder,
        Object.fromEntries(sizes.map((size) => [`${index}-${size}.yaml`, describeSize(size)] as const)),
      );
    const script = path.join(repository, "test", "support", "count.mjs");
    const args = ["--no-opt", script, JSON.stringify(list)];
    const { code, out, error } = await runNode(args, { in: folder });
    if (code !== 0) throw new Error(error);
    const counts = JSON.parse(out) as readonly (readonly Counts[])[];
    return Object.fromEntries(growths.map(({ axis }, index) => [axis, counts[index] ?? []] as const));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function filesWithPairs(counts: readonly Counts[] = []): readonly string[] {
  // Node 24 leaves out some functions at times: of these nothing is known.
  const functions = Object.keys(counts.at(-1) ?? {}).filter((name) => counts.every((each) => name in each));
  const found = functions.filter((name) => runsForPairs(counts.map((each) => each[name] ?? 0)) >= bound);
  return [...new Set(found.map((name) => name.split(" ")[0] ?? ""))].toSorted();
}

/** The coefficient of the square in the parabola through the three counts. */
function runsForPairs([small = 0, middle = 0, large = 0]: readonly number[]): number {
  const [first, second] = [(middle - small) / (sizes[1] - sizes[0]), (large - middle) / (sizes[2] - sizes[1])];
  return (second - first) / (sizes[2] - sizes[0]);
}
