/** The streams and the environment of a command. Node's `process` is one. */
export interface CommandIo {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  once(signal: StopSignal, listener: () => void): unknown;
}

export interface OutputStream {
  write(text: string): unknown;
}

/** The signals that stop a server. */
export type StopSignal = "SIGINT" | "SIGTERM";
