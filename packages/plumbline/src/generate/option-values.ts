import path from "node:path";
import { findOptionIssue, type OptionSchema, type OptionTable, type OptionValues } from "@plumbline/codegen";
import { DiagnosticsError, type Diagnostic, type SourceLocation } from "@plumbline/model";
import { ownKeys, type ArtifactConfig } from "../config/config.js";

/**
 * Returns the values of a generator's options: those of plumbline.yaml, else their defaults. Paths become absolute.
 *
 * @throws DiagnosticsError for unknown options, and for values of another type.
 */
export function readOptionValues(
  artifact: ArtifactConfig,
  given: OptionTable | undefined,
  folder: string,
): OptionValues<OptionTable> {
  const table = given ?? {};
  const { options, location } = artifact;
  const diagnostics: Diagnostic[] = [];
  const report = (key: string, message: string, fix: string): void =>
    void diagnostics.push({
      code: Object.hasOwn(table, key) ? "config/value" : "config/unknown",
      severity: "error",
      origin: originOf(artifact, key, folder),
      message,
      fix,
    });
  for (const [key, value] of Object.entries(options)) {
    const option = Object.hasOwn(table, key) ? table[key] : undefined;
    const issue = option && findOptionIssue(option, value);
    if (option === undefined)
      report(key, `Unknown key "${key}".`, `Known keys: ${[...ownKeys, ...Object.keys(table)].join(", ")}.`);
    else if (issue !== undefined) report(key, `The option \`${key}\` ${issue}.`, `${option.description}.`);
  }
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  const from = location === undefined ? "" : path.dirname(location.path);
  return Object.fromEntries(
    Object.entries(table).map(([key, option]) => [key, valueOf(option, options[key], from)] as const),
  ) as OptionValues<OptionTable>;
}

function valueOf(option: OptionSchema, given: unknown, folder: string): unknown {
  const value = given ?? option.default;
  return option.type === "string" && option.format === "path" && typeof value === "string"
    ? path.resolve(folder, value)
    : value;
}

function originOf({ location }: ArtifactConfig, key: string, folder: string): SourceLocation {
  const origin = location?.keys[key] ?? { file: "plumbline.yaml", pointer: "", line: 1, column: 1 };
  if (location === undefined) return origin;
  return { ...origin, file: path.relative(folder, location.path).split(path.sep).join("/") };
}
