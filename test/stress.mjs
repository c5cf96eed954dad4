// Three runs of `npm test` while the machine is busy: `npm run test:stress -w test`. Ends with the line of each run. Exit code 1 if one failed.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./run/workspaces.mjs";

/**
 * A run that has ended: the commit, and the last line of `npm test`.
 *
 * @typedef {{ readonly commit: string, readonly line: string, readonly passed: boolean }} Run
 */

const count = 3;
const folder = path.join(root, "test", "reports", "stress");
const list = path.join(folder, "runs.json");

const commit = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).stdout.trim();
/** The runs of this commit that have ended: a script that is started again continues after them. */
const runs = readRuns().filter((run) => run.commit === commit);

mkdirSync(folder, { recursive: true });
const load = startLoad();
try {
  for (let number = runs.length + 1; number <= count; number += 1) {
    console.log(`== run ${number} of ${count}`);
    runs.push(await runTests(number));
    writeFileSync(list, JSON.stringify(runs));
  }
} finally {
  for (const each of load) each.kill("SIGKILL");
  rmSync(path.join(folder, "written"), { force: true });
}
for (const [index, { line }] of runs.entries()) console.log(`run ${index + 1}: ${line}`);
process.exitCode = runs.every(({ passed }) => passed) ? 0 : 1;

/** Two loops that are always busy, and a program that writes 256 MiB to the disk again and again. */
function startLoad() {
  const busy = "for (;;);";
  const write = `
    const { closeSync, fsyncSync, openSync, writeSync } = require("node:fs");
    const block = Buffer.alloc(2 ** 20, "x");
    for (;;) {
      const file = openSync(process.argv[1], "w");
      for (let count = 0; count < 256; count += 1) writeSync(file, block);
      fsyncSync(file);
      closeSync(file);
    }`;
  const programs = [[busy], [busy], [write, path.join(folder, "written")]];
  return programs.map((args) => spawn(process.execPath, ["-e", ...args], { stdio: "ignore" }));
}

/**
 * Runs all tests, without results of an earlier run.
 *
 * @param {number} number
 * @returns {Promise<Run>}
 */
async function runTests(number) {
  const log = path.join(folder, `run-${number}.log`);
  const env = { ...process.env, TURBO_FORCE: "true" };
  const child = spawn("npm", ["test", "--silent"], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  /** @type {Buffer[]} */
  const output = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (/** @type {Buffer} */ part) => output.push(part));
  const code = await new Promise((resolve) => child.on("close", resolve));
  const text = Buffer.concat(output).toString();
  writeFileSync(log, text);
  const [, minutes = ""] = /^(\d+\.\d+ min\b.*)$/m.exec(text) ?? [];
  const line = `${text.trim().split("\n").at(-1)} (${minutes}; ${path.relative(root, log)})`;
  return { commit, line, passed: code === 0 };
}

/** @returns {Run[]} */
function readRuns() {
  return existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
}
