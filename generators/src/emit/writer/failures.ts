import { lstat } from "node:fs/promises";
import path from "node:path";

/** Files stand where generated ones belong, and the manifest does not list them. */
export class ForeignFileError extends Error {
  readonly paths: readonly string[];
  constructor(paths: readonly string[]) {
    super(`not written by this generator, and in its way: ${paths.join(", ")}`);
    this.name = "ForeignFileError";
    this.paths = paths;
  }
}

/** A file that holds keys of others, or says what is ours, is not JSON: it has to be mended by hand. */
export class DamagedFileError extends Error {
  readonly code = "ERR_DAMAGED_FILE";
  constructor(file: string, cause: unknown) {
    super(`${file} is not valid JSON`, { cause });
    this.name = "DamagedFileError";
  }
}

/** The system, or another run, did not let this one write. The message is for people, and comes after the path. */
export class UnwrittenError extends Error {
  /** Absolute path. */
  readonly path: string;
  constructor(file: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UnwrittenError";
    this.path = file;
  }
}

/** Whether anything had been changed when a write failed. */
export type Progress = "untouched" | "begun";

/** Does something to a file. Throws an UnwrittenError where the system refuses. */
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

/** The codes that speak of what is there already, not of what was to be written. */
const standing: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS", "EEXIST", "ENOTDIR"]);

/** A file, or else the nearest around it that there is. */
async function nearest(file: string): Promise<string> {
  const exists = await lstat(file).then(
    () => true,
    () => false,
  );
  return exists || path.dirname(file) === file ? file : nearest(path.dirname(file));
}

const writable = "Make it writable, or choose another folder with --out";

/** By the system's code: what is wrong, and the way out. */
const reasons: Readonly<Record<string, readonly [reason: string, wayOut: string]>> = {
  EACCES: ["This may not be written", writable],
  EPERM: ["This may not be written", writable],
  EROFS: ["The file system is read-only", writable],
  ENOSPC: ["The disk is full", "Make room"],
  EDQUOT: ["The disk quota is used up", "Make room"],
  EFBIG: ["The file is larger than files may be here", "Raise the limit, such as that of ulimit -f"],
  EEXIST: ["A file stands where a folder is needed", "Move it away, or choose another folder with --out"],
  ENOTDIR: ["A file stands where a folder is needed", "Move it away, or choose another folder with --out"],
  EMFILE: ["Too many files are open", "Raise the limit, such as that of ulimit -n"],
};

function explained(code: string, message: string, progress: Progress): string {
  const [reason, wayOut] = reasons[code] ?? [message, "Mend the cause"];
  const state = {
    untouched: "Nothing was changed.",
    begun: "Each file is whole, old or new.",
  } satisfies Record<Progress, string>;
  return `${reason} (${code}). ${wayOut}, and run the command again. ${state[progress]}`;
}
