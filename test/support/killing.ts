import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { repository, temporaryFolder } from "./places.js";

/** Numbers from 0 to 1 that a seed repeats. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Runs a program of Node in a folder and kills it, as `kill -9` does, in the middle of a step on the disk, if it has as many. */
export async function killed(args: readonly string[], folder: string, step: number): Promise<void> {
  await (
    await started(args, folder, { step, signal: "SIGKILL" })
  ).ended;
}

/** Runs a program of Node and stops it in the middle of a step on the disk. The result can resume it, and has its exit code. */
export async function stopped(
  args: readonly string[],
  folder: string,
  step: number,
): Promise<() => Promise<number | null>> {
  const { child, ended, report } = await started(args, folder, { step, signal: "SIGSTOP" });
  while (child.exitCode === null && !existsSync(report)) await setImmediate();
  return async () => {
    child.kill("SIGCONT");
    await ended;
    return child.exitCode;
  };
}

/** The number of steps of a run on the disk. */
export async function stepsOf(args: readonly string[], folder: string): Promise<number> {
  const { ended, report } = await started(args, folder);
  await ended;
  return Number(readFileSync(report, "utf8"));
}

interface Stop {
  readonly step: number;
  readonly signal: NodeJS.Signals;
}

async function started(
  args: readonly string[],
  folder: string,
  stop?: Stop,
): Promise<{ readonly child: ChildProcess; readonly ended: Promise<void>; readonly report: string }> {
  const report = path.join(await temporaryFolder(), "steps");
  const at = stop === undefined ? {} : { STOP_AT: String(stop.step), STOP_WITH: stop.signal };
  const child = spawn(process.execPath, ["--import", path.join(repository, "test/support/stop-at.mjs"), ...args], {
    cwd: folder,
    stdio: "ignore",
    env: { ...process.env, ...at, STOP_REPORT: report },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<void>((resolve, reject) => child.once("error", reject).once("close", () => resolve()));
  return { child, ended, report };
}

/** Whether a folder has the lock of a run that writes there, or was killed while writing. */
export function isWriting(folder: string): boolean {
  return ticketsIn(folder) > 0;
}

/** The number of runs that write to a folder, or wait for it. */
export function ticketsIn(folder: string): number {
  return readdirSync(folder).filter((name) => /^\.plumbline\.\d+\./.test(name)).length;
}
