import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";

/** A command that is run after a change: a later change ends it, and begins it again. */
export interface Runner {
  /** Ends it where it is running, and runs it. Resolves with its exit code; with undefined where it was ended, or a later run went first. */
  readonly run: () => Promise<number | undefined>;
  /** Ends it for good: whoever asks for a run after that gets none. */
  readonly stop: () => Promise<void>;
}

export interface Running {
  readonly folder: string;
  readonly quiet: boolean;
  /** Milliseconds that it has to end by itself. */
  readonly patience?: number;
}

/** By the shell of the system, with the output of this process; with `quiet` its output goes to standard error. */
export function runnerOf(command: string, { folder, quiet, patience = 5000 }: Running): Runner {
  let current: ChildProcess | undefined;
  let ending: Promise<unknown> = Promise.resolve();
  let asked = 0;
  let isStopped = false;

  async function endRunning(): Promise<void> {
    if (current !== undefined) ending = end(current, patience);
    current = undefined;
    await ending; // who asks while it is ending waits for the same end
  }

  return {
    stop: async () => {
      isStopped = true;
      await endRunning();
    },
    run: async () => {
      asked += 1;
      const own = asked;
      await endRunning();
      if (isStopped || own !== asked) return undefined;
      // A group of its own, so that what the shell has started ends with it.
      const started = spawn(command, {
        cwd: folder,
        shell: true,
        detached: process.platform !== "win32",
        // Nothing is written to the last one: it closes when all have ended that the shell has started, which may be after the shell.
        stdio: ["ignore", quiet ? 2 : "inherit", "inherit", "pipe"],
      });
      current = started;
      // What the shell leaves behind is to be ended too.
      started.once("close", () => (current = current === started ? undefined : current));
      return new Promise((resolve) => {
        const tell = (exit: number): void => resolve(current === started ? exit : undefined);
        started.once("error", () => tell(127));
        started.once("exit", (code, name) => tell(code ?? (name === null ? 1 : 128 + constants.signals[name])));
      });
    },
  };
}

/** Resolves when all of it is closed, or was made to end. */
async function end(child: ChildProcess, patience: number): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  await new Promise<void>((resolve) => {
    const late = setTimeout(() => (signal(pid, "SIGKILL"), resolve()), patience);
    child.once("close", () => (clearTimeout(late), resolve()));
    signal(pid, "SIGTERM");
  });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, name);
  } catch {
    // It has ended by itself.
  }
}
