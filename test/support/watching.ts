import { spawn } from "node:child_process";
import { once } from "node:events";
import { utimesSync } from "node:fs";
import { createInterface } from "node:readline";
import { PassThrough, type Readable } from "node:stream";
import { shareLintWorker } from "@plumbline/kit/openapi/lint-worker";
import { onTestFinished } from "vitest";
import { main } from "../../packages/plumbline/dist/cli.js";
import { interrupter } from "./interrupter.js";
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
  | { readonly event: "unchanged" }
  | { readonly event: "ran"; readonly command: string; readonly exit: number };

export interface Watched {
  /** The next event of a run. */
  readonly next: () => Promise<WatchEvent>;
  /** Waits until the watcher has looked at its inputs again. Fails if that, or anything before, led to a run. */
  readonly looks: () => Promise<void>;
  /** Touches an input, and waits until the watcher has looked. Fails if that, or anything before, led to a run. */
  readonly rests: (input: string) => Promise<void>;
  /** Ends it like Ctrl-C; returns its exit code. */
  readonly end: () => Promise<number | null>;
}

/** Watches a folder in this process, until the test ends. One at a time: the signal that ends it ends all of a process. */
export function watchIn(folder: string, options: readonly string[] = []): Watched {
  shareLintWorker();
  const interrupt = interrupter();
  const out = new PassThrough();
  const ended = main([...watching, ...options], { stdout: out, stderr: process.stderr, folder });
  return watchedOf(out, () => {
    interrupt();
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

  const take = async (): Promise<WatchEvent> => reported.shift() ?? new Promise((resolve) => waiting.push(resolve));
  const looks = async (): Promise<void> => {
    const event = await take();
    if (event.event !== "unchanged") throw new Error(`Unexpected report: ${JSON.stringify(event)}.`);
  };

  return {
    end,
    looks,
    next: async () => {
      for (;;) {
        const event = await take();
        if (event.event !== "unchanged") return event;
      }
    },
    rests: async (input) => {
      // A look that began before the touch may answer the first.
      for (const seconds of [1, 2]) {
        utimesSync(input, seconds, seconds);
        await looks();
      }
    },
  };
}
