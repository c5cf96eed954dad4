import path from "node:path";
import { DiagnosticsError, type Diagnostic } from "@plumbline/kit/model";
import { ForeignFileError, WriteError } from "../write/writer.js";

/** Why a command failed: a message, or problems of the input. */
export type CommandFailure = { readonly diagnostics: readonly Diagnostic[] } | { readonly message: string };

/** Converts an error to a failure; undefined for an unexpected error. Paths are relative to `folder`. */
export function toCommandFailure(error: unknown, folder: string): CommandFailure | undefined {
  if (error instanceof DiagnosticsError) return { diagnostics: error.diagnostics };
  if (error instanceof ForeignFileError) {
    const files = error.paths.map((file) => `  ${path.relative(folder, file)}`).join("\n");
    return {
      message: `The generator did not write these files, and must not replace them:\n${files}\nMove them away, or choose another folder with --out.`,
    };
  }
  if (error instanceof WriteError) return { message: `${path.relative(folder, error.path) || "."}  ${error.message}` };
  if (error instanceof Error && "code" in error && typeof error.code === "string")
    return { message: `${error.message}\nNothing was changed. Fix the cause and run the command again.` };
  return undefined;
}
