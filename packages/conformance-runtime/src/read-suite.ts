import { readFileSync, readdirSync } from "node:fs";
import type { Case, Suite } from "./suite.js";

/** Reads a generated suite from its data folder: `suite.json`, and one case per line in `*.jsonl`. */
export function readSuite(folder: URL): Suite {
  const suite = JSON.parse(readFileSync(new URL("suite.json", folder), "utf8")) as Omit<Suite, "cases">;
  let cases: readonly Case[] | undefined;
  // Loads the cases lazily: they are most of the data, and `--help` needs none.
  return Object.defineProperty({ ...suite }, "cases", {
    enumerable: true,
    get: () => (cases ??= readCases(folder)),
  }) as Suite;
}

function readCases(folder: URL): readonly Case[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".jsonl"))
    .toSorted();
  return files.flatMap((file) =>
    readFileSync(new URL(file, folder), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => ({ requires: [], ...(JSON.parse(line) as Omit<Case, "requires">) })),
  );
}
