import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { onTestFinished } from "vitest";

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

/** Milliseconds from the start of a run, or from when it begins to write to a package. */
export interface Moment {
  readonly since: "start" | "writing";
  readonly milliseconds: number;
}

/** Runs a program of Node in a folder and kills it, as `kill -9` does, at a moment, if it has not ended by then. */
export async function killed(args: readonly string[], folder: string, at: Moment, writesTo: string): Promise<void> {
  const { child, ended } = started(args, folder);
  const from = at.since === "start" ? performance.now() : await writing(child, writesTo);
  while (child.exitCode === null && performance.now() - from < at.milliseconds) await setImmediate();
  child.kill("SIGKILL");
  await ended;
}

/** Runs a program of Node and stops it as soon as it writes. The result can resume it, and has its exit code. */
export async function stopped(
  args: readonly string[],
  folder: string,
  writesTo: string,
): Promise<() => Promise<number | null>> {
  const { child, ended } = started(args, folder);
  await writing(child, writesTo);
  child.kill("SIGSTOP");
  return async () => {
    child.kill("SIGCONT");
    await ended;
    return child.exitCode;
  };
}

/** The duration of a run, and of its writing to a package, in milliseconds. */
export async function lengthsOf(
  args: readonly string[],
  folder: string,
  writesTo: string,
): Promise<Readonly<Record<Moment["since"], number>>> {
  const begun = performance.now();
  const { child, ended } = started(args, folder);
  const from = await writing(child, writesTo);
  while (isWriting(writesTo)) await setImmediate();
  const length = performance.now() - from;
  await ended;
  return { start: performance.now() - begun, writing: length };
}

function started(args: readonly string[], folder: string): { child: ChildProcess; ended: Promise<void> } {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<void>((resolve, reject) => child.once("error", reject).once("close", () => resolve()));
  return { child, ended };
}

/** When a run begins to write; at the latest when it ends. */
async function writing(child: ChildProcess, folder: string): Promise<number> {
  while (child.exitCode === null && !isWriting(folder)) await setImmediate();
  return performance.now();
}

/** Whether a folder has the lock of a run that writes there, or was killed while writing. */
export function isWriting(folder: string): boolean {
  return ticketsIn(folder) > 0;
}

/** The number of runs that write to a folder, or wait for it. */
export function ticketsIn(folder: string): number {
  return readdirSync(folder).filter((name) => /^\.plumbline\.\d+\./.test(name)).length;
}
