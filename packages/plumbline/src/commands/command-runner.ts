import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";

/** Runs a command after a change. A later change ends the run and starts another one. */
export interface CommandRunner {
  /** Starts the command, after ending a current run. Resolves with the exit code; with undefined where a later run or `stop` ended it. */
  readonly run: () => Promise<number | undefined>;
  /** Ends the command. A later `run` does nothing. */
  readonly stop: () => Promise<void>;
}

export interface CommandRunnerOptions {
  readonly folder: string;
  readonly quiet: boolean;
  /** Milliseconds between SIGTERM and SIGKILL. Default: 5000. */
  readonly gracePeriodMs?: number;
}

/** Creates a runner. The command runs in the system's shell with the output of this process; with `quiet`, its output goes to standard error. */
export function createCommandRunner(
  command: string,
  { folder, quiet, gracePeriodMs = 5000 }: CommandRunnerOptions,
): CommandRunner {
  let current: ChildProcess | undefined;
  let ending: Promise<unknown> = Promise.resolve();
  let lastRun = 0;
  let isStopped = false;

  async function endRunning(): Promise<void> {
    if (current !== undefined) ending = terminate(current, gracePeriodMs);
    current = undefined;
    await ending; // concurrent requests wait for the same end
  }

  return {
    stop: async () => {
      isStopped = true;
      await endRunning();
    },
    run: async () => {
      lastRun += 1;
      const run = lastRun;
      await endRunning();
      if (isStopped || run !== lastRun) return undefined;
      // A process group of its own, so that the processes of the shell end with it.
      const started = spawn(command, {
        cwd: folder,
        shell: true,
        detached: process.platform !== "win32",
        // The fourth stream carries no data: it closes when all processes of the shell have ended, which may be after the shell.
        stdio: ["ignore", quiet ? 2 : "inherit", "inherit", "pipe"],
      });
      current = started;
      // Background processes of the shell have to end too.
      started.once("close", () => (current = current === started ? undefined : current));
      return new Promise((resolve) => {
        const report = (exit: number): void => resolve(current === started ? exit : undefined);
        started.once("error", () => report(127));
        started.once("exit", (code, name) => report(code ?? (name === null ? 1 : 128 + constants.signals[name])));
      });
    },
  };
}

/** Resolves when all processes have ended, or after SIGKILL. */
async function terminate(child: ChildProcess, patience: number): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  await new Promise<void>((resolve) => {
    const late = setTimeout(() => (sendSignal(pid, "SIGKILL"), resolve()), patience);
    child.once("close", () => (clearTimeout(late), resolve()));
    sendSignal(pid, "SIGTERM");
  });
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, name);
  } catch {
    // The process has ended already.
  }
}
