import type * as codemods from "@plumbline/codemods/handlers";
import { DiagnosticsError } from "@plumbline/kit/model";

/**
 * Loads the package that edits TypeScript. It comes with a compiler, so that only users of this generator install it.
 *
 * @throws DiagnosticsError where it is not installed.
 */
export async function loadCodemods(): Promise<typeof codemods> {
  try {
    return await import("@plumbline/codemods/handlers");
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new DiagnosticsError([
      {
        code: "generator/missing",
        severity: "error",
        origin: { file: "plumbline.yaml", pointer: "", line: 1, column: 1 },
        message: "The artifact `handlers` requires the package @plumbline/codemods.",
        fix: "Install it: npm install --save-dev @plumbline/codemods.",
      },
    ]);
  }
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "ERR_MODULE_NOT_FOUND" &&
    error.message.includes("@plumbline/codemods")
  );
}
