import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createClient, type Client } from "@cloud-compute/client";
import { onTestFinished } from "vitest";
import { recordResponses } from "../../src/recorded-responses.support.js";
import * as controls from "../../src/testing/index.js";

/** The program. */
export const built: string = fileURLToPath(new URL("../../bin/cloud-compute.js", import.meta.url));

/** The program as a separate process. */
export interface Program {
  readonly url: string;
  readonly pid: number;
  readonly admin: Client;
  readonly controls: controls.Client;
  as(token: string): Client;
  /** Ends the process with a signal. Returns its exit code, or null if the signal ended it. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
  /** The output on stderr. */
  log(): string;
}

/** The token of the first user. */
export const token: string = "0123456789abcdef".repeat(4);

/**
 * Starts the program on free ports with the test controls, and waits until it is ready. It ends with the test at the latest. A hook, which has no
 * current test, passes a function that registers the end. `program` is the built one, or that of another release.
 */
export async function run(
  args: readonly string[],
  endWith: (end: () => Promise<void>) => void = onTestFinished,
  { program = built, within = [] }: { readonly program?: string; readonly within?: readonly string[] } = {},
): Promise<Program> {
  const ports = ["--port", "0", "--controls-port", "0"];
  const [file, ...before] = [...within, process.execPath];
  const child = spawn(file, [...before, program, "serve", ...ports, "--log", "warn", ...args], {
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
    admin: createClient({ baseUrl: ready.url, token, ...recordResponses }),
    controls: controls.createClient({ baseUrl: ready.controls }),
    as: (its) => createClient({ baseUrl: ready.url, token: its, ...recordResponses }),
    end,
    log: () => log,
  };
}

/** The memory of a program, in bytes. */
export function residentOf({ pid }: Pick<Program, "pid">): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}
