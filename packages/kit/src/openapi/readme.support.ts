import { type Api, DiagnosticsError } from "@plumbline/kit/model";
import { buildApi, loadDescription } from "./index.js";
import { lint } from "./lint/index.js";

/** Returns the model of a description. Throws all errors that the linter finds, each with its line. */
export async function readApi(file: string): Promise<Api> {
  const diagnostics = await lint(file, { ruleset: "minimal" });
  if (diagnostics.some(({ severity }) => severity === "error")) throw new DiagnosticsError(diagnostics);
  return buildApi(await loadDescription(file), { names: {}, requirements: undefined });
}
