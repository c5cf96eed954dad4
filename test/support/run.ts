import { spawn } from "node:child_process";
import path from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { shareLintWorker } from "@plumbline/kit/openapi/lint-worker";
import { main } from "../../packages/plumbline/dist/cli.js";
import { deadlineOf } from "../run/deadline.mjs";
import { repository } from "./places.js";

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

export interface Surroundings {
  /** The folder that the program runs in. */
  readonly in: string;
  /** Beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** What standard input has. Default: that of this process. */
  readonly input?: string;
  /** Milliseconds that it may take. Default: half of what a test has. */
  readonly timeout?: number;
}

/** Runs a program of Node, in the same way. */
export async function runNode(args: readonly string[], surroundings: Surroundings): Promise<Ended> {
  return run(process.execPath, args, surroundings);
}

/** Compiles a project, or checks its types. With one checker, since tests run side by side: several resolve the same types again. */
export async function compileProject(project: string, surroundings: Surroundings): Promise<Ended> {
  return tsc(["-p", project], surroundings);
}

/** Runs the compiler that the repository has. */
export async function tsc(args: readonly string[], surroundings: Surroundings): Promise<Ended> {
  const program = path.join(repository, "node_modules", "typescript", "bin", "tsc");
  return runNode([program, ...args, "--singleThreaded"], surroundings);
}

/** The program of the `plumbline` command, as its package names it. */
export const plumblineProgram: string = path.join(repository, "packages", "plumbline", "bin", "plumbline.js");

/**
 * Runs the `plumbline` command in this process, where its modules and its linter are loaded once: one run at a time, since `env` holds for the
 * whole process. The current folder stays this process's own. Throws what would end the program with a stack trace.
 */
export async function plumbline(args: readonly string[], surroundings: Surroundings): Promise<Ended> {
  const ended = lastRun.then(() => runHere(args, surroundings));
  lastRun = ended.catch(() => undefined);
  return ended;
}

let lastRun: Promise<unknown> = Promise.resolve();

async function runHere(
  args: readonly string[],
  { in: folder, env = {}, input, timeout = longestRun }: Surroundings,
): Promise<Ended> {
  shareLintWorker();
  const command = ["plumbline", ...args].join(" ");
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const written = Promise.all([text(streams.stdout), text(streams.stderr)]);
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  try {
    const code = await within(
      timeout,
      command,
      main(args, { ...streams, folder, ...(input !== undefined && { input: new PassThrough().end(input) }) }),
    );
    streams.stdout.end();
    streams.stderr.end();
    const [out, error] = await written;
    return { code, out, error };
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** Milliseconds: less than a test has, so that a run which hangs fails its own test and no later one. */
const longestRun = deadlineOf(process.env["MODE"]) / 2;

async function within<T>(milliseconds: number, command: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${command} has not ended in ${milliseconds} ms`)), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Runs the `plumbline` command in a process of its own, which takes about a second of processor time to load it. */
export async function plumblineProcess(args: readonly string[], surroundings: Surroundings): Promise<Ended> {
  return runNode([plumblineProgram, ...args], surroundings);
}

/** Runs a script of this folder, which does what a list says, in a process that another program starts: it gets that as its last arguments. */
export async function eachUnder(
  [program = "", ...options]: readonly string[],
  script: string,
  list: readonly object[],
): Promise<readonly Ended[]> {
  const args = [...options, process.execPath, path.join(repository, "test", "support", script), JSON.stringify(list)];
  const ended = await run(program, args, { in: repository });
  if (ended.code !== 0) throw new Error(ended.error);
  return JSON.parse(ended.out) as readonly Ended[];
}

/** Runs npm, which has to get by without a network. */
export async function npm(args: readonly string[], surroundings: Surroundings): Promise<Ended> {
  const offline = { npm_config_offline: "true", npm_config_audit: "false", npm_config_fund: "false" };
  return run("npm", args, { ...surroundings, env: { ...surroundings.env, ...offline } });
}

/** Runs a program to its end, its output in pipes. When its time is over it is killed, and its code is null. */
export async function run(
  program: string,
  args: readonly string[],
  { in: cwd, env, timeout = longestRun }: Surroundings,
): Promise<Ended> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout,
  });
  const [code, out, error] = await Promise.all([
    new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve)),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, error };
}
