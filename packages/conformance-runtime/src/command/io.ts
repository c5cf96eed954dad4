/** The streams and the environment of a command. Node's `process` is one. */
export interface CommandIo {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder to which paths are relative. */
  cwd(): string;
  once(signal: Interrupt, listener: () => void): unknown;
  removeListener(signal: Interrupt, listener: () => void): unknown;
}

export interface Output {
  /** True when the stream is a terminal. */
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
  on?(event: "error", listener: (error: Error) => void): unknown;
}

/** The signal that stops a run. */
export type Interrupt = "SIGINT" | "SIGTERM";

/** Colors are used on terminals only, and not with NO_COLOR (no-color.org). */
export function isColorful(output: Output, env: CommandIo["env"]): boolean {
  return output.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
