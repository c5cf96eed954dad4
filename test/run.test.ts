import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fit, isAffected } from "./run/affected.mjs";
import { parseTimes, runMeasured } from "./run/processor-time.mjs";
import { partOf, parts, proofs } from "./run/proofs.mjs";
import { formatCounts, noCounts, sumCounts, takeReports } from "./run/reports.mjs";
import { formatMissing, systemPackages } from "./run/system-packages.mjs";
import { formatTimes } from "./run/times.mjs";
import { allTestFiles } from "./run/workspaces.mjs";
import { repository, temporaryFolder } from "./support/places.js";
import { runNode } from "./support/run.js";
import { readTracked, trackedFiles } from "./support/tracked.js";

const testCommand = path.join(repository, "test", "run.mjs");

describe("processor time", () => {
  it.runIf(process.platform !== "win32")("includes that of children, and the exit code is passed on", async () => {
    // Processor time, not time of the clock: it does not depend on what else runs.
    const busy = "while (process.cpuUsage().user < 60_000);";
    const child = `require("node:child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(busy)}]); process.exit(3)`;
    const { status, seconds = 0 } = runMeasured(process.execPath, ["-e", child], { cwd: await temporaryFolder() });
    expect(status).toBe(3);
    expect(seconds).toBeGreaterThanOrEqual(0.05);
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
    {
      args: ["--full", "--part", "none"],
      code: 2,
      out: /^$/,
      error: /^--part none is no part of the full form\. Its/m,
    },
    { args: ["--part", "life"], code: 2, out: /^$/, error: /^--part life is no part of the full form\. Its/m },
    { args: ["no-such-test"], code: 1, out: /^$/, error: /^No test file has "no-such-test" in its path\.$/m },
  ])("$args: exit code $code", async ({ args, code, out, error }) => {
    const ended = await runNode([testCommand, ...args], { in: repository });
    expect(ended).toEqual({ code, out: expect.stringMatching(out), error: expect.stringMatching(error) });
  });
});

describe("the counts", () => {
  it("are those of all folders, with the slowest files first", async () => {
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
    const folders = ["a", "b", "none"].map((name) => path.join(folder, name));
    const first = takeReports(folders);
    const { counts, files, errors } = first;
    expect(errors).toEqual(["b.test.ts: fails"]);
    expect(formatCounts(counts)).toBe("8 passed, 2 failed, 4 skipped");
    expect(files).toEqual([
      { file: "b.test.ts", seconds: 1.5 },
      { file: "a.test.ts", seconds: 0.5 },
    ]);
    expect(formatCounts(sumCounts([noCounts, { ...counts, skipped: 0 }, noCounts]))).toBe("8 passed, 2 failed");
    // The reports were taken, so that the next part of a run does not count them again.
    expect(takeReports(folders)).toEqual({ counts: noCounts, files: [], errors: [] });
    await write("a", 0, 800);
    const both = takeReports(folders, [first]);
    expect(both.counts).toEqual(sumCounts([counts, { passed: 4, failed: 0, skipped: 2, tests: 8 }]));
    expect(both.files.map(({ seconds }) => seconds)).toEqual([1.5, 0.8, 0.5]);
    expect(both.errors).toEqual(["b.test.ts: fails"]);
  });
});

describe("the times of a run", () => {
  it("are reported beside those of the last run", () => {
    const last = { clock: 90, processor: 120, files: { "b.test.ts": 1 } };
    const now = { clock: 60, processor: undefined, files: { "a.test.ts": 0.5, "b.test.ts": 1.25 } };
    expect(formatTimes(now, last)).toBe(`== the slowest test files
    1.3 s  b.test.ts (last run: 1.0 s)
    0.5 s  a.test.ts

1.0 min (last run here: 1.5 min, 2.0 min of processor time)`);
    expect(formatTimes({ ...last, files: {} })).toBe("1.5 min, 2.0 min of processor time");
  });
});

describe("programs of Debian", () => {
  it("that are missing are named once, with what is left out and how to install them", async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, "zsh"), "");
    const packages = systemPackages();
    expect(packages.length).toBeGreaterThan(3);
    const text = formatMissing(packages, [folder]) ?? "";
    expect(text).toContain("  kubectl: kubectl reads the kubeconfig of a cluster\n");
    expect(text).toMatch(
      /^To run these proofs too: apt-get install bind9 .*kubernetes-client pgbouncer postgresql redis-server$/m,
    );
    expect(text).not.toContain("zsh");
    for (const { program } of packages) await writeFile(path.join(folder, program), "");
    expect(formatMissing(packages, [folder])).toBeUndefined();
  });

  it("that tests look for are listed", () => {
    const sources = trackedFiles().filter((file) => /\.(test|support)\.ts$|^test\/support\//.test(file));
    const wanted = sources.flatMap((file) => [...readTracked(file).matchAll(/findProgram\("([^"]+)"\)/g)]);
    expect(wanted.length).toBeGreaterThan(2);
    const listed = new Set(systemPackages().map(({ program }) => program));
    expect(wanted.map(([, program = ""]) => program).filter((program) => !listed.has(program))).toEqual([]);
  });
});

describe("long proofs", () => {
  it("of changed test files are chosen first, then by length, as many as fit", () => {
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

  it.each([
    ["itself", "test/validator/fuzz.test.ts", "test/validator/fuzz.test.ts", true],
    ["a file that it imports through others", "test/validator/fuzz.test.ts", "test/support/places.ts", true],
    ["a package that it imports", "test/conformance/vitest.full.test.ts", "packages/client/src/index.ts", true],
    ["another package", "test/validator/fuzz.test.ts", "packages/kit/src/diff/index.ts", false],
    ["a longer name", "test/validator/fuzz.test.ts", "packages/placebo/index.ts", false],
    ["a place that it is listed with", "test/validator/fuzz.test.ts", "packages/place/index.ts", true],
  ])("are called for by a change of %s: %s", (_, file, changed, expected) => {
    expect(isAffected({ file, places: ["packages/place"] }, [changed])).toBe(expected);
  });

  it("name places that exist", () => {
    const tracked = trackedFiles();
    const places = new Set(Object.values(proofs).flatMap(([, ...each]) => each));
    const isThere = (place: string) => tracked.some((file) => file === place || file.startsWith(`${place}/`));
    expect([...places].filter((place) => !isThere(place))).toEqual([]);
  });

  it("are exactly the listed ones, with their minutes", () => {
    const long = allTestFiles().filter((file) => !together.has(file) && isLong(file, readTracked(file)));
    expect(Object.keys(proofs).toSorted()).toEqual(long.toSorted());
  });

  it("are in parts of at most 40 minutes", () => {
    const minutes = new Map(Object.keys(parts).map((name) => [name, 0]));
    for (const [file, [each]] of Object.entries(proofs)) {
      const part = partOf(file) ?? "none";
      minutes.set(part, (minutes.get(part) ?? Number.NaN) + each);
    }
    expect([...minutes].filter(([, sum]) => !(sum > 0 && sum <= 40))).toEqual([]);
    expect(partOf("packages/service/test/life.test.ts")).toBe("life");
    expect(partOf("packages/service/test/lives.test.ts")).toBe("service");
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
  return file.endsWith(".full.test.ts") || text.includes(isFull) || /\/form\.js"|\bpropertyRuns\(/.test(text);
}
