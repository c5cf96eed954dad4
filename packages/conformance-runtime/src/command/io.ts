/** Where a command writes, and what surrounds it. Node's `process` is one. */
export interface CommandIo {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths begin at. */
  cwd(): string;
  once(signal: Interrupt, listener: () => void): unknown;
  removeListener(signal: Interrupt, listener: () => void): unknown;
}

export interface Output {
  /** Somebody is looking. */
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
  on?(event: "error", listener: (error: Error) => void): unknown;
}

/** What asks a run to stop. */
export type Interrupt = "SIGINT" | "SIGTERM";

/** Colours are for terminals, and for nobody who does not want them: see no-color.org. */
export function isColorful(output: Output, env: CommandIo["env"]): boolean {
  return output.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
