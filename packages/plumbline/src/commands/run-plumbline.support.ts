import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { main } from "../cli.js";

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs `plumbline` in this process, without a terminal. */
export async function runPlumbline(args: readonly string[], folder: string): Promise<CommandResult> {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const written = Promise.all([text(streams.stdout), text(streams.stderr)]);
  const io = { ...streams, folder } as unknown as Parameters<typeof main>[1];
  const code = await main(args, io);
  streams.stdout.end();
  streams.stderr.end();
  const [out, error] = await written;
  return { code, out, error };
}
