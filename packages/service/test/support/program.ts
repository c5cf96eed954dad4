import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createClient, type Client } from "@cloud-compute/client";
import * as controls from "@cloud-compute/controls-client";
import { onTestFinished } from "vitest";
import { keepingAnswers } from "../../src/answers.support.js";

const program = fileURLToPath(new URL("../../bin/cloud-compute.js", import.meta.url));

/** The program, running as a process of its own. */
export interface Program {
  readonly url: string;
  readonly pid: number;
  readonly admin: Client;
  readonly controls: controls.Client;
  as(token: string): Client;
  /** Ends it as the system does when asked for it, and gives its exit code; null when a signal ended it. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
  /** What it has written on stderr. */
  log(): string;
}

/** The token of the first user. */
export const token: string = "0123456789abcdef".repeat(4);

/**
 * Starts the program on free ports with the controls on, and waits until it is ready. It ends with the test at the latest; a hook, where no test is running yet,
 * says what ends it instead.
 */
export async function run(
  args: readonly string[],
  endWith: (end: () => Promise<void>) => void = onTestFinished,
): Promise<Program> {
  const ports = ["--port", "0", "--controls-port", "0"];
  const child = spawn(process.execPath, [program, "serve", ...ports, "--log", "warn", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, CLOUD_COMPUTE_TOKEN: token },
  });
  const exited = once(child, "exit") as Promise<[number | null]>;
  const end = async (signal: "SIGTERM" | "SIGKILL"): Promise<number | null> => {
    child.kill(signal);
    const [code] = await exited;
    return code;
  };
  endWith(async () => {
    if (child.exitCode === null && child.signalCode === null) await end("SIGKILL");
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  const ended = exited.then(([code]) => {
    throw new Error(`the program ended with ${code} before it was ready: ${log}`);
  });
  const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), ended])) as [string];
  const ready = JSON.parse(line) as { readonly url: string; readonly controls: string };
  return {
    url: ready.url,
    pid: child.pid ?? 0,
    admin: createClient({ baseUrl: ready.url, token, ...keepingAnswers }),
    controls: controls.createClient({ baseUrl: ready.controls }),
    as: (its) => createClient({ baseUrl: ready.url, token: its, ...keepingAnswers }),
    end,
    log: () => log,
  };
}
