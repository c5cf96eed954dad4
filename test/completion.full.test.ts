import { execFileSync, spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { place } from "./support/pets.js";
import { repository, temporaryFolder } from "./support/places.js";

const programs = {
  plumbline: "packages/plumbline/bin/plumbline.js",
  "cloud-compute-conformance": "packages/conformance/bin/cloud-compute-conformance.js",
  "cloud-compute-mcp": "packages/mcp/bin/cloud-compute-mcp.js",
  "cloud-compute": "packages/service/bin/cloud-compute.js",
} as const;

type Program = keyof typeof programs;

describe.skipIf(bashVersion() < 4)("completion in bash, from version 4 on,", () => {
  it.each<[Program, string, string]>([
    ["plumbline", "gen\t--ch\t", "<generate><--check>"],
    ["plumbline", "generate --only cli\t", "<generate><--only><client>"],
    ["plumbline", "generate --only client,val\t", "<generate><--only><client,validator>"],
    ["plumbline", "generate --out sp\t", "<generate><--out><spec/>"],
    ["plumbline", "generate --spec spec/pl\t--json", "<generate><--spec><spec/plumbline.yaml><--json>"],
    ["plumbline", "diff a\\ \t--format=ma\t", "<diff><a b.yaml><--format=markdown>"],
    ["plumbline", "generate --run sp\t", "<generate><--run><sp>"],
    ["plumbline", "generate sp\t", "<generate><sp>"],
    ["plumbline", "completion f\t", "<completion><fish>"],
    ["cloud-compute-conformance", "run --known-f\ta\\ \t--read\t", "<run><--known-failures><a b.yaml><--read-only>"],
    ["cloud-compute-conformance", "list --skip profile,inst\t", "<list><--skip><profile,instances>"],
    ["cloud-compute-mcp", "list --allow wr\t--tools kub\t", "<list><--allow><write><--tools><kube>"],
    ["cloud-compute", "se\t--log deb\t--data sp\t", "<serve><--log><debug><--data><spec/>"],
  ])("%s %j", async (program, keys, expected) => {
    expect(await completeInBash(program, keys)).toBe(`${expected}\n`);
  });

  it.each(Object.keys(programs) as Program[])("%s rejects another shell", (program) => {
    const { status, stderr } = runProgram(program, ["completion", "tcsh"]);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining('SHELL is one of bash, zsh, fish, not "tcsh".\n'),
    });
  });
});

describe.each(["zsh", "fish"])("completion in %s", (shell) => {
  it.skipIf(!isInstalled(shell)).each(Object.keys(programs) as Program[])("%s has a valid script", async (program) => {
    const file = path.join(await temporaryFolder(), "script");
    await writeFile(file, runProgram(program, ["completion", shell]).stdout);
    execFileSync(shell, ["-n", file]);
  });
});

/** Returns the arguments of the program after these keys, among them tabs, in an interactive bash that has loaded its completion. */
async function completeInBash(program: Program, keys: string): Promise<string> {
  const folder = await temporaryFolder();
  await place(folder, {
    "a b.yaml": "",
    "spec/plumbline.yaml": "",
    completion: runProgram(program, ["completion", "bash"]).stdout,
    rc: `${program}() { { printf '<%s>' "$@"; echo; } > arguments; }\n. ./completion\n`,
  });
  const { error } = spawnSync("bash", ["--noprofile", "--rcfile", "rc", "-i"], {
    cwd: folder,
    input: `${program} ${keys}\nexit\n`,
    env: { PATH: process.env["PATH"], HOME: folder, INPUTRC: "/dev/null", TERM: "dumb" },
    timeout: 20_000,
  });
  if (error !== undefined) throw error;
  return readFile(path.join(folder, "arguments"), "utf8");
}

function runProgram(
  program: Program,
  options: readonly string[],
): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [path.join(repository, programs[program]), ...options], {
    encoding: "utf8",
    timeout: 30_000,
  });
}

/** 0 without a bash that reads paths as Node does. */
function bashVersion(): number {
  if (process.platform === "win32") return 0;
  return Number(spawnSync("bash", ["-c", "echo $BASH_VERSINFO"], { encoding: "utf8", timeout: 10_000 }).stdout);
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"], { timeout: 10_000 }).error === undefined;
}
