import { readFileSync, readdirSync } from "node:fs";
import type { Case, Suite } from "./suite.js";

/** Reads a suite from the folder that a generator wrote: `suite.json`, and cases a line each in `*.jsonl`. */
export function readSuite(folder: URL): Suite {
  const suite = JSON.parse(readFileSync(new URL("suite.json", folder), "utf8")) as Omit<Suite, "cases">;
  let cases: readonly Case[] | undefined;
  // Cases are most of it, and what lists commands or prints help needs none.
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
      .map((line) => JSON.parse(line) as Case),
  );
}
