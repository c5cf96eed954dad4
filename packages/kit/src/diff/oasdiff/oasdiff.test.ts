import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { breakingLines } from "../diff-cases.support.js";
import { lifecycleRows } from "./lifecycle.cases.support.js";
import { checksOf, isBreakingHere, isBreakingThere, type OasdiffRow } from "./oasdiff-rows.support.js";
import { operationRows } from "./operations.cases.support.js";
import { requestRows } from "./requests.cases.support.js";
import { responseRows } from "./responses.cases.support.js";

const rowsBySubject: Readonly<Record<string, readonly OasdiffRow[]>> = {
  "Operations, parameters and bodies": operationRows,
  "Deprecation and stability": lifecycleRows,
  "Values in requests": requestRows,
  "Values in responses": responseRows,
};
const rows = Object.values(rowsBySubject).flat();
const checks = rows.flatMap(checksOf);
const page = readFileSync(new URL("../../../../plumbline/docs/diff-oasdiff.md", import.meta.url), "utf8");

describe("where oasdiff reports", () => {
  it.each(checks)("$id: $row.pair", async ({ row, ...texts }) => {
    expect(await breakingLines(texts)).toEqual(row.expected);
  });

  it("a pair of descriptions once, ours breaks callers or the wire, or the table has a reason", () => {
    expect(new Set(checks.map(({ id, row }) => JSON.stringify([id, row.pair]))).size).toBe(checks.length);
    for (const row of rows)
      expect([row.checks, row.differs === undefined]).toEqual([
        row.checks,
        isBreakingHere(row) === isBreakingThere(row),
      ]);
  });
});

describe("docs/diff-oasdiff.md", () => {
  it.each(Object.entries(rowsBySubject))("has the table of: %s", (subject, all) => {
    const table = ["| check | level | ours | right |", "|---|---|---|---|", ...all.map(formatRow)].join("\n");
    expect(page).toContain(`## ${subject}\n\n${table}\n`);
  });

  it("has no other row, and the numbers of checks", () => {
    expect(page.match(/^\| `/gm)).toHaveLength(rows.length);
    expect(page).toContain(formatNumbers());
  });
});

function formatRow({ checks: pattern, level, pair, expected, differs }: OasdiffRow): string {
  const ids = checksOf({ checks: pattern, level, pair, expected }).map(({ id }) => `\`${id}\``);
  const ours = expected.map((line) => line.replace(/^([a-z-]+)/, "`$1`"));
  const right = differs === undefined ? "both" : `${differs.right}. ${differs.because}`;
  return `| ${ids.join(", ")} | ${level} | ${ours.join("; ") || "no difference"} | ${right} |`;
}

/** The sentences that count the checks. A check with several rows counts by the first of these kinds that a row has. */
function formatNumbers(): string {
  const ids = new Set(checks.map(({ id }) => id));
  const counts = { missed: 0, stricter: 0, looser: 0, same: 0 };
  for (const id of ids) {
    const found = new Set(checks.filter((check) => check.id === id).map(({ row }) => kindOf(row)));
    const kind = (["missed", "stricter", "looser"] as const).find((each) => found.has(each)) ?? "same";
    counts[kind] += 1;
  }
  return [
    `- Both agree about ${counts.same} of ${ids.size} checks.`,
    `- ${counts.stricter} break callers or the wire here, where the later version of oasdiff has INFO.`,
    `- ${counts.looser} break neither of them here, for the reason in their row.`,
    `- ${counts.missed} are missed here, for the reason in their row.`,
  ].join("\n");
}

function kindOf(row: OasdiffRow): "missed" | "stricter" | "looser" | "same" {
  if (row.differs === undefined) return "same";
  if (row.differs.right === "oasdiff") return "missed";
  return isBreakingHere(row) ? "stricter" : "looser";
}
