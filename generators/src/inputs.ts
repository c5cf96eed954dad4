import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { readFile, readdir, stat } from "node:fs/promises";
import type { SourceFile } from "./spec/place.js";

/** What a run has read: the hash of each file and of the names in each folder, by absolute path; null for what is not there. */
export interface Inputs {
  readonly files: Readonly<Record<string, string | null>>;
  readonly folders: Readonly<Record<string, string | null>>;
}

/** What files were read as, by the folder that their names count from, and their path: what has not changed is not parsed again. */
export type Parsed = Map<string, { readonly text: string; readonly source: SourceFile }>;

interface Recorder {
  /** Records what this one does, as well. */
  readonly outer: Recorder | undefined;
  readonly parsed: Parsed | undefined;
  readonly files: Map<string, string | null>;
  readonly folders: Map<string, string | null>;
  /** Files that are being read. */
  readonly pending: Set<Promise<unknown>>;
}

const recording = new AsyncLocalStorage<Recorder>();

/**
 * Does something, and tells what was read for it by way of `noteRead` and `noteFolder`; `inputs` grows until it is done, and when it fails.
 * A file counts with what it was read as: `inputs` waits for reads that have begun.
 */
export function recordInputs<T>(
  run: () => Promise<T>,
  parsed?: Parsed,
): { readonly done: Promise<T>; readonly inputs: () => Promise<Inputs> } {
  const outer = recording.getStore();
  const recorder: Recorder = {
    outer,
    parsed: parsed ?? outer?.parsed,
    files: new Map(),
    folders: new Map(),
    pending: new Set(),
  };
  const inputs = async (): Promise<Inputs> => {
    await Promise.allSettled(recorder.pending);
    return { files: Object.fromEntries(recorder.files), folders: Object.fromEntries(recorder.folders) };
  };
  return { done: recording.run(recorder, run), inputs };
}

/** Reads a file, and records what it was read as. A run that fails meanwhile has not seen it change. */
export async function noteRead(file: string, read: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const reading = read().then(
    (bytes) => {
      noteInputs({ files: { [file]: hashOf(bytes) }, folders: {} });
      return bytes;
    },
    (error: unknown) => {
      noteMissing(file);
      throw error;
    },
  );
  const recorders = recordersOf(recording.getStore());
  for (const { pending } of recorders) pending.add(reading);
  return reading.finally(() => {
    for (const { pending } of recorders) pending.delete(reading);
  });
}

/** Records that a file cannot be read. */
export function noteMissing(file: string): void {
  noteInputs({ files: { [file]: null }, folders: {} });
}

/** The same for the names of what is in a folder. */
export function noteFolder(folder: string, names: readonly string[] | undefined): void {
  noteInputs({ files: {}, folders: { [folder]: names === undefined ? null : hashOfNames(names) } });
}

/** The same for what an earlier run had read. */
export function noteInputs({ files, folders }: Inputs): void {
  for (const recorder of recordersOf(recording.getStore())) {
    for (const [file, hash] of Object.entries(files)) recorder.files.set(file, hash);
    for (const [folder, hash] of Object.entries(folders)) recorder.folders.set(folder, hash);
  }
}

function recordersOf(recorder: Recorder | undefined): readonly Recorder[] {
  return recorder === undefined ? [] : [recorder, ...recordersOf(recorder.outer)];
}

/** What a file of this text was read as before, or is now. */
export function parsedOnce(key: string, text: string, parse: () => SourceFile): SourceFile {
  const parsed = recording.getStore()?.parsed;
  const known = parsed?.get(key);
  if (known?.text === text) return known.source;
  const source = parse();
  parsed?.set(key, { text, source });
  return source;
}

/** Bytes of a file that is read. The largest published descriptions have half of it. */
export const largestRead: number = 64 * 2 ** 20;

/** The hashes of files, as `noteRead` records them. */
export async function inputsOf(files: readonly string[]): Promise<Inputs["files"]> {
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await hashOfFile(file)] as const)));
}

/** Whether all that was read would be read the same now. */
export async function areSame({ files, folders }: Inputs): Promise<boolean> {
  const same = await Promise.all([
    ...Object.entries(files).map(async ([file, hash]) => (await hashOfFile(file)) === hash),
    ...Object.entries(folders).map(async ([folder, hash]) => (await namesIn(folder).catch(() => null)) === hash),
  ]);
  return same.every(Boolean);
}

/** Null for what is not there, and for what is not read: a pipe might never end. */
async function hashOfFile(file: string): Promise<string | null> {
  const status = await stat(file).catch(() => undefined);
  if (status?.isFile() !== true || status.size > largestRead) return null;
  return readFile(file).then(hashOf, () => null);
}

/** A hash of what is told by a text, or by bytes: 64 hexadecimal digits. */
export function hashOf(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

async function namesIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  return hashOfNames(
    entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .toSorted(),
  );
}

function hashOfNames(names: readonly string[]): string {
  return hashOf(JSON.stringify(names));
}
