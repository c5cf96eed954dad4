import path from "node:path";
import {
  findOptionIssue,
  type Generator,
  type OptionSchema,
  type OptionTable,
  type OptionValues,
} from "@plumbline/kit/codegen";
import { type Api, DiagnosticsError, endSentence, type Diagnostic, type SourceLocation } from "@plumbline/kit/model";
import { ownKeys, type ArtifactConfig } from "../config/config.js";

/**
 * Returns the values of a generator's options: those of plumbline.yaml, else their defaults. Paths become absolute.
 *
 * @throws DiagnosticsError for unknown options, values of another type, and values that do not fit the description.
 */
export async function readOptionValues(
  artifact: ArtifactConfig,
  generator: Pick<Generator, "options" | "findOptionIssues">,
  { api, folder }: { readonly api: Api; readonly folder: string },
): Promise<OptionValues<OptionTable>> {
  const table = generator.options ?? {};
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
  const values = Object.fromEntries(
    Object.entries(table).map(([key, option]) => [key, valueOf(option, options[key], from)] as const),
  ) as OptionValues<OptionTable>;
  for (const [key, issue] of Object.entries((await generator.findOptionIssues?.(api, values)) ?? {}))
    report(key, `The option \`${key}\` ${issue}.`, endSentence(table[key]?.description ?? key));
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  return values;
}

function valueOf(option: OptionSchema, stated: unknown, folder: string): unknown {
  const value = stated ?? option.default;
  return option.type === "string" && option.format === "path" && typeof value === "string"
    ? path.resolve(folder, value)
    : value;
}

function originOf({ location }: ArtifactConfig, key: string, folder: string): SourceLocation {
  const origin = location?.keys[key] ?? { file: "plumbline.yaml", pointer: "", line: 1, column: 1 };
  if (location === undefined) return origin;
  return { ...origin, file: path.relative(folder, location.path).split(path.sep).join("/") };
}
