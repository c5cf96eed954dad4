import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import path from "node:path";
import { repository } from "./places.js";

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

export interface Surroundings {
  /** The folder that the process runs in. */
  readonly in: string;
  /** Beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** How many milliseconds it may take, where that is not two minutes. */
  readonly timeout?: number;
}

/** Runs a program of Node, in the same way. */
export async function runNode(args: readonly string[], surroundings: Surroundings): Promise<Ended> {
  return run(process.execPath, args, surroundings);
}

/** Runs the `plumbline` command as its package names it. */
export async function plumbline(args: readonly string[], surroundings: Surroundings): Promise<Ended> {
  return runNode([path.join(repository, "generators", "bin", "plumbline.js"), ...args], surroundings);
}

/** One run of the command. */
export interface Command {
  readonly args: readonly string[];
  readonly in: string;
}

/** Runs the `plumbline` command several times, in a process that another program makes, which is given it as its last arguments. */
export async function plumblineUnder(
  [program = "", ...options]: readonly string[],
  commands: readonly Command[],
): Promise<readonly Ended[]> {
  const script = path.join(repository, "test", "support", "run-each.mjs");
  const list = JSON.stringify(commands.map((each) => ({ args: each.args, folder: each.in })));
  const ended = await run(program, [...options, process.execPath, script, list], { in: repository });
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
  { in: cwd, env, timeout = 120_000 }: Surroundings,
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
