import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { peersFolder } from "../../bench/peers.js";

/** A job for a tool. Files are absolute paths. */
export type ToolJob =
  | {
      readonly tool: "dredd";
      readonly server: string;
      readonly description: string;
      readonly hooks: string;
      /** The data for the hooks. */
      readonly request: string;
    }
  | {
      readonly tool: "newman";
      readonly collection: string;
      readonly variables: Readonly<Record<string, string>>;
    };

/** One test of a tool. */
export interface ToolTest {
  readonly name: string;
  readonly failed: boolean;
  /** The tool's message of the failure. */
  readonly reason?: string;
}

/** A worker process that runs tools. */
export interface ToolWorker {
  run(job: ToolJob): Promise<readonly ToolTest[]>;
  close(): void;
}

/** Starts a worker. A tool that does not end in time fails, and the next job gets a new process. */
export function openToolWorker(): ToolWorker {
  let child: ChildProcess | undefined;
  const close = (): void => {
    child?.kill("SIGKILL");
    child = undefined;
  };
  const run = async (job: ToolJob): Promise<readonly ToolTest[]> => {
    // Their results have all that they print.
    child ??= fork(fileURLToPath(new URL("worker.js", import.meta.url)), {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: { ...process.env, PEERS: peersFolder, NO_COLOR: "1" },
    });
    const used = child;
    const answer = new Promise<WorkerResponse>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`${job.tool} did not end within ${timeoutSeconds} s.`)),
        timeoutSeconds * 1000,
      );
      used.once("message", (message: WorkerResponse) => {
        clearTimeout(timer);
        resolve(message);
      });
      used.once("exit", (code) => {
        clearTimeout(timer);
        reject(new Error(`${job.tool} ended its process with ${String(code)}.`));
      });
      used.send(job);
    });
    try {
      const { tests, error } = await answer;
      if (tests === undefined) throw new Error(`${job.tool}: ${error ?? "no results"}`);
      return tests;
    } catch (error) {
      close();
      throw error;
    } finally {
      used.removeAllListeners("message").removeAllListeners("exit");
    }
  };
  return { run, close };
}

interface WorkerResponse {
  readonly tests?: readonly ToolTest[];
  readonly error?: string;
}

const timeoutSeconds = 25;
