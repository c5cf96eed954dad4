import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exampleSuite } from "../report/example-report.support.js";
import { runTestCommand, createTempFolder } from "./command.support.js";
import type { CommandIo } from "./io.js";

describe("invalid usage exits with 2, and the message has the fix", () => {
  it.each<[string, readonly string[], string]>([
    ["a command", ["rnu"], 'Unknown command "rnu". Did you mean "run"?\nSee notes-conformance --help.\n'],
    [
      "an option",
      ["run", "--sed", "7"],
      'Unknown option --sed. Did you mean "--seed"?\nSee notes-conformance run --help.\n',
    ],
    [
      "a short option",
      ["run", "-x"],
      expect.stringMatching(/^Unknown option -x\. The options are --url, .*\.\nSee notes-conformance run --help\.\n$/),
    ],
    ["no value", ["run", "--only"], "--only needs a value.\nSee notes-conformance run --help.\n"],
    [
      "an option for a value",
      ["run", "--only", "--read-only"],
      "--only needs a value.\nSee notes-conformance run --help.\n",
    ],
    [
      "a flag's value",
      ["run", "--read-only=1"],
      "--read-only takes no value. Remove the value.\nSee notes-conformance run --help.\n",
    ],
    ["an argument", ["run", "notes"], '"notes" is an unexpected argument.\nSee notes-conformance run --help.\n'],
    [
      "no argument",
      ["explain"],
      "Missing argument ID: the id of a case or of a requirement.\nSee notes-conformance explain --help.\n",
    ],
    [
      "no number",
      ["run", "--workers", "many"],
      '--workers is an integer from 1 to 256, not "many".\nSee notes-conformance run --help.\n',
    ],
    [
      "an address",
      ["run", "--url", "localhost:80"],
      '--url "localhost:80" is not a server address. Write a complete URL, such as http://127.0.0.1:8080/v4.\nSee notes-conformance run --help.\n',
    ],
    [
      "an address with more",
      ["run", "--url", "http://x/v1?a=b"],
      '--url "http://x/v1?a=b" has more than scheme, host, port and path. Remove the rest.\nSee notes-conformance run --help.\n',
    ],
    [
      "an unknown id",
      ["run", "--only", "notes/getNote/owm"],
      '--only "notes/getNote/owm" matches no id, requirement, area, operation or kind. Did you mean "notes/getNote/own"? `notes-conformance list` lists all ids.\nSee notes-conformance run --help.\n',
    ],
    [
      "a requirement without a case",
      ["list", "--only", "note.kept"],
      '--only "note.kept" is a requirement that no case tests: a year is too long. `notes-conformance list --requirements` lists them all.\nSee notes-conformance list --help.\n',
    ],
    [
      "a shard beyond the last",
      ["list", "--shard", "3/2"],
      '--shard "3/2" is not a part such as 2/3. Write its number and the number of parts.\nSee notes-conformance list --help.\n',
    ],
    [
      "more shards than cases",
      ["list", "--only", "health", "--shard", "2/2"],
      "--shard 2/2 has no case: the selection has 1. Use fewer parts.\nSee notes-conformance list --help.\n",
    ],
    [
      "nothing left",
      ["list", "--only", "notes", "--read-only"],
      "--only notes --read-only together match no case. Remove one of them; `notes-conformance list` prints the cases of each.\nSee notes-conformance list --help.\n",
    ],
    [
      "a report's format",
      ["run", "--report", "htm=x"],
      '--report "htm=x": unknown format "htm". Did you mean "html"? Write junit, json, html before an equals sign.\nSee notes-conformance run --help.\n',
    ],
    [
      "a report's file",
      ["run", "--report", "html"],
      '--report "html" names no file. Write html=FILE.\nSee notes-conformance run --help.\n',
    ],
    [
      "an id",
      ["explain", "notes/getNote"],
      'Unknown case or requirement "notes/getNote". 2 ids begin with it: `notes-conformance list --only notes/getNote`. `notes-conformance list` lists all ids.\nSee notes-conformance explain --help.\n',
    ],
    [
      "which run",
      ["clean"],
      "Missing option --run-id. Pass the id that the run has printed.\nSee notes-conformance clean --help.\n",
    ],
    [
      "a run's id",
      ["clean", "--run-id", "../../etc"],
      '--run-id "../../etc" is not a run id. A run id has eight lowercase letters and digits.\nSee notes-conformance clean --help.\n',
    ],
    [
      "no journal",
      ["clean", "--run-id", "k3f9x2ab"],
      "Missing journal .conformance/k3f9x2ab.jsonl. Run this in the folder of the run, or pass --journal FILE.\nSee notes-conformance clean --help.\n",
    ],
  ])("%s", async (_name, args, error) => {
    expect(await runTestCommand(args)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: error,
      run: undefined,
      cleanUpCalls: undefined,
    });
  });

  it("no token, where something is not public", async () => {
    const { code, stderr } = await runTestCommand(["run"], { env: {} });
    expect(code).toBe(2);
    expect(stderr).toContain(
      "Missing token. Pass --token, CONFORMANCE_TOKEN or --profile FILE, or --controls URL of a server with test controls.",
    );
    expect((await runTestCommand(["run", "--controls", "http://127.0.0.1:2"], { env: {} })).code).toBe(0);
  });

  it("no server at all", async () => {
    expect((await runTestCommand(["run"], { suite: { ...exampleSuite, servers: [] } })).stderr).toContain(
      "Missing server. Pass its address with --url, or as CONFORMANCE_URL.",
    );
  });

  it.each([
    ["{", "is not valid JSON: "],
    ["[]", 'is not a JSON object. Write {"url": "…", "main": "TOKEN"}.'],
    [
      '{"mian": "x"}',
      'unknown key "mian". Did you mean "main"? Allowed keys: url, controls, main, otherAccount, limited, tokens.',
    ],
    ['{"main": 7}', '"main" is not a string. Write it in quotes, or remove it.'],
  ])("the profile %s", async (text, error) => {
    const folder = createTempFolder();
    writeFileSync(join(folder, "profile.json"), text);
    const said = await runTestCommand(["run", "--profile", "profile.json"], { folder });
    expect(said.code).toBe(2);
    expect(said.stderr).toContain(error);
  });

  it.each([
    ["{}", 'is not a JSON array. Write [{"id": "…", "message": "…"}].'],
    ['[{"id": "a"}]', 'entry 1 is not {"id": "…", "message": "…"}'],
  ])("the known failures %s", async (text, error) => {
    const folder = createTempFolder();
    writeFileSync(join(folder, "known.json"), text);
    const said = await runTestCommand(["run", "--known-failures", "known.json"], { folder });
    expect(said.code).toBe(2);
    expect(said.stderr).toContain(error);
  });
});

describe("help", () => {
  it("is printed without a command, with the exit code of invalid usage", async () => {
    const { code, stdout } = await runTestCommand([]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^notes-conformance: checks a server against the description of Notes 1\.2\.3\./);
    expect((await runTestCommand(["--help"])).code).toBe(0);
  });

  it.each(["run", "list", "explain", "clean"])("of %s has its options and examples", async (name) => {
    const { code, stdout } = await runTestCommand([name, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^notes-conformance ${name} `));
    expect(stdout).toContain("\nExamples\n");
    expect(stdout.split("\n").filter((line) => line.length > 140)).toEqual([]);
  });

  it("prints the version", async () => {
    expect(await runTestCommand(["--version"])).toMatchObject({ code: 0, stdout: "notes-conformance 1.2.3\n" });
  });
});

it("accepts Node's process as its environment", () => {
  const io: CommandIo = process;
  expect(io.cwd()).toBe(process.cwd());
});
