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
export class UnwrittenError extends Error {
  /** Absolute path. */
  readonly path: string;
  constructor(file: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UnwrittenError";
    this.path = file;
  }
}

/** Whether a failed write had changed anything. */
export type Progress = "untouched" | "begun";

/** Runs an action on a file. Throws an UnwrittenError for errors of the system. */
export async function attempt<T>(file: string, progress: Progress, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause) || typeof cause.code !== "string") throw cause;
    const { code, message } = cause;
    const culprit = standing.has(code) ? await nearest(file) : file;
    throw new UnwrittenError(culprit, explained(code, message, progress), { cause });
  }
}

/** The codes that concern an existing entry, not the file to be written. */
const standing: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS", "EEXIST", "ENOTDIR"]);

/** The file, or its nearest existing parent folder. */
async function nearest(file: string): Promise<string> {
  const exists = await lstat(file).then(
    () => true,
    () => false,
  );
  return exists || path.dirname(file) === file ? file : nearest(path.dirname(file));
}

const writable = "Make it writable, or choose another folder with --out";

/** Causes and fixes, by error code of the system. */
const reasons: Readonly<Record<string, readonly [reason: string, wayOut: string]>> = {
  EACCES: ["The path is not writable", writable],
  EPERM: ["The path is not writable", writable],
  EROFS: ["The file system is read-only", writable],
  ENOSPC: ["The disk is full", "Make room"],
  EDQUOT: ["The disk quota is used up", "Make room"],
  EFBIG: ["The file is larger than files may be here", "Raise the limit, such as that of ulimit -f"],
  EEXIST: ["A file stands where a folder is needed", "Move it away, or choose another folder with --out"],
  ENOTDIR: ["A file stands where a folder is needed", "Move it away, or choose another folder with --out"],
  EMFILE: ["Too many files are open", "Raise the limit, such as that of ulimit -n"],
};

function explained(code: string, message: string, progress: Progress): string {
  const [reason, wayOut] = reasons[code] ?? [message, "Fix the cause"];
  const state = {
    untouched: "Nothing was changed.",
    begun: "Each file is complete, old or new.",
  } satisfies Record<Progress, string>;
  return `${reason} (${code}). ${wayOut}, and run the command again. ${state[progress]}`;
}
