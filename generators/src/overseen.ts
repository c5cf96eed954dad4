import { harmless, print } from "./report.js";
import type { Problem } from "./problem.js";

/** Third-party code that runs in this process. */
export interface Overseen {
  readonly name: string;
  /** Creates the diagnostic for a process that ends before the code does. Its path is relative to the current folder. */
  readonly ended: (how: string) => Problem;
}

/**
 * Runs third-party code, and returns its result. After five seconds a message on standard error says that it is still running. Where the
 * code ends the process, for instance by `process.exit`, the command reports it and fails.
 */
export async function overseen<T>({ name, ended }: Overseen, work: () => Promise<T>): Promise<T> {
  const seconds = patience / 1000;
  const late = setTimeout(() => say(`${harmless(name)} is still running after ${seconds} s.\n`), patience);
  const tell = (code: number): void => {
    const how = `ended the command, by process.exit or an error outside of its promise (exit code ${code})`;
    say(print([ended(how)], { format: "text", color: false, frames: false, read: () => "" }));
    process.exitCode = 1;
  };
  process.on("exit", tell);
  running.add(tell);
  try {
    return await work();
  } finally {
    clearTimeout(late);
    process.off("exit", tell);
    running.delete(tell);
  }
}

/** Exits where third-party code is still running, which would keep the process alive. */
export function leaveOverseen(): void {
  if (running.size === 0) return;
  for (const tell of running) process.off("exit", tell);
  process.exit(0);
}

const running = new Set<(code: number) => void>();
const patience = 5000; // milliseconds

/** Writes to standard error; on a terminal it replaces the progress line. */
function say(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : text);
}
