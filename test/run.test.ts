import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fit } from "./run/affected.mjs";
import { budgetError, formatMinutes, machineSpeed, measureReferenceWork, referenceSeconds } from "./run/budget.mjs";
import { parseTimes, runMeasured } from "./run/processor-time.mjs";
import { proofs } from "./run/proofs.mjs";
import { formatCounts, noCounts, readReports, sumCounts } from "./run/reports.mjs";
import { testFilesOf, workspaces } from "./run/workspaces.mjs";
import { repository, temporaryFolder } from "./support/places.js";
import { runNode } from "./support/run.js";
import { readTracked } from "./support/tracked.js";

const program = path.join(repository, "test", "run.mjs");

describe("processor time", () => {
  it.runIf(process.platform !== "win32")("includes that of children, and the exit code is passed on", async () => {
    const busy = "let sum = 0; for (let i = 0; i < 3e8; i++) sum += i % 7;"; // about 0.3 s
    const child = `require("node:child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(busy)}]); process.exit(3)`;
    const { status, seconds = 0 } = runMeasured(process.execPath, ["-e", child], { cwd: await temporaryFolder() });
    expect(status).toBe(3);
    expect(seconds).toBeGreaterThan(0.1);
    expect(budgetError({ seconds, minutes: 0.1 / 60, speed: 1 })).toContain("of processor time; its budget is");
    expect(budgetError({ seconds, minutes: 10, speed: 1 })).toBeUndefined();
  });

  it("is compared with the budget as on the reference machine", () => {
    const slow = machineSpeed([2 * referenceSeconds, 3 * referenceSeconds]);
    expect(slow).toBeCloseTo(0.4);
    expect(budgetError({ seconds: 20 * 60, minutes: 10, speed: slow })).toBeUndefined();
    expect(budgetError({ seconds: 40 * 60, minutes: 10, speed: slow })).toMatch(
      /^The run took 40\.0 min of processor time, 16\.0 min on the reference machine; its budget is 10 min\. /,
    );
    expect(budgetError({ seconds: 8 * 60, minutes: 10, speed: machineSpeed([referenceSeconds / 2]) })).toBeDefined();
    expect(formatMinutes(60, 1)).toBe("1.0 min of processor time");
  });

  it("fails no run that cannot be measured", () => {
    expect(budgetError({ seconds: undefined, minutes: 10, speed: 1 })).toBeUndefined();
    expect(machineSpeed([Number.NaN])).toBe(1);
  });

  it("of the reference work is measured", () => {
    expect(measureReferenceWork()).toBeGreaterThan(0.1);
  });

  it("is parsed from the output of shells", () => {
    expect(parseTimes("0m0.01s 0m0.02s\n12m3.50s 1m0.25s\n")).toBeCloseTo(783.78);
    expect(parseTimes("0m0,50s 0m0,25s")).toBeCloseTo(0.75);
    expect(parseTimes("")).toBeUndefined();
  });
});

describe("the test command", () => {
  it.each([
    { args: ["--help"], code: 0, out: /^npm test: .*\n\n {2}npm test /, error: /^$/ },
    { args: ["--fast"], code: 2, out: /^$/, error: /^Unknown option '--fast'/ },
    { args: ["--budget", "none"], code: 2, out: /^$/, error: /^--budget none is not a positive number of minutes\.$/m },
    { args: ["no-such-test"], code: 1, out: /^$/, error: /^No test file has "no-such-test" in its path\.$/m },
  ])("$args: exit code $code", async ({ args, code, out, error }) => {
    const ended = await runNode([program, ...args], { in: repository });
    expect(ended).toEqual({ code, out: expect.stringMatching(out), error: expect.stringMatching(error) });
  });
});

describe("the counts", () => {
  it("are those of all workspaces, with the slowest files first", async () => {
    const folder = await temporaryFolder();
    const write = async (workspace: string, numFailedTests: number, ms: number) => {
      await mkdir(path.join(folder, workspace, "reports"), { recursive: true });
      const testResults = [{ name: `${workspace}.test.ts`, startTime: 1000, endTime: 1000 + ms }];
      const numbers = { numPassedTests: 4, numFailedTests, numPendingTests: 1, numTodoTests: 1, numTotalTests: 8 };
      await writeFile(
        path.join(folder, workspace, "reports", "tests.json"),
        JSON.stringify({ ...numbers, testResults }),
      );
    };
    await write("a", 0, 500);
    await write("b", 2, 1500);
    await writeFile(path.join(folder, "b", "reports", "errors.json"), JSON.stringify(["b.test.ts: fails"]));
    const { counts, files, errors } = readReports(["a", "b", "none"].map((name) => path.join(folder, name)));
    expect(errors).toEqual(["b.test.ts: fails"]);
    expect(formatCounts(counts)).toBe("8 passed, 2 failed, 4 skipped");
    expect(files).toEqual([
      { file: "b.test.ts", seconds: 1.5 },
      { file: "a.test.ts", seconds: 0.5 },
    ]);
    expect(formatCounts(sumCounts([noCounts, { ...counts, skipped: 0 }, noCounts]))).toBe("8 passed, 2 failed");
  });
});

describe("long proofs", () => {
  it("are chosen first in changed workspaces, then by length, as many as fit", () => {
    const candidates = [
      { name: "a", minutes: 1 },
      { name: "b", minutes: 6 },
      { name: "c", minutes: 4 },
      { name: "d", minutes: 5 },
    ];
    const { chosen, left } = fit(candidates, { minutes: 10, isFirst: ({ name }) => name === "c" || name === "d" });
    expect(chosen.map(({ name }) => name)).toEqual(["c", "d", "a"]);
    expect(left.map(({ name }) => name)).toEqual(["b"]);
  });

  it("are exactly the listed ones, with their minutes", () => {
    const found = workspaces.flatMap((workspace) =>
      testFilesOf(workspace)
        .map((file) => `${workspace.folder}/${file}`)
        .filter((file) => !together.has(file) && isLong(file, readTracked(file))),
    );
    const listed = Object.entries(proofs).flatMap(([folder, files]) =>
      Object.keys(files).map((file) => `${folder}/${file}`),
    );
    expect(listed.sort()).toEqual(found.sort());
  });

  it("are recognised by their name, or by the mode that they read", () => {
    expect(isLong("test/plumbline/linear.full.test.ts", "")).toBe(true);
    expect(isLong("test/a.test.ts", `const rounds = process.env${isFull} ? 200 : 6;`)).toBe(true);
    expect(isLong("test/a.test.ts", ["import { isFull } from './support/", 'form.js";'].join(""))).toBe(true);
    expect(isLong("test/a.test.ts", 'it("is full", …)')).toBe(false);
  });
});

/** Compares the results of all other files of a run, so that it proves nothing alone. */
const together: ReadonlySet<string> = new Set(["packages/service/test/documented.test.ts"]);

/** In two parts, so that this file is not one of those. */
const isFull: string = ['["MODE"]', '"full"'].join(" === ");

function isLong(file: string, text: string): boolean {
  return file.endsWith(".full.test.ts") || text.includes(isFull) || /\/form\.js"|\b(?:runs|propertyRuns)\(/.test(text);
}
