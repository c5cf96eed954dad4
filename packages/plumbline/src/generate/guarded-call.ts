import path from "node:path";
import { DiagnosticsError, isDiagnosticsError, type Diagnostic } from "@plumbline/kit/model";
import type { DiagnosticCode } from "@plumbline/kit/openapi";
import type { GeneratorEntry } from "../config/generator-entries.js";
import { withWatchdog } from "./watchdog.js";

/** Fails with a diagnostic at the generator's entry in plumbline.yaml. */
export type Fail = (code: DiagnosticCode, message: string, fix: string) => never;

/** Where a generator is called: its entry, and the absolute path of the folder to which the paths of diagnostics are relative. */
export interface CallSite {
  readonly entry: GeneratorEntry;
  readonly folder: string;
}

/**
 * Calls a generator of plumbline.yaml, and watches that it ends.
 *
 * @throws DiagnosticsError at its entry in plumbline.yaml for any failure. A DiagnosticsError of the generator keeps its positions.
 */
export async function guardedCall<T>(site: CallSite, work: () => T | Promise<T>): Promise<T> {
  const { entry } = site;
  const describeExit = (how: string): Diagnostic =>
    createDiagnostic(
      { entry, folder: process.cwd() },
      { code: "generator/failed", message: `${entry.name} ${how}.`, fix: `Fix ${entry.module}.` },
    );
  return withWatchdog({ name: entry.name, describeExit }, async () => {
    try {
      return await work();
    } catch (error) {
      if (isDiagnosticsError(error)) throw new DiagnosticsError(error.diagnostics);
      return failAt(site)("generator/failed", `${entry.name} failed: ${firstLineOf(error)}`, `Fix ${entry.module}.`);
    }
  });
}

export function failAt(site: CallSite): Fail {
  return (code, message, fix) => {
    throw new DiagnosticsError([createDiagnostic(site, { code, message, fix })]);
  };
}

function createDiagnostic(
  { entry: { config, location }, folder }: CallSite,
  text: Pick<Diagnostic, "code" | "message" | "fix">,
): Diagnostic {
  const file = path.relative(folder, config).split(path.sep).join("/");
  return { severity: "error", origin: { ...location, file }, ...text };
}

/** The first line of an error, as a sentence. */
export function firstLineOf(error: unknown): string {
  const [first = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return /[.?!]$/.test(first) ? first : `${first}.`;
}

/** True for a stack overflow, and for the limit of the model. Another RangeError, such as that of a text that is too long, is a bug. */
export function isStackOverflow(error: unknown): error is RangeError {
  return (
    error instanceof RangeError && /^Maximum call stack size|too many paths through these schemas/.test(error.message)
  );
}
