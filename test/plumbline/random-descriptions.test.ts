import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { place } from "../support/pets.js";
import { unremovedFolder } from "../support/places.js";
import { propertyRuns } from "../support/property-testing.js";
import { oddDescription } from "../support/random/description.js";
import { StrictPackages } from "../support/strict-packages.js";

const { numRuns, seed } = propertyRuns(4, 200);

/** Descriptions that are compiled at once. */
const batch = 50;

describe("descriptions of random odd features", () => {
  it("become packages that compile under the strictest settings and can be imported", async () => {
    const written = fc.sample(oddDescription, { numRuns, seed });
    for (let from = 0; from < written.length; from += batch) {
      const faults = await faultsOf(written.slice(from, from + batch));
      const first = faults.findIndex((each) => each.length > 0);
      if (first !== -1) await shrink(from + first, faults[first] ?? []);
    }
    expect(written).toHaveLength(numRuns);
  });

  it("have the features that are meant, and are the same for the same seed", () => {
    const written = fc.sample(oddDescription, { numRuns: 200, seed: 1 });
    const all = written.join("\n");
    for (const feature of features) expect(all, feature).toContain(feature);
    expect(fc.sample(oddDescription, { numRuns: 20, seed: 1 })).toEqual(written.slice(0, 20));
    for (const each of written) expect(Object.keys(JSON.parse(each) as object)).toContain("paths");
  });

  it("that are not descriptions, or do not compile, are found by their name", async () => {
    const [sound = ""] = fc.sample(oddDescription, { numRuns: 1, seed: 1 });
    const wrong = { "1/server/src/wrong.ts": "export const wrong: number = '';\n" };
    expect(await faultsOf(["{}", sound], wrong)).toEqual([
      [expect.stringContaining("description/version")],
      [expect.stringContaining("1/server/src/wrong.ts(1,14): error TS2322")],
    ]);
  });
});

/** Repeats one of the descriptions until it is the smallest that has a fault, for at most five minutes, and throws. */
async function shrink(index: number, faults: readonly string[]): Promise<void> {
  const one = fc.asyncProperty(oddDescription, async (written) => {
    expect(await faultsOf([written])).toEqual([[]]);
  });
  await fc.assert(one, { seed, path: String(index), numRuns: 1, interruptAfterTimeLimit: 300_000 });
  // Fine alone: the fault is that of several.
  expect(faults).toEqual([]);
}

/** What keeps each description from being generated, compiled or imported, with these files beside the generated ones. */
async function faultsOf(
  written: readonly string[],
  beside: Readonly<Record<string, string>> = {},
): Promise<readonly (readonly string[])[]> {
  const at = await unremovedFolder();
  try {
    const packages = await StrictPackages.in(at);
    const faults: string[][] = [];
    for (const [index, text] of written.entries()) {
      const file = path.join(at, `${index}.json`);
      await writeFile(file, text);
      faults.push(
        await packages.generate(String(index), file).then(
          () => [],
          (error: unknown) => [String(error)],
        ),
      );
    }
    if (faults.every((each) => each.length > 0)) return faults;
    await place(at, beside);
    const errors = await packages.compile();
    // Files with errors are not written: nothing is imported then.
    const lines = errors.length > 0 ? errors : (await packages.importAll()).split("\n").filter((line) => line !== "");
    for (const line of lines) faults[Number(/^(?:\.\/out\/)?(\d+)\//.exec(line)?.[1])]?.push(line);
    const known = new Set(faults.flat());
    const others = lines.filter((line) => !line.startsWith(" ") && !known.has(line));
    expect(others).toEqual([]);
    return faults;
  } finally {
    await rm(at, { recursive: true });
  }
}

const features = [
  '"openapi": "3.0.3"',
  '"openapi": "3.1.0"',
  '"openapi": "3.2.0"',
  '"discriminator"',
  '"mapping"',
  '"nullable"',
  "9007199254740993",
  '"exclusiveMinimum": true',
  "(?i)",
  "*/",
  "</script>",
  "${process.exit(7)}",
  '"deepObject"',
  '"matrix"',
  '"cookie"',
  '"callbacks"',
  '"links"',
  '"webhooks"',
  '"4XX"',
  "204 NO_CONTENT",
  "application/json;stream=watch",
  '"encoding"',
  '"itemSchema"',
  '"query": {',
  '"#/components/requestBodies/',
];
