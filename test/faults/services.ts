import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { SourceEdit } from "./fault.js";
import { repositoryRoot } from "./repository.js";
import { applyEdit } from "./source-edits.js";

/** A running service. */
export interface RunningService {
  readonly url: string;
  readonly controls: string;
  readonly token: string;
  close(): Promise<void>;
}

/** A process that runs several services, each with its own edits. */
export interface ServiceProcess {
  start(edits: readonly SourceEdit[]): Promise<RunningService>;
  /** Ends the process and its services. */
  close(): Promise<void>;
}

export function startServiceProcess(): ServiceProcess {
  const child = fork(path.join(repositoryRoot, "test", "faults", "program.mjs"), [], {
    // In production the server does not validate its own responses, so faults in them reach the client.
    env: { ...process.env, NODE_ENV: "production" },
    execArgv: [],
  });
  const ended = once(child, "exit");
  const waiting = new Map<number, (answer: ServiceResponse) => void>();
  child.on("message", (answer: ServiceResponse) => waiting.get(answer.id)?.(answer));
  child.on("exit", (code, signal) => {
    for (const [id, resolve] of waiting) resolve({ id, error: `the services ended with ${code ?? signal}` });
  });
  const ask = async (request: Request): Promise<ServiceResponse> => {
    const answer = await new Promise<ServiceResponse>((resolve) => {
      waiting.set(request.id, resolve);
      child.send(request, (error) => {
        if (error !== null) resolve({ id: request.id, error: error.message });
      });
    });
    waiting.delete(request.id);
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  };
  let count = 0;
  return {
    start: async (edits) => {
      const id = (count += 1);
      const { ready } = await ask({ id, program, sources: sourcesOf(edits), args });
      if (ready === undefined) throw new Error("a service started, but its address is unknown");
      return { ...ready, close: async () => void (await ask({ id, stop: true })) };
    },
    close: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const program = pathToFileURL(path.join(repositoryRoot, "packages", "service", "dist", "index.js")).href;
const args = ["--data", ":memory:", "--pace", "0", "--port", "0", "--controls-port", "0", "--log", "silent"];

type Request = { readonly id: number } & (
  | { readonly program: string; readonly sources: Readonly<Record<string, string>>; readonly args: readonly string[] }
  | { readonly stop: true }
);

interface ServiceResponse {
  readonly id: number;
  readonly ready?: Omit<RunningService, "close">;
  readonly error?: string;
}

/** The texts of edited files, by URL. */
export function sourcesOf(edits: readonly SourceEdit[]): Readonly<Record<string, string>> {
  const texts = new Map<string, string>();
  for (const edit of edits) {
    const file = path.join(repositoryRoot, edit.file);
    texts.set(file, applyEdit(texts.get(file) ?? readFileSync(file, "utf8"), edit));
  }
  return Object.fromEntries([...texts].map(([file, text]) => [pathToFileURL(file).href, text]));
}
