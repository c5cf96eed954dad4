import { lstat } from "node:fs/promises";
import path from "node:path";

/** Files that the generator did not write stand at the paths of generated ones. */
export class ForeignFileError extends Error {
  readonly paths: readonly string[];
  constructor(paths: readonly string[]) {
    super(`Files that the generator did not write: ${paths.join(", ")}`);
    this.name = "ForeignFileError";
    this.paths = paths;
  }
}

/** A managed JSON file, or the manifest, is not valid JSON. The user has to repair it. */
export class DamagedFileError extends Error {
  readonly code = "ERR_DAMAGED_FILE";
  constructor(file: string, cause: unknown) {
    super(`${file} is not valid JSON`, { cause });
    this.name = "DamagedFileError";
  }
}

/** The system or another run prevents a write. The message follows the path in the output. */
export class WriteError extends Error {
  /** Absolute path. */
  readonly path: string;
  constructor(file: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "WriteError";
    this.path = file;
  }
}

/** Whether a failed write had changed anything. */
export type WriteProgress = "untouched" | "begun";

/** Runs an action on a file. Throws a WriteError for errors of the system. */
export async function attemptWrite<T>(file: string, progress: WriteProgress, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause) || typeof cause.code !== "string") throw cause;
    const { code, message } = cause;
    const culprit = existingEntryCodes.has(code) ? await nearestExisting(file) : file;
    throw new WriteError(culprit, explainError(code, message, progress), { cause });
  }
}

/** The codes that concern an existing entry, not the file to be written. */
const existingEntryCodes: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS", "EEXIST", "ENOTDIR"]);

/** The file, or its nearest existing parent folder. */
async function nearestExisting(file: string): Promise<string> {
  const exists = await lstat(file).then(
    () => true,
    () => false,
  );
  return exists || path.dirname(file) === file ? file : nearestExisting(path.dirname(file));
}

const writableHint = "Make it writable, or choose another folder with --out";

/** Causes and fixes, by error code of the system. */
const errorReasons: Readonly<Record<string, readonly [reason: string, wayOut: string]>> = {
  EACCES: ["The path is not writable", writableHint],
  EPERM: ["The path is not writable", writableHint],
  EROFS: ["The file system is read-only", writableHint],
  ENOSPC: ["The disk is full", "Make room"],
  EDQUOT: ["The disk quota is used up", "Make room"],
  EFBIG: ["The file is larger than files may be here", "Raise the limit, such as that of ulimit -f"],
  EEXIST: ["A file stands where a folder is needed", "Move it away, or choose another folder with --out"],
  ENOTDIR: ["A file stands where a folder is needed", "Move it away, or choose another folder with --out"],
  EMFILE: ["Too many files are open", "Raise the limit, such as that of ulimit -n"],
};

function explainError(code: string, message: string, progress: WriteProgress): string {
  const [reason, wayOut] = errorReasons[code] ?? [message, "Fix the cause"];
  const state = {
    untouched: "Nothing was changed.",
    begun: "Each file is complete, old or new.",
  } satisfies Record<WriteProgress, string>;
  return `${reason} (${code}). ${wayOut}, and run the command again. ${state[progress]}`;
}
