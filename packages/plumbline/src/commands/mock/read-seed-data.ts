import path from "node:path";
import { UsageError } from "@plumbline/command-line";
import { type Diagnostic, DiagnosticsError, isJsonArray, isJsonObject, type Json } from "@plumbline/kit/model";
import { formatPointer, readSource, type SourceFile } from "@plumbline/kit/openapi/files";
import type { SeedData, SeedDataError, SeedDataIssue } from "../../mock/seed-data.js";

/** The objects of `--data`, and where they stand. */
export interface LocatedSeedData {
  readonly objects: SeedData;
  /** Converts what is wrong with the objects to diagnostics with the places in the file. */
  readonly diagnose: (error: SeedDataError) => DiagnosticsError;
}

/**
 * Reads a file of `--data`. Its path is relative to the folder.
 *
 * @throws UsageError for a file that cannot be read, DiagnosticsError for one that does not list objects by resource.
 */
export async function readSeedData(file: string, folder: string): Promise<LocatedSeedData> {
  const source = await readSource(path.resolve(folder, file), folder).catch((error: unknown) => {
    if (error instanceof DiagnosticsError) throw error;
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  const value = source.value as Json;
  const issues = formIssues(value);
  if (issues.length > 0) throw diagnosticsOf(issues, source);
  return { objects: value as SeedData, diagnose: (error) => diagnosticsOf(error.issues, source) };
}

function formIssues(value: Json): readonly SeedDataIssue[] {
  if (!isJsonObject(value)) return [{ pointer: [], message: "The data are not lists of objects by resource." }];
  return Object.entries(value).flatMap(([resource, objects]) => {
    if (!isJsonArray(objects)) return [{ pointer: [resource], message: `${resource} is not a list of objects.` }];
    return objects.flatMap((each, index) =>
      isJsonObject(each)
        ? []
        : [{ pointer: [resource, String(index)], message: `${resource}.${index} is not an object.` }],
    );
  });
}

function diagnosticsOf(issues: readonly SeedDataIssue[], source: SourceFile): DiagnosticsError {
  return new DiagnosticsError(
    issues.map(({ pointer, message }): Diagnostic => {
      const { line, column } = source.locate(pointer);
      const origin = { file: source.name, pointer: formatPointer(pointer), line, column };
      return { code: "mock/data", severity: "error", origin, message, fix };
    }),
  );
}

const fix = "Write objects by resource, such as {Pet: [{name: Rex}]}.";
