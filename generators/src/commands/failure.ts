import path from "node:path";
import { ForeignFileError, UnwrittenError } from "../emit/writer.js";
import { ProblemError, type Problem } from "../problem.js";

/** Why a command did not do what it should, in words or as problems of the input. */
export type Failure = { readonly problems: readonly Problem[] } | { readonly message: string };

/** What has to be said of an error; undefined for a fault of ours. Paths are told as seen from `folder`. */
export function failureOf(error: unknown, folder: string): Failure | undefined {
  if (error instanceof ProblemError) return { problems: error.problems };
  if (error instanceof ForeignFileError) {
    const files = error.paths.map((file) => `  ${path.relative(folder, file)}`).join("\n");
    return {
      message: `These files are in the way, and the generator did not write them:\n${files}\nMove them away, or choose another folder with --out.`,
    };
  }
  if (error instanceof UnwrittenError)
    return { message: `${path.relative(folder, error.path) || "."}  ${error.message}` };
  if (error instanceof Error && "code" in error && typeof error.code === "string")
    return { message: `${error.message}\nNothing was changed. Mend the cause and run the command again.` };
  return undefined;
}
