import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { PassThrough, type Readable } from "node:stream";
import { shareLintWorker } from "@plumbline/kit/openapi/lint-worker";
import { main } from "../../packages/plumbline/dist/cli.js";
import { interrupter } from "./interrupter.js";
import { plumblineProgram } from "./run.js";

/** `plumbline mock` that runs. */
export interface RunningMock {
  /** Where the API begins. Empty if the mock has not started. */
  readonly url: string;
  /** Where the process listens. */
  readonly origin: string;
  /** The lines of standard output and standard error so far. */
  readonly lines: readonly string[];
  /** Waits for a line that matches, at or after an index. Returns it. Fails when the mock has ended. */
  waitFor(pattern: RegExp, from?: number): Promise<string>;
  /** Ends the mock as Ctrl-C does. Returns its exit code. */
  end(): Promise<unknown>;
}

/** Starts `plumbline mock` with these arguments at a free port, in a process of its own. Its user ends it. */
export async function startMock(folder: string, args: readonly string[]): Promise<RunningMock> {
  const child = spawn(process.execPath, [plumblineProgram, "mock", ...args, "--port", "0"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit").then(([code]) => code as unknown);
  return follow([child.stdout, child.stderr], exited, () => child.kill("SIGINT"));
}

/** The same in this process, where its modules are loaded. What ends one ends the mocks that were started after it, too. */
export async function startMockHere(folder: string, args: readonly string[]): Promise<RunningMock> {
  shareLintWorker();
  const interrupt = interrupter();
  const [out, error] = [new PassThrough(), new PassThrough()];
  const exited = main(["mock", ...args, "--port", "0"], { stdout: out, stderr: error, folder }).finally(() => {
    out.end();
    error.end();
  });
  return follow([out, error], exited, interrupt);
}

async function follow(
  streams: readonly Readable[],
  exited: Promise<unknown>,
  interrupt: () => void,
): Promise<RunningMock> {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const readers = streams.map((stream) =>
    createInterface(stream).on("line", (line) => {
      lines.push(line);
      for (const check of waiting) check();
    }),
  );
  const ended = Promise.all(readers.map((reader) => once(reader, "close"))).then(() => exited);
  const waitFor = async (pattern: RegExp, from = 0): Promise<string> =>
    new Promise((resolve, reject) => {
      const finish = (report: () => void): void => {
        waiting.delete(check);
        report();
      };
      const check = (): void => {
        const found = lines.slice(from).find((line) => pattern.test(line));
        if (found !== undefined) finish(() => resolve(found));
      };
      const fail = (reason: string): void =>
        finish(() => reject(new Error(`No line matches ${pattern}: ${reason}\n${lines.join("\n")}`)));
      waiting.add(check);
      void ended.then(() => fail("the mock has ended."));
      check();
    });
  const first = await waitFor(/http:/).catch(() => "");
  const [url = ""] = /http:\/\/[^\s"]+/.exec(first) ?? [];
  return {
    url,
    origin: url === "" ? "" : new URL(url).origin,
    lines,
    waitFor,
    end: async () => {
      interrupt();
      return exited;
    },
  };
}
