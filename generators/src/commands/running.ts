import { spawn, type ChildProcess } from "node:child_process";

/** A command that is run after a change: a later change ends it, and begins it again. */
export interface Runner {
  /** Ends it where it is running, and runs it. Resolves with its exit code; with undefined where it was ended. */
  readonly run: () => Promise<number | undefined>;
  readonly stop: () => Promise<void>;
}

/** By the shell of the system, with the output of this process; with `quiet` its output goes to standard error. */
export function runnerOf(
  command: string,
  { folder, quiet }: { readonly folder: string; readonly quiet: boolean },
): Runner {
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();

  async function stop(): Promise<void> {
    const running = child;
    child = undefined;
    if (running?.pid === undefined) return;
    end(running.pid);
    await ended;
  }

  return {
    stop,
    run: async () => {
      await stop();
      // A group of its own, so that what the shell has started ends with it.
      const started = spawn(command, {
        cwd: folder,
        shell: true,
        detached: process.platform !== "win32",
        stdio: ["ignore", quiet ? 2 : "inherit", "inherit"],
      });
      child = started;
      const code = new Promise<number | undefined>((resolve) => {
        started.once("error", () => resolve(127));
        started.once("exit", (exit) => resolve(exit ?? undefined));
      });
      ended = code;
      const exit = await code;
      if (child !== started) return undefined;
      child = undefined;
      return exit;
    },
  };
}

function end(pid: number): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGTERM");
  } catch {
    // It has ended by itself.
  }
}
