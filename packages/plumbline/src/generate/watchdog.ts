import { escapeControlCharacters, formatDiagnostics, type Diagnostic } from "@plumbline/kit/model";

/** Third-party code that runs in this process. */
export interface WatchdogOptions {
  readonly name: string;
  /** Creates the diagnostic for a process that ends before the code does. Its path is relative to the current folder. */
  readonly describeExit: (how: string) => Diagnostic;
}

/**
 * Runs third-party code, and returns its result. After five seconds a message on standard error says that it is still running. Where the
 * code ends the process, for instance by `process.exit`, the command reports it and fails.
 */
export async function withWatchdog<T>({ name, describeExit }: WatchdogOptions, work: () => Promise<T>): Promise<T> {
  const seconds = slowWarningMs / 1000;
  const late = setTimeout(
    () => writeStatus(`${escapeControlCharacters(name)} is still running after ${seconds} s.\n`),
    slowWarningMs,
  );
  const report = (code: number): void => {
    const how = `ended the command, by process.exit or an error outside of its promise (exit code ${code})`;
    writeStatus(
      formatDiagnostics([describeExit(how)], { format: "text", color: false, codeFrames: false, read: () => "" }),
    );
    process.exitCode = 1;
  };
  process.on("exit", report);
  exitListeners.add(report);
  try {
    return await work();
  } finally {
    clearTimeout(late);
    process.off("exit", report);
    exitListeners.delete(report);
  }
}

/** Exits where third-party code is still running, which would keep the process alive. */
export function exitIfStillRunning(): void {
  if (exitListeners.size === 0) return;
  for (const report of exitListeners) process.off("exit", report);
  process.exit(0);
}

const exitListeners = new Set<(code: number) => void>();
const slowWarningMs = 5000; // milliseconds

/** Writes to standard error; on a terminal it replaces the progress line. */
function writeStatus(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : text);
}
