import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { edited } from "./editing.js";
import type { Edit, Fault } from "./fault.js";
import { repository } from "./places.js";
import { startProxy } from "./proxy.js";
import type { Route } from "./routes.js";

/** A service that runs. */
export interface Running {
  readonly url: string;
  readonly controls: string;
  readonly token: string;
  close(): Promise<void>;
}

/** Starts the service with a fault, or, without one, as it is. */
export async function startFaulty(fault: Fault | undefined, routes: ReadonlyMap<string, Route>): Promise<Running> {
  const service = await startService(fault !== undefined && "edits" in fault ? fault.edits : []);
  if (fault === undefined || "edits" in fault) return service;
  const route = routes.get(fault.operation);
  if (route === undefined) throw new Error(`${fault.id}: there is no operation ${fault.operation}`);
  const proxy = await startProxy(service.url, { route, wire: fault.wire });
  return {
    ...service,
    url: proxy.url,
    close: async () => {
      await proxy.close();
      await service.close();
    },
  };
}

/** The texts of edited files, by their addresses. */
export function sourcesOf(edits: readonly Edit[]): Readonly<Record<string, string>> {
  const texts = new Map<string, string>();
  for (const edit of edits) {
    const file = path.join(repository, edit.file);
    texts.set(file, edited(texts.get(file) ?? readFileSync(file, "utf8"), edit));
  }
  return Object.fromEntries([...texts].map(([file, text]) => [pathToFileURL(file).href, text]));
}

async function startService(edits: readonly Edit[]): Promise<Running> {
  const sources = sourcesOf(edits);
  const program = pathToFileURL(path.join(repository, "packages", "service", "dist", "main.js")).href;
  const options = ["--data", ":memory:", "--pace", "0", "--port", "0", "--controls-port", "0", "--log", "silent"];
  const child = spawn(
    process.execPath,
    [path.join(repository, "test", "faults", "program.mjs"), "serve", ...options],
    // In production no reply is judged before it leaves: what is wrong with it is for clients to find.
    { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, NODE_ENV: "production" } },
  );
  child.stdin.end(JSON.stringify({ sources, program }));
  const ended = once(child, "exit");
  const early = ended.then(([code]) => {
    throw new Error(`the service ended with ${String(code)} before it was ready`);
  });
  const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), early])) as [string];
  early.catch(() => undefined);
  const { url, controls, token } = JSON.parse(line) as Omit<Running, "close">;
  const close = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  return { url, controls, token, close };
}
