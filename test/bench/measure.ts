import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { repository } from "./places.js";

/** A program of Node that writes files. */
export interface Program {
  readonly name: string;
  /** Returns the script and its arguments; `out` is an existing empty folder. */
  readonly args: (out: string) => readonly string[];
  /** How the name of a file ends that it writes. Default: `.ts`. */
  readonly writes?: string;
}

/** What one run took, from the start of the process to its end. */
export interface Usage {
  /** Seconds. */
  readonly wall: number;
  /** Seconds of user and system time, in all threads and in children that run on Node. */
  readonly cpu: number;
  /** The peak of the resident set, in MiB; of the largest process where there are several. */
  readonly memory: number;
}

export interface Conditions {
  /** Absolute path of the Node that runs the programs. */
  readonly node: string;
  readonly rounds: number;
  /** The output folder of the programs, emptied before each run. */
  readonly folder: string;
  readonly say: (text: string) => void;
}

/**
 * Runs the programs in turns, A B C A B C …, so that other load of the machine affects them alike: one round that is not counted, then the
 * others. Throws when a program fails or writes nothing.
 */
export async function measure(
  programs: readonly Program[],
  { node, rounds, folder, say }: Conditions,
): Promise<ReadonlyMap<string, readonly Usage[]>> {
  const usages = new Map<string, Usage[]>(programs.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const program of programs) {
      const usage = await runOnce(program, node, folder);
      say(
        `${round === 0 ? "warming up" : `round ${round} of ${rounds}`}: ${program.name} ${usage.wall.toFixed(2)} s, ${usage.memory.toFixed(0)} MiB`,
      );
      if (round > 0) usages.get(program.name)?.push(usage);
    }
  }
  return usages;
}

/**
 * Runs a program once, with the output folder `out` in `folder`, which stays until the next run. Throws when it fails or writes
 * nothing.
 */
export async function runOnce({ name, args, writes = ".ts" }: Program, node: string, folder: string): Promise<Usage> {
  const [out, reported] = [path.join(folder, "out"), path.join(folder, "report")];
  for (const each of [out, reported]) {
    await rm(each, { recursive: true, force: true });
    await mkdir(each, { recursive: true });
  }
  // In the environment and not an argument, since a command may do its work in a child.
  const hook = pathToFileURL(path.join(repository, "test", "bench", "usage.mjs")).href;
  const env = { ...process.env, NO_COLOR: "1", NODE_OPTIONS: `--import=${hook}`, PLUMBLINE_USAGE: reported };
  const started = performance.now();
  const child = spawn(node, args(out), { cwd: folder, stdio: ["ignore", "pipe", "pipe"], env });
  const [{ code, wall }, said, complained] = await Promise.all([
    new Promise<{ readonly code: number | null; readonly wall: number }>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (status) => resolve({ code: status, wall: (performance.now() - started) / 1000 }));
    }),
    text(child.stdout),
    text(child.stderr),
  ]);
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${lastLines(said + complained)}`);
  const written = await readdir(out, { recursive: true });
  if (!written.some((file) => file.endsWith(writes)))
    throw new Error(`${name} wrote no file ${writes}:\n${lastLines(said)}`);
  const processes = (await readdir(reported)).map((file) => readUsage(path.join(reported, file)));
  if (processes.length === 0) throw new Error(`${name} did not report its time.`);
  const cpu = processes.reduce((sum, each) => sum + each.cpu, 0);
  return { wall, cpu, memory: Math.max(...processes.map(({ memory }) => memory)) };
}

function readUsage(file: string): Pick<Usage, "cpu" | "memory"> {
  return JSON.parse(readFileSync(file, "utf8")) as Pick<Usage, "cpu" | "memory">;
}

function lastLines(output: string): string {
  return output.trim().split("\n").slice(-12).join("\n");
}
