/** The streams and the environment of a command. Node's `process` is one. */
export interface CommandIo {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder to which paths are relative. */
  cwd(): string;
  once(signal: InterruptSignal, listener: () => void): unknown;
  removeListener(signal: InterruptSignal, listener: () => void): unknown;
}

export interface OutputStream {
  /** True when the stream is a terminal. */
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
  on?(event: "error", listener: (error: Error) => void): unknown;
}

/** The signal that stops a run. */
export type InterruptSignal = "SIGINT" | "SIGTERM";

/** Colors are used on terminals only, and not with NO_COLOR (no-color.org). */
export function supportsColor(output: OutputStream, env: CommandIo["env"]): boolean {
  return output.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
