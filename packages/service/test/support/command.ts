import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { built } from "./program.js";

/** A command of the program. */
export interface RunningCommand {
  readonly stdin: NodeJS.WritableStream;
  /** What it has written so far. */
  readonly output: () => string;
  readonly kill: () => void;
  /** The exit code. Null if a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** Starts a command, with variables besides those of the test. It ends with the test at the latest. */
export function startCommand(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): RunningCommand {
  const child = spawn(process.execPath, [built, ...args], { env: { ...process.env, ...variables } });
  const kill = (): void => void child.kill("SIGKILL");
  onTestFinished(kill);
  // It may end before it has read all of its input.
  child.stdin.on("error", () => {});
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = (once(child, "close") as Promise<[number | null]>).then(([code]) => code);
  return { stdin: child.stdin, output: () => output, kill, ended };
}

/** Runs a command without input. Returns its exit code and its output. */
export async function runCommand(...args: readonly string[]): Promise<readonly [code: number | null, output: string]> {
  const { stdin, output, ended } = startCommand(args);
  stdin.end();
  return [await ended, output()];
}
