import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { readFile, readdir, stat } from "node:fs/promises";
import type { SourceFile } from "./spec-node.js";

/** The inputs of a run: hashes of files, and of the names in folders, by absolute path; null for a missing one. */
export interface RecordedInputs {
  readonly files: Readonly<Record<string, string | null>>;
  readonly folders: Readonly<Record<string, string | null>>;
}

/** Parsed files, by their base folder and path, so that unchanged files are not parsed again. */
export type ParseCache = Map<string, { readonly text: string; readonly source: SourceFile }>;

interface Recorder {
  /** The enclosing recorder, which records the same inputs. */
  readonly outer: Recorder | undefined;
  readonly parsed: ParseCache | undefined;
  readonly files: Map<string, string | null>;
  readonly folders: Map<string, string | null>;
  /** Files that are being read. */
  readonly pending: Set<Promise<unknown>>;
}

const recorderStorage = new AsyncLocalStorage<Recorder>();

/**
 * Runs a function, and records its inputs through `noteRead` and `noteFolder`. `inputs` is available during the run and after a failure; it
 * waits for pending reads, so that each file has the hash of the content that was read.
 */
export function recordInputs<T>(
  run: () => Promise<T>,
  parsed?: ParseCache,
): { readonly done: Promise<T>; readonly inputs: () => Promise<RecordedInputs> } {
  const outer = recorderStorage.getStore();
  const recorder: Recorder = {
    outer,
    parsed: parsed ?? outer?.parsed,
    files: new Map(),
    folders: new Map(),
    pending: new Set(),
  };
  const inputs = async (): Promise<RecordedInputs> => {
    await Promise.allSettled(recorder.pending);
    return { files: Object.fromEntries(recorder.files), folders: Object.fromEntries(recorder.folders) };
  };
  return { done: recorderStorage.run(recorder, run), inputs };
}

/** Reads a file, and records the hash of its content. */
export async function recordRead(file: string, read: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const reading = read().then(
    (bytes) => {
      mergeInputs({ files: { [file]: sha256Hex(bytes) }, folders: {} });
      return bytes;
    },
    (error: unknown) => {
      recordMissingFile(file);
      throw error;
    },
  );
  const recorders = enclosingRecorders(recorderStorage.getStore());
  for (const { pending } of recorders) pending.add(reading);
  return reading.finally(() => {
    for (const { pending } of recorders) pending.delete(reading);
  });
}

/** Records that a file is not readable. */
export function recordMissingFile(file: string): void {
  mergeInputs({ files: { [file]: null }, folders: {} });
}

/** Records the names in a folder. */
export function recordFolder(folder: string, names: readonly string[] | undefined): void {
  mergeInputs({ files: {}, folders: { [folder]: names === undefined ? null : hashNames(names) } });
}

/** Records the inputs of an earlier run. */
export function mergeInputs({ files, folders }: RecordedInputs): void {
  for (const recorder of enclosingRecorders(recorderStorage.getStore())) {
    for (const [file, hash] of Object.entries(files)) recorder.files.set(file, hash);
    for (const [folder, hash] of Object.entries(folders)) recorder.folders.set(folder, hash);
  }
}

function enclosingRecorders(recorder: Recorder | undefined): readonly Recorder[] {
  return recorder === undefined ? [] : [recorder, ...enclosingRecorders(recorder.outer)];
}

/** Returns the parsed file of the same key and text, or parses it. */
export function parseCached(key: string, text: string, parse: () => SourceFile): SourceFile {
  const parsed = recorderStorage.getStore()?.parsed;
  const cached = parsed?.get(key);
  if (cached?.text === text) return cached.source;
  const source = parse();
  parsed?.set(key, { text, source });
  return source;
}

/** Size limit of a file, in bytes. The largest published descriptions have half of it. */
export const maxFileBytes: number = 64 * 2 ** 20;

/** Hashes files in the format of `noteRead`. */
export async function hashFiles(files: readonly string[]): Promise<RecordedInputs["files"]> {
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await hashFile(file)] as const)));
}

/** Whether all recorded inputs are unchanged on the disk. */
export async function areUnchanged({ files, folders }: RecordedInputs): Promise<boolean> {
  const same = await Promise.all([
    ...Object.entries(files).map(async ([file, hash]) => (await hashFile(file)) === hash),
    ...Object.entries(folders).map(async ([folder, hash]) => (await hashFolder(folder).catch(() => null)) === hash),
  ]);
  return same.every(Boolean);
}

/** Null for a missing file, and for anything but a regular file: a pipe may never end. */
async function hashFile(file: string): Promise<string | null> {
  const status = await stat(file).catch(() => undefined);
  if (status?.isFile() !== true || status.size > maxFileBytes) return null;
  return readFile(file).then(sha256Hex, () => null);
}

/** The SHA-256 of a text or of bytes: 64 hexadecimal digits. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

async function hashFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  return hashNames(
    entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .toSorted(),
  );
}

function hashNames(names: readonly string[]): string {
  return sha256Hex(JSON.stringify(names));
}
