import path from "node:path";
import { createConfig, detectSpec, lintDocument, type NormalizedProblem } from "@redocly/openapi-core";
import { isObject } from "../json.js";
import { ProblemError, type Located, type Problem } from "../problem.js";
import type { Boundary } from "./boundary.js";
import { codes, openapiPrefix, type Code, type Level } from "./codes.js";
import { locator } from "./locate.js";
import { findLoops, type Loop } from "./loops.js";
import { readOverlays, type Overlays } from "./overlays.js";
import { parsePointer, pointerOf, type SourceFile } from "./place.js";
import { plumbline, pluginId } from "./plugin.js";
import { FileResolver } from "./resolver.js";
import { readRequirements } from "./requirements.js";
import type { Settings } from "./rule.js";
import { isFieldName } from "./vocabulary.js";

export interface LintOptions {
  /** The severity profile. `owner`: all rules. `foreign`: only problems that prevent generation. */
  readonly profile: "owner" | "foreign";
  /** Absolute path of requirements.yaml. */
  readonly requirements?: string;
  /** Absolute paths. */
  readonly overlays?: readonly string[];
  /** The folders that references may not leave. */
  readonly boundary?: Boundary;
}

/** Lints a description. Returns all diagnostics in the order of file, line and column. Never throws for the contents of a description. */
export async function lint(file: string, options: LintOptions): Promise<readonly Problem[]> {
  const rootPath = path.resolve(file);
  const overlays = await readOverlays(options.overlays ?? [], rootPath).catch((error: unknown) => {
    if (error instanceof ProblemError) return error;
    throw error;
  });
  if (overlays instanceof ProblemError) return inOrder(overlays.problems);
  const found = await lintOverlaid(rootPath, options, overlays);
  return inOrder([...overlays.problems, ...found]);
}

async function lintOverlaid(rootPath: string, options: LintOptions, overlays: Overlays): Promise<readonly Problem[]> {
  const folder = path.dirname(rootPath);
  const resolver = new FileResolver(folder, overlays, options.boundary);
  const root = await resolver.read(rootPath).catch((error: unknown) => error);
  if (root instanceof ProblemError) return root.problems;
  if (root instanceof Error) return [unreadable(rootPath, root)];
  const document = await resolver.resolveDocument<unknown>(null, rootPath);
  if (document instanceof Error) throw document;
  const { parsed, source } = document;
  const version = versionOf(parsed);
  if (version === undefined) return [wrongVersion(source.absoluteRef, parsed)];
  const loops = await findLoops(document, resolver);
  if (loops.length > 0) return loops.map((loop) => circular(loop, folder, resolver));
  const requirements = options.requirements === undefined ? undefined : await readRequirements(options.requirements);
  const settings: Settings = { profile: options.profile, ...(requirements && { requirements }) };
  const config = await createConfig({
    plugins: [plumbline(settings)],
    rules: { ...redoclyRules(options.profile), [`${pluginId}/vocabulary`]: "error" },
  });
  const found = await lintDocument({
    document,
    config,
    externalRefResolver: resolver,
  });
  const originOf = origins(folder, resolver);
  const problems = found
    .filter((each) => isOurs(each, version))
    .flatMap((each) => problemOf(each, options.profile, originOf) ?? []);
  return [...overlays.idle(), ...problems.map((each) => ({ ...each, message: withoutFolder(each.message, folder) }))];
}

interface RedoclyRule {
  readonly severity: "error" | "warn" | "off";
  readonly allowAdditionalProperties?: boolean;
}

function redoclyRules(profile: LintOptions["profile"]): Record<string, RedoclyRule> {
  const rules: Record<string, RedoclyRule> = {};
  for (const [code, severities] of Object.entries(codes)) {
    if (!code.startsWith(openapiPrefix)) continue;
    const rule = code.slice(openapiPrefix.length);
    const level: Level = severities[profile];
    const severity = level === "warning" ? "warn" : level;
    // By default, Redocly closes every subschema, so that a valid example fails the `then` of its own schema.
    rules[rule] = { severity, ...(/^no-invalid-.*-examples$/.test(rule) && { allowAdditionalProperties: true }) };
  }
  return rules;
}

/** Drops Redocly's findings that do not apply, such as those in conditions of extension fields, which it treats as schemas of bodies. */
function isOurs({ ruleId, location, message }: NormalizedProblem, version: string): boolean {
  // An x-source beside a reference is the source of the reference itself.
  if (ruleId === "spec-ref-siblings") return !message.includes("`x-source`");
  const pointer = location[0]?.pointer ?? "";
  // Redocly treats the name of a schema as a file name. Our rule for discriminators resolves both.
  if (ruleId === "no-unresolved-refs" && /\/discriminator\/mapping\//.test(pointer)) return false;
  const inExtension = /\/x-[a-z-]+\//.test(pointer);
  if (ruleId === "no-required-schema-properties-undefined" || ruleId === "no-illogical-composition-keywords")
    return !inExtension;
  if (ruleId !== "struct") return true;
  // Since 3.1, true and false are schemas. Redocly knows that only in some places.
  if (version !== "oas3_0" && message.startsWith("Expected type `Schema` (object) but got `boolean`")) return false;
  const vendors = /\/x-[^/]+\//.exec(pointer)?.[0].slice(1, -1);
  if (vendors !== undefined && !isFieldName(vendors)) return false; // Redocly has types for the extensions of some vendors
  return !message.startsWith("Expected type `x-"); // extension/shape says it better
}

type Found = NormalizedProblem & { readonly fix?: string };

function problemOf(
  problem: Found,
  profile: LintOptions["profile"],
  originOf: (problem: NormalizedProblem) => Located,
): Problem | undefined {
  const { ruleId, message, suggest } = problem;
  const ours = ruleId in codes;
  const code = (ours ? ruleId : `${openapiPrefix}${ruleId}`) as Code;
  const level = levelOf(code, message, profile);
  if (level === "off") return undefined;
  const fix =
    problem.fix ??
    (suggest.length > 0 ? `Did you mean ${suggest.map((each) => `"${each}"`).join(" or ")}?` : undefined);
  return {
    code,
    severity: level,
    origin: originOf(problem),
    message: sentence(message),
    ...(fix !== undefined && { fix }),
  };
}

function levelOf(code: Code, message: string, profile: LintOptions["profile"]): Level {
  // JSON Schema allows unknown keywords, and many 3.1 descriptions still use `nullable`.
  if (profile === "foreign" && code === "openapi/struct" && message.includes("is not expected here")) return "warning";
  return codes[code][profile];
}

/** Messages of the file system contain absolute paths, which differ between machines. */
function withoutFolder(message: string, folder: string): string {
  return message.replaceAll(`${folder}${path.sep}`, "");
}

function sentence(message: string): string {
  const trimmed = message.trim().replaceAll(/\s*\n\s*/g, " ");
  return /[.?!:]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

function origins(folder: string, resolver: FileResolver): (problem: NormalizedProblem) => Located {
  const locators = new Map<string, SourceFile["locate"]>();
  return ({ location: [first] }) => {
    if (first === undefined) return { file: "", pointer: "", line: 1, column: 1 };
    const { absoluteRef, body } = first.source;
    const file = nameOf(absoluteRef, folder);
    if (first.pointer === undefined) return { file, pointer: "", line: first.start.line, column: first.start.col };
    const pointer = first.pointer.replace(/^#\/?/, "");
    const tokens = parsePointer(pointer === "" ? "" : `/${pointer}`) ?? [];
    const locate = resolver.files.get(absoluteRef)?.locate ?? locators.get(absoluteRef) ?? locator(body, "yaml");
    locators.set(absoluteRef, locate);
    return { file, pointer: tokens.length === 0 ? "" : `/${pointer}`, ...locate(tokens) };
  };
}

function nameOf(file: string, folder: string): string {
  return path.relative(folder, file).split(path.sep).join("/");
}

function versionOf(parsed: unknown): string | undefined {
  try {
    const version = detectSpec(parsed);
    return version.startsWith("oas3") ? version : undefined;
  } catch {
    return undefined;
  }
}

function unreadable(file: string, error: Error): Problem {
  const origin = { file: path.basename(file), pointer: "", line: 1, column: 1 };
  const message = sentence(`This file cannot be read: ${withoutFolder(error.message, path.dirname(file))}`);
  return { code: "description/unreadable", severity: "error", origin, message };
}

function wrongVersion(file: string, parsed: unknown): Problem {
  const origin = { file: path.basename(file), pointer: "", line: 1, column: 1 };
  const { openapi, swagger } = isObject(parsed) ? parsed : {};
  const said = { code: "description/version", severity: "error", origin } as const;
  if (swagger !== undefined) {
    const message = "This is Swagger 2.0; OpenAPI 3.0, 3.1 and 3.2 can be read.";
    return { ...said, message, fix: "Convert it first, with a converter such as npx swagger2openapi." };
  }
  if (openapi === undefined)
    return { ...said, message: "This does not say which OpenAPI it is.", fix: "Begin it with openapi: 3.1.0." };
  const message = `This is OpenAPI ${JSON.stringify(openapi)}; 3.0, 3.1 and 3.2 can be read.`;
  return { ...said, message, fix: "Write the version as a text of three numbers, such as 3.1.0." };
}

function circular({ document, tokens, message }: Loop, folder: string, { files }: FileResolver): Problem {
  const { absoluteRef } = document.source;
  const position = files.get(absoluteRef)?.locate(tokens) ?? { line: 1, column: 1 };
  const origin = { file: nameOf(absoluteRef, folder), pointer: pointerOf(tokens), ...position };
  return { code: "description/circular", severity: "error", origin, message, fix: "Point it at a definition." };
}

/** Sorts diagnostics by file, line and column, and removes duplicates. */
export function inOrder(problems: readonly Problem[]): readonly Problem[] {
  const byPlace = (a: Problem, b: Problem): number =>
    compare(a.origin.file, b.origin.file) ||
    a.origin.line - b.origin.line ||
    a.origin.column - b.origin.column ||
    compare(a.code, b.code) ||
    compare(a.message, b.message);
  const sorted = problems.toSorted(byPlace);
  return sorted.filter((each, index) => {
    const before = sorted[index - 1];
    return before === undefined || byPlace(before, each) !== 0;
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
