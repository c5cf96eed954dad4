import { harmless, print } from "./report.js";
import type { Problem } from "./problem.js";

/** Code of somebody else's that runs in this process. */
export interface Overseen {
  readonly name: string;
  /** What is told where the process ends before the code does, with files as seen from where the command runs. */
  readonly ended: (how: string) => Problem;
}

/**
 * What somebody else's code comes to. Standard error says so when that takes long. Where the process ends meanwhile, as by `process.exit`, the
 * command says why and fails.
 */
export async function overseen<T>({ name, ended }: Overseen, work: () => Promise<T>): Promise<T> {
  const seconds = patience / 1000;
  const late = setTimeout(
    () => say(`${harmless(name)} has been running for ${seconds} s, and is waited for.\n`),
    patience,
  );
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

/** Ends the process where such code is still running, which would keep it from ending. */
export function leaveOverseen(): void {
  if (running.size === 0) return;
  for (const tell of running) process.off("exit", tell);
  process.exit(0);
}

const running = new Set<(code: number) => void>();
const patience = 5000; // milliseconds

/** On a terminal in the place of the line that tells how far the command has come. */
function say(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : text);
}
