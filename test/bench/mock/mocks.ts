import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { peerFile, type Node } from "../peers.js";
import { repository } from "../places.js";
import type { MockedDescription } from "./descriptions.js";
import { sendRequest } from "./load.js";

/** The measured mocks, by their names. */
export const mocks = { plumbline: "plumbline mock", prism: "@stoplight/prism-cli mock" } as const;

export type MockName = keyof typeof mocks;

/** A mock that has responded to its first request. */
export interface StartedMock {
  readonly process: ChildProcess;
  readonly origin: string;
  /** Where the paths of the API begin. */
  readonly url: string;
  /** Seconds from the start of the process to its first response. */
  readonly seconds: number;
}

/** Seconds that a mock may take to start. */
const maxSeconds = 120;

/** Starts a mock, and asks for the same response until it gets it. */
export async function startMock(name: MockName, description: MockedDescription, node: Node): Promise<StartedMock> {
  const port = await freePort();
  const programs: Readonly<Record<MockName, readonly string[]>> = {
    plumbline: [path.join(repository, "packages", "plumbline", "bin", "plumbline.js"), "mock", description.file],
    prism: [peerFile("@stoplight/prism-cli", "dist/index.js"), "mock", description.file, "--verboseLevel", "silent"],
  };
  const args = [...programs[name], "--port", String(port)];
  const started = performance.now();
  const child = spawn(node.program, args, { stdio: "ignore" });
  const origin = `http://127.0.0.1:${port}`;
  // Prism serves paths without the base path of the description.
  const url = name === "prism" ? origin : origin + description.basePath;
  for (;;) {
    const status = await sendRequest(url, description.get).catch(() => undefined);
    const seconds = (performance.now() - started) / 1000;
    if (status === 200) return { process: child, origin, url, seconds };
    if (status !== undefined || child.exitCode !== null || seconds > maxSeconds)
      throw new Error(`${mocks[name]} of ${description.name} does not start: ${status ?? "no response"}.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export async function endMock({ process: child }: StartedMock): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** The resident set of a process, in MiB. */
export function residentMebibytes({ process: child }: StartedMock): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(child.pid)], { encoding: "utf8" })) / 1024;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
