import path from "node:path";
import type { NormalizedProblem } from "@redocly/openapi-core";
import { isJsonObject, DiagnosticsError, valueAt, type SourceLocation, type Diagnostic } from "../../model/index.js";
import { readOverlays, type Overlays } from "../overlays/overlays.js";
import type { Boundary } from "../read/boundary.js";
import { createLocator } from "../read/locate.js";
import { parsePointer, formatPointer, type SourceFile } from "../read/spec-node.js";
import { diagnosticCodes, openapiPrefix, type DiagnosticCode } from "./codes.js";
import { createOwnRules } from "./plugin.js";
import { findInterpretation, isInForeignExtension } from "./redocly/interpretations.js";
import { lintDocument, type RuleSettings } from "./redocly/lint-document.js";
import { detectVersion, type OpenApiVersion } from "./redocly/visit-description.js";
import { findReferenceCycles, type ReferenceCycle } from "./reference-cycles.js";
import { readRequirementsFile } from "./requirements.js";
import { FileResolver } from "./resolver.js";
import type { LintSettings, SeverityLevel } from "./rule.js";
import { describeUnresolved } from "./unresolved-references.js";

export interface LintOptions {
  /** `strict`: all rules. `minimal`: only problems that prevent generation. */
  readonly ruleset: "strict" | "minimal";
  /** Absolute path of requirements.yaml. */
  readonly requirements?: string;
  /** Absolute paths. */
  readonly overlays?: readonly string[];
  /** The folders that references may not leave. */
  readonly boundary?: Boundary;
  /** Whether the minimal ruleset validates examples, too. It takes as long as all of its other rules. Default: false. */
  readonly examples?: boolean;
  /** Names of custom keywords that schemas may have, such as `x-luhn`. Default: none. */
  readonly keywords?: readonly string[];
}

/** Lints a description. Returns all diagnostics in the order of file, line and column. Never throws for the contents of a description. */
export async function lint(file: string, options: LintOptions): Promise<readonly Diagnostic[]> {
  const rootPath = path.resolve(file);
  const overlays = await readOverlays(options.overlays ?? [], rootPath).catch((error: unknown) => {
    if (error instanceof DiagnosticsError) return error;
    throw error;
  });
  if (overlays instanceof DiagnosticsError) return sortDiagnostics(overlays.diagnostics);
  const diagnostics = await lintOverlaid(rootPath, options, overlays);
  return sortDiagnostics([...overlays.diagnostics, ...diagnostics]);
}

async function lintOverlaid(
  rootPath: string,
  options: LintOptions,
  overlays: Overlays,
): Promise<readonly Diagnostic[]> {
  const folder = path.dirname(rootPath);
  const resolver = new FileResolver(folder, overlays, options.boundary);
  const root = await resolver.read(rootPath).catch((error: unknown) => error);
  if (root instanceof DiagnosticsError) return root.diagnostics;
  if (root instanceof Error) return [unreadable(rootPath, root)];
  const document = await resolver.resolveDocument<unknown>(null, rootPath);
  if (document instanceof Error) throw document;
  const { parsed, source } = document;
  const version = detectVersion(parsed);
  if (version === undefined) return [wrongVersion(source.absoluteRef, parsed)];
  const { swagger } = root as SourceFile;
  if (swagger !== undefined && options.ruleset === "strict") return [swaggerInStrict(root as SourceFile)];
  const loops = await findReferenceCycles(document, resolver);
  if (loops.length > 0) return loops.map((loop) => circularReference(loop, folder, resolver));
  const requirements =
    options.requirements === undefined ? undefined : await readRequirementsFile(options.requirements);
  const settings: LintSettings = {
    ruleset: options.ruleset,
    keywords: new Set(options.keywords),
    ...(requirements && { requirements }),
  };
  const rules = { settings: redoclyRules(options), ownRules: createOwnRules(settings) };
  const problems = await lintDocument({ document, version, resolver }, rules);
  const originOf = createOriginResolver(folder, resolver);
  const diagnostics = problems
    .filter((problem) => {
      if (!isApplicable(problem)) return false;
      return options.ruleset === "strict"
        ? !repeatsFault(problem, problems, resolver)
        : !isIgnoredInForeign(problem, version);
    })
    .flatMap((problem) => toDiagnostics(problem, { ruleset: options.ruleset, originOf, resolver }));
  return [
    ...[...resolver.files.values(), ...overlays.sources].flatMap(({ warnings = [] }) => warnings),
    ...overlays.findUnused(),
    ...(swagger === undefined ? [] : describeConversion(root as SourceFile)),
    ...diagnostics.map((each) => ({ ...each, message: withoutFolder(each.message, folder) })),
  ];
}

function redoclyRules({
  ruleset,
  examples = ruleset === "strict",
}: LintOptions): Readonly<Record<string, RuleSettings>> {
  const rules: Record<string, RuleSettings> = {};
  for (const [code, severities] of Object.entries(diagnosticCodes)) {
    if (!code.startsWith(openapiPrefix) || code === "openapi/struct") continue;
    const rule = code.slice(openapiPrefix.length);
    const level: SeverityLevel = severities[ruleset];
    const isOfExamples = /^no-invalid-.*-examples$/.test(rule);
    if (level === "off" || (isOfExamples && !examples)) continue;
    const severity = level === "warning" ? "warn" : level;
    // By default, Redocly closes every subschema, so that a valid example fails the `then` of its own schema.
    rules[rule] = { severity, ...(isOfExamples && { allowAdditionalProperties: true }) };
  }
  return rules;
}

/** False for Redocly's findings that do not apply, such as those in conditions of extension fields, which it treats as schemas of bodies. */
function isApplicable({ ruleId, location }: NormalizedProblem): boolean {
  const pointer = location[0]?.pointer ?? "";
  // An x-source beside a reference is the source of the reference itself.
  if (ruleId === "spec-ref-siblings") return !pointer.endsWith("/x-source");
  // Redocly treats the name of a schema as a file name. Our rule for discriminators resolves both.
  if (ruleId === "no-unresolved-refs") return !/\/discriminator\/mapping\//.test(pointer);
  const ofBodies = ["no-required-schema-properties-undefined", "no-illogical-composition-keywords"];
  return !ofBodies.includes(ruleId) || !/\/x-[a-z-]+\//.test(pointer);
}

const exampleNotValidated = "Example validation errored: ";

/**
 * True for an example that Ajv has not validated because of a fault in its schema that another finding reports. Ajv names the keyword, as in
 * `type must be JSONType`, or the pattern.
 */
function repeatsFault(
  { message }: NormalizedProblem,
  problems: readonly NormalizedProblem[],
  { files }: FileResolver,
): boolean {
  if (!message.startsWith(exampleNotValidated)) return false;
  return problems.some(({ ruleId, location: [fault] }) => {
    const tokens = parsePointer(fault?.pointer?.slice(1) ?? "") ?? [];
    if (ruleId === "openapi/struct") return message.startsWith(`${exampleNotValidated}${tokens.at(-1)} `);
    if (ruleId !== "patterns/syntax" || fault === undefined) return false;
    // A pattern is a value, or a name in `patternProperties`.
    const pattern = valueAt(files.get(fault.source.absoluteRef)?.value, tokens);
    return message.includes(`/${typeof pattern === "string" ? pattern : tokens.at(-1)}/`);
  });
}

/** Findings of references in extension fields of others, and those that repeat another finding. */
function isIgnoredInForeign({ ruleId, location, message }: NormalizedProblem, version: OpenApiVersion): boolean {
  // Of a schema that does not compile, such as with `nullable` beside a reference, no example is known to be wrong.
  if (message.startsWith(exampleNotValidated)) return true;
  if (ruleId === "nullable-type-sibling") return version !== "oas3_0"; // openapi/struct says it
  // openapi/path-not-include-query says it
  if (ruleId === "path-parameters-defined" && /^#\/paths\/[^/]*\?/.test(location[0]?.pointer ?? "")) return true;
  return (
    ["no-unresolved-refs", "spec-ref-siblings"].includes(ruleId) && isInForeignExtension(location[0]?.pointer ?? "")
  );
}

type RedoclyFinding = NormalizedProblem & { readonly fix?: string };

interface DiagnosticContext {
  readonly ruleset: LintOptions["ruleset"];
  readonly originOf: (diagnostic: NormalizedProblem) => SourceLocation;
  readonly resolver: FileResolver;
}

function toDiagnostics(diagnostic: RedoclyFinding, context: DiagnosticContext): readonly Diagnostic[] {
  const { ruleId, suggest, severity } = diagnostic;
  const { ruleset, originOf, resolver } = context;
  const isReference = ruleId === "no-unresolved-refs";
  const [unresolved, ...causes] = isReference ? describeUnresolved(diagnostic, resolver) : [];
  if (isReference && unresolved === undefined) return []; // Redocly drops empty names from pointers
  const { message, fix: firstFix } = unresolved ?? diagnostic;
  const isOwnRule = ruleId in diagnosticCodes;
  const code = (isOwnRule ? ruleId : `${openapiPrefix}${ruleId}`) as DiagnosticCode;
  const first = diagnostic.location[0];
  const interpretation =
    ruleset === "minimal"
      ? findInterpretation({
          rule: code.replace(openapiPrefix, ""),
          pointer: first?.pointer ?? "",
          document: first && resolver.files.get(first.source.absoluteRef)?.value,
          isDangling: unresolved?.severity === "warning",
        })
      : undefined;
  const fix =
    interpretation ??
    firstFix ??
    (suggest.length > 0 ? `Did you mean ${suggest.map((each) => `"${each}"`).join(" or ")}?` : undefined);
  const origin = originOf(diagnostic);
  const level = interpretation !== undefined || severity === "warn" ? "warning" : "error";
  return [{ code, severity: level, origin, message: sentence(message), ...(fix !== undefined && { fix }) }, ...causes];
}

/** Messages of the file system contain absolute paths, which differ between machines. */
function withoutFolder(message: string, folder: string): string {
  return message.replaceAll(`${folder}${path.sep}`, "");
}

function sentence(message: string): string {
  const trimmed = message.trim().replaceAll(/\s*\n\s*/g, " ");
  return /[.?!:]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

function createOriginResolver(
  folder: string,
  resolver: FileResolver,
): (diagnostic: NormalizedProblem) => SourceLocation {
  const locators = new Map<string, SourceFile["locate"]>();
  return ({ location: [first] }) => {
    if (first === undefined) return { file: "", pointer: "", line: 1, column: 1 };
    const { absoluteRef, body } = first.source;
    const file = nameOf(absoluteRef, folder);
    if (first.pointer === undefined) return { file, pointer: "", line: first.start.line, column: first.start.col };
    const pointer = first.pointer.replace(/^#\/?/, "");
    const tokens = parsePointer(pointer === "" ? "" : `/${pointer}`) ?? [];
    const locate = resolver.files.get(absoluteRef)?.locate ?? locators.get(absoluteRef) ?? createLocator(body, "yaml");
    locators.set(absoluteRef, locate);
    return { file, pointer: tokens.length === 0 ? "" : `/${pointer}`, ...locate(tokens) };
  };
}

function nameOf(file: string, folder: string): string {
  return path.relative(folder, file).split(path.sep).join("/");
}

function unreadable(file: string, error: Error): Diagnostic {
  const origin = { file: path.basename(file), pointer: "", line: 1, column: 1 };
  const message = sentence(`This file cannot be read: ${withoutFolder(error.message, path.dirname(file))}`);
  return { code: "description/unreadable", severity: "error", origin, message };
}

function wrongVersion(file: string, parsed: unknown): Diagnostic {
  const origin = { file: path.basename(file), pointer: "", line: 1, column: 1 };
  const { openapi, swagger } = isJsonObject(parsed) ? parsed : {};
  const finding = { code: "description/version", severity: "error", origin } as const;
  if (swagger !== undefined) {
    const message = `This is Swagger ${typeof swagger === "string" ? swagger : "of an unknown version"}; OpenAPI 3.0, 3.1 and 3.2 can be read.`;
    return { ...finding, message, fix: "Convert it to OpenAPI 3 first." };
  }
  if (openapi === undefined)
    return { ...finding, message: "This does not say which OpenAPI it is.", fix: "Begin it with openapi: 3.1.0." };
  const message = `This is OpenAPI ${JSON.stringify(openapi)}; 3.0, 3.1 and 3.2 can be read.`;
  return { ...finding, message, fix: "Write the version as a text of three numbers, such as 3.1.0." };
}

const saveConverted =
  "Save what a converter writes, such as npx swagger2openapi, to review it and to read it with the strict ruleset.";

function swaggerInStrict(file: SourceFile): Diagnostic {
  return {
    code: "description/converted",
    severity: "error",
    origin: locateIn(file, ["openapi"]),
    message: "This is Swagger 2.0, which the strict ruleset does not accept.",
    fix: saveConverted,
  };
}

function describeConversion(file: SourceFile): readonly Diagnostic[] {
  const warningAt = (origin: SourceLocation, message: string, fix: string): Diagnostic => ({
    code: "description/converted",
    severity: "warning",
    origin,
    message,
    fix,
  });
  const start = locateIn(file, ["openapi"]);
  return [
    warningAt(start, "This is Swagger 2.0, which was converted to OpenAPI 3.0.", saveConverted),
    ...(file.swagger?.losses ?? []).map(({ origin, message }) =>
      warningAt(origin, message, "Describe it otherwise in an overlay of the converted description."),
    ),
  ];
}

function locateIn(file: SourceFile, tokens: readonly string[]): SourceLocation {
  return { file: file.name, pointer: formatPointer(tokens), ...file.locate(tokens) };
}

function circularReference(
  { document, tokens, message }: ReferenceCycle,
  folder: string,
  { files }: FileResolver,
): Diagnostic {
  const { absoluteRef } = document.source;
  const position = files.get(absoluteRef)?.locate(tokens) ?? { line: 1, column: 1 };
  const origin = { file: nameOf(absoluteRef, folder), pointer: formatPointer(tokens), ...position };
  return { code: "description/circular", severity: "error", origin, message, fix: "Point it at a definition." };
}

/** Sorts diagnostics by file, line and column, and removes duplicates. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const byPlace = (a: Diagnostic, b: Diagnostic): number =>
    compare(a.origin.file, b.origin.file) ||
    a.origin.line - b.origin.line ||
    a.origin.column - b.origin.column ||
    compare(a.code, b.code) ||
    compare(a.message, b.message);
  const sorted = diagnostics.toSorted(byPlace);
  return sorted.filter((each, index) => {
    const before = sorted[index - 1];
    return before === undefined || byPlace(before, each) !== 0;
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
