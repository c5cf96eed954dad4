import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { repository } from "./places.js";

/** What the service prints when it is ready. */
export interface Ready {
  readonly url: string;
  readonly controls: string | null;
  readonly token: string;
}

const built = path.join(repository, "packages", "service", "bin", "cloud-compute.js");

/** Starts the service with these options, until the test ends. */
export async function startService(options: readonly string[], program = built): Promise<Ready> {
  const child = spawn(process.execPath, [program, "serve", "--log", "error", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const early = ended.then(([code]) => {
    throw new Error(`the service ended with ${code} before it was ready`);
  });
  const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), early])) as [string];
  return JSON.parse(line) as Ready;
}
