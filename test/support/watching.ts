import { spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough, type Readable } from "node:stream";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { main } from "../../packages/plumbline/dist/cli.js";
import { shareLintWorker } from "@plumbline/openapi/lint-worker";
import { plumblineProgram } from "./run.js";

/** The output of `plumbline generate --watch --json`, a line each. */
export type WatchEvent =
  | {
      readonly event: "generated";
      readonly written: readonly string[];
      readonly removed: readonly string[];
      readonly unchanged: number;
      readonly pending: readonly string[];
    }
  | {
      readonly event: "error";
      readonly message?: string;
      readonly diagnostics?: readonly { readonly code: string; readonly origin: { readonly file: string } }[];
    }
  | { readonly event: "ran"; readonly command: string; readonly exit: number };

export interface Watched {
  /** The next event; fails if none arrives within 30 seconds. */
  readonly next: () => Promise<WatchEvent>;
  /** Fails when there is an event in the next half second. */
  readonly rests: () => Promise<void>;
  /** Ends it like Ctrl-C; returns its exit code. */
  readonly end: () => Promise<number | null>;
}

/** Watches a folder in this process, until the test ends. One at a time: the signal that ends it ends all of a process. */
export function watchIn(folder: string, options: readonly string[] = []): Watched {
  shareLintWorker();
  const out = new PassThrough();
  const ended = main([...watching, ...options], { out, error: process.stderr, folder });
  return watchedOf(out, () => {
    process.emit("SIGINT");
    return ended;
  });
}

/** The same in a process of its own. */
export function watchProcessIn(
  folder: string,
  options: readonly string[] = [],
): Watched & { readonly pid: number | undefined } {
  const child = spawn(process.execPath, [plumblineProgram, ...watching, ...options], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit") as Promise<[number | null]>;
  const watched = watchedOf(child.stdout, async () => {
    child.kill("SIGINT");
    const [code] = await ended;
    return code;
  });
  return { ...watched, pid: child.pid };
}

const watching = ["generate", "--watch", "--json"];

function watchedOf(out: Readable, end: Watched["end"]): Watched {
  const reported: WatchEvent[] = [];
  const waiting: ((event: WatchEvent) => void)[] = [];
  createInterface(out).on("line", (line) => {
    const event = JSON.parse(line) as WatchEvent;
    const first = waiting.shift();
    if (first === undefined) reported.push(event);
    else first(event);
  });
  onTestFinished(async () => void (await end()));

  return {
    end,
    next: async () => {
      const known = reported.shift();
      if (known !== undefined) return known;
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error("No report within 30 s.")), 30_000);
        waiting.push((event) => (clearTimeout(late), resolve(event)));
      });
    },
    rests: async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      if (reported.length > 0) throw new Error(`Unexpected reports: ${JSON.stringify(reported)}.`);
    },
  };
}
