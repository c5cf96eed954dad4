import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { mixedReport, exampleSuite, passedResult, exampleReport } from "../report/example-report.support.js";
import type { RunOptions } from "../results.js";
import { runTestCommand, createTempFolder } from "./command.support.js";

const env = { CONFORMANCE_TOKEN: "secret-token" };

describe("run", () => {
  it("runs all cases at the description's server, with a token from the environment", async () => {
    const { code, stdout, stderr, run, folder } = await runTestCommand(["run", "--seed", "7"]);
    expect(code).toBe(0);
    expect(run).toMatchObject({
      url: "http://127.0.0.1:1/v1",
      credentials: { main: "secret-token" },
      cases: exampleSuite.cases,
      seed: 7,
      knownFailures: [],
    });
    expect(run?.runId).toMatch(/^[a-z0-9]{8}$/);
    expect(run?.journal).toBe(join(folder, ".conformance", `${run?.runId}.jsonl`));
    expect(stderr).toBe(`Notes 1.2.3 at http://127.0.0.1:1/v1, seed 7, run ${run?.runId}\n`);
    expect(stdout).toContain("\nAll cases passed.\n");
    expect(stdout + stderr).not.toContain("secret-token");
  });

  it("passes its options to the run", async () => {
    const { run } = await runTestCommand([
      "run",
      "--url",
      "http://127.0.0.1:3/v1/",
      "--controls",
      "http://127.0.0.1:4",
      "--token",
      "another",
      "--workers",
      "3",
      "--request-budget",
      "500",
      "--journal",
      "made.jsonl",
      "--only",
      "notes",
      "--skip",
      "bounds",
    ]);
    expect(run).toMatchObject({
      url: "http://127.0.0.1:3/v1",
      controls: "http://127.0.0.1:4",
      credentials: { main: "another" },
      workers: 3,
      requestBudget: 500,
    });
    expect(run?.journal).toMatch(/\/made\.jsonl$/);
    expect(run?.cases.map(({ id }) => id)).toEqual(["notes/getNote/own", "notes/getNote/of-another"]);
  });

  it("prefers options over the profile, and the profile over the environment", async () => {
    const folder = createTempFolder();
    writeFileSync(
      join(folder, "staging.json"),
      JSON.stringify({ url: "http://127.0.0.1:5/v1", main: "of-profile", otherAccount: "other" }),
    );
    const all = { ...env, CONFORMANCE_URL: "http://127.0.0.1:6/v1" };
    expect((await runTestCommand(["run"], { env: all })).run?.url).toBe("http://127.0.0.1:6/v1");
    const profiled = await runTestCommand(["run", "--profile", "staging.json"], { env: all, folder });
    expect(profiled.run).toMatchObject({
      url: "http://127.0.0.1:5/v1",
      credentials: { main: "of-profile", otherAccount: "other" },
    });
    const said = await runTestCommand(["run", "--profile", "staging.json", "--url", "http://127.0.0.1:7/v1"], {
      folder,
    });
    expect(said.run?.url).toBe("http://127.0.0.1:7/v1");
  });

  it("exits with 1 when a case fails, and prints how to repeat it", async () => {
    const { code, stdout } = await runTestCommand(["run", "--controls", "http://127.0.0.1:2"], {
      runs: () => mixedReport,
    });
    expect(code).toBe(1);
    expect(stdout).toContain(
      "notes-conformance run --only notes/createNote/title/longer-than-8 --seed 7 --url http://127.0.0.1:1/v1 --controls http://127.0.0.1:2\n",
    );
  });

  it("passes --quick and --fail-fast to the run", async () => {
    const { run } = await runTestCommand(["run", "--quick", "--fail-fast"]);
    expect(run).toMatchObject({ quickSeconds: 60, failFast: true });
    expect((await runTestCommand(["run"])).run).not.toHaveProperty("quickSeconds");
  });

  it.each([
    ["credential", 2],
    ["address", 2],
    ["no-response", 1],
    ["first-failure", 1],
  ] as const)("exits with the code of why the run stopped: %s %i", async (kind, code) => {
    const report = exampleReport([], { stopped: { kind, text: "Because." } });
    const result = await runTestCommand(["run"], { runs: () => report });
    expect(result.code).toBe(code);
    expect(result.stdout).toContain("\nStopped early. Because.\n");
  });

  it("exits with 1 when the run itself did not pass", async () => {
    expect((await runTestCommand(["run"], { runs: () => exampleReport([]) })).code).toBe(1);
  });

  it("writes the requested reports, and creates their folders", async () => {
    const args = [
      "run",
      "--report",
      "junit=out/junit.xml",
      "--report",
      "html=out/a=b.html",
      "--report",
      "json=run.json",
    ];
    const { folder, code } = await runTestCommand(args);
    expect(code).toBe(0);
    expect(readFileSync(join(folder, "out/junit.xml"), "utf8")).toMatch(/^<\?xml/);
    expect(readFileSync(join(folder, "out/a=b.html"), "utf8")).toMatch(/^<!doctype html>/);
    expect(JSON.parse(readFileSync(join(folder, "run.json"), "utf8"))).toMatchObject({ format: 1, passed: true });
  });

  it("exits with 1 when a report cannot be written", async () => {
    const folder = createTempFolder();
    writeFileSync(join(folder, "file"), "");
    const { code, stderr } = await runTestCommand(["run", "--report", "json=file/run.json"], { folder });
    expect(code).toBe(1);
    expect(stderr).toContain("The json report could not be written: ");
  });

  it("prints the JSON report when asked, and nothing else on standard output", async () => {
    const { stdout } = await runTestCommand(["run", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ format: 1, counts: { pass: 4 } });
  });

  it("leaves out known failures that are not selected, and keeps those that the suite does not have", async () => {
    const folder = createTempFolder();
    const known = ["notes/getNote/own", "health/getHealth/anonymous", "gone"].map((id) => ({ id, message: "x" }));
    writeFileSync(join(folder, "known.json"), JSON.stringify(known));
    const { run } = await runTestCommand(["run", "--only", "notes", "--known-failures", "known.json"], { folder });
    expect(run?.knownFailures?.map(({ id }) => id)).toEqual(["notes/getNote/own", "gone"]);
  });

  it("lets an interrupted run clean up, prints a note, and exits with 130", async () => {
    const { code, stdout, stderr, run } = await runTestCommand(["run"], {
      runs: async ({ signal, cases }, interrupt) => {
        const stopped = new Promise((done) => signal?.addEventListener("abort", done));
        interrupt();
        await stopped;
        return exampleReport(cases.slice(0, 1).map(({ id }) => passedResult(id)));
      },
    });
    expect(code).toBe(130);
    expect(stdout).toContain("1 case and");
    expect(stderr).toContain(`then run notes-conformance clean --run-id ${run?.runId}`);
  });

  it.each([
    ["", () => undefined],
    [" notes-conformance clean --run-id RUN deletes what it has created.", writeJournal],
  ])("prints in one line what aborted the run, and exits with 1:%s", async (wayOut, before) => {
    const { code, stderr, stdout, run } = await runTestCommand(["run"], {
      runs: (options) => {
        before(options);
        throw new Error("The connection broke (ECONNREFUSED)");
      },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.split("\n").at(-2)?.replace(String(run?.runId), "RUN")).toBe(
      `Run aborted: The connection broke (ECONNREFUSED).${wayOut}`,
    );
  });

  it("reports what aborted the run as an error, in each format", async () => {
    const folder = createTempFolder();
    const args = ["run", "--report", "junit=junit.xml", "--report", "json=report.json"];
    const runs = (): never => {
      throw new Error("No response from the server");
    };
    expect((await runTestCommand(args, { folder, runs })).code).toBe(1);
    expect(readFileSync(join(folder, "junit.xml"), "utf8")).toContain(
      '<failure message="Run aborted: No response from the server." type="error"/>',
    );
    const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as object;
    expect(report).toMatchObject({ passed: false, errors: ["Run aborted: No response from the server."] });
  });

  it("does not hide a bug of the program", async () => {
    const runs = (): never => {
      throw new TypeError("x is not a function");
    };
    await expect(runTestCommand(["run"], { runs })).rejects.toThrow("x is not a function");
  });

  it("has colors on a terminal, unless NO_COLOR is set", async () => {
    expect((await runTestCommand(["run"], { isTerminal: true })).stdout).toContain("\u001b[32m");
    expect((await runTestCommand(["run"], { isTerminal: true, env: { ...env, NO_COLOR: "1" } })).stdout).not.toContain(
      "\u001b[",
    );
    expect((await runTestCommand(["run"])).stdout).not.toContain("\u001b[");
  });
});

describe("clean", () => {
  it("deletes what the journal lists", async () => {
    const folder = createTempFolder();
    writeFileSync(join(folder, "made.jsonl"), "");
    const args = ["clean", "--run-id", "k3f9x2ab", "--journal", "made.jsonl"];
    const { code, stdout, cleanUpCalls } = await runTestCommand(args, { folder });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "2 things of run k3f9x2ab deleted, none left.\n" });
    expect(cleanUpCalls).toEqual({
      journal: join(folder, "made.jsonl"),
      runId: "k3f9x2ab",
      url: "http://127.0.0.1:1/v1",
      credentials: { main: "secret-token" },
    });
  });

  it("exits with 1 when a deletion fails", async () => {
    const folder = createTempFolder();
    writeFileSync(join(folder, "made.jsonl"), "");
    const args = ["clean", "--run-id", "k3f9x2ab", "--journal", "made.jsonl"];
    const { code, stderr } = await runTestCommand(args, { folder, remaining: ["Note 7 is left: 409"] });
    expect({ code, stderr }).toEqual({ code: 1, stderr: "Note 7 is left: 409\n" });
  });
});

function writeJournal({ journal = "", runId }: RunOptions): void {
  mkdirSync(dirname(journal), { recursive: true });
  const created = { operation: "createNote", resource: "Note", deletedBy: "deleteNote", path: { noteId: 7 } };
  const lines = [{ run: { runId, url: "", started: "" } }, { created: { ...created, account: null, username: null } }];
  writeFileSync(journal, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
