import path from "node:path";
import {
  ResolveError,
  YamlParseError,
  createConfig,
  detectSpec,
  lintDocument,
  type NormalizedProblem,
} from "@redocly/openapi-core";
import type { Origin, Problem } from "../problem.js";
import { codes, openapiPrefix, type Code, type Level } from "./codes.js";
import { locator } from "./locate.js";
import { parsePointer } from "./place.js";
import { plumbline, pluginId } from "./plugin.js";
import { readRequirements } from "./requirements.js";
import { ExcessError, FileResolver } from "./resolver.js";
import type { Settings } from "./rule.js";
import { isFieldName } from "./vocabulary.js";

export interface LintOptions {
  /** `owner`: every rule. `foreign`: only what generation stumbles over. */
  readonly profile: "owner" | "foreign";
  /** Absolute path of requirements.yaml. */
  readonly requirements?: string;
}

/** Every problem of a description, ordered by file, line and column. Never throws for what the description says. */
export async function lint(file: string, options: LintOptions): Promise<readonly Problem[]> {
  const rootPath = path.resolve(file);
  const folder = path.dirname(rootPath);
  const resolver = new FileResolver();
  const document = await resolver.resolveDocument(null, rootPath, true).catch((error: unknown) => error);
  if (document instanceof ResolveError) return [unreadable(rootPath, document)];
  if (document instanceof YamlParseError) return [broken(document, folder)];
  if (document instanceof ExcessError) return [document.problemIn(path.basename(rootPath))];
  if (document instanceof Error) throw document;
  const { parsed, source } = document as { parsed: unknown; source: { absoluteRef: string } };
  const version = versionOf(parsed);
  if (version === undefined) return [wrongVersion(source.absoluteRef)];
  const requirements = options.requirements === undefined ? undefined : await readRequirements(options.requirements);
  const settings: Settings = { profile: options.profile, ...(requirements && { requirements }) };
  const config = await createConfig({
    plugins: [plumbline(settings)],
    rules: { ...redoclyRules(options.profile), [`${pluginId}/vocabulary`]: "error" },
  });
  const found = await lintDocument({
    document: document as Parameters<typeof lintDocument>[0]["document"],
    config,
    externalRefResolver: resolver,
  });
  const originOf = origins(folder);
  const problems = found.filter(isOurs).flatMap((each) => problemOf(each, options.profile, originOf) ?? []);
  return inOrder(problems.map((each) => ({ ...each, message: withoutFolder(each.message, folder) })));
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
    // Otherwise Redocly closes every subschema, and an example that fits fails the `then` of its own schema.
    rules[rule] = { severity, ...(/^no-invalid-.*-examples$/.test(rule) && { allowAdditionalProperties: true }) };
  }
  return rules;
}

/** Redocly judges conditions inside extensions as if they were schemas of bodies; what does not hold of them is dropped. */
function isOurs({ ruleId, location, message }: NormalizedProblem): boolean {
  // An x-source beside a reference says where the reference comes from, not what it leads to.
  if (ruleId === "spec-ref-siblings") return !message.includes("`x-source`");
  const pointer = location[0]?.pointer ?? "";
  const inExtension = /\/x-[a-z-]+\//.test(pointer);
  if (ruleId === "no-required-schema-properties-undefined" || ruleId === "no-illogical-composition-keywords")
    return !inExtension;
  if (ruleId !== "struct") return true;
  const vendors = /\/x-[^/]+\//.exec(pointer)?.[0].slice(1, -1);
  if (vendors !== undefined && !isFieldName(vendors)) return false; // Redocly knows the inside of some vendors' extensions
  return !message.startsWith("Expected type `x-"); // extension/shape says it better
}

type Found = NormalizedProblem & { readonly fix?: string };

function problemOf(
  problem: Found,
  profile: LintOptions["profile"],
  originOf: (problem: NormalizedProblem) => Origin,
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
  // JSON Schema allows keywords of one's own, and many 3.1 descriptions still say `nullable`.
  if (profile === "foreign" && code === "openapi/struct" && message.includes("is not expected here")) return "warning";
  return codes[code][profile];
}

/** Messages of the file system name whole paths, which differ from machine to machine. */
function withoutFolder(message: string, folder: string): string {
  return message.replaceAll(`${folder}${path.sep}`, "");
}

function sentence(message: string): string {
  const trimmed = message.trim().replaceAll(/\s*\n\s*/g, " ");
  return /[.?!:]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

function origins(folder: string): (problem: NormalizedProblem) => Origin {
  const locators = new Map<string, ReturnType<typeof locator>>();
  return ({ location: [first] }) => {
    if (first === undefined) return { file: "", pointer: "", line: 1, column: 1 };
    const { source } = first;
    const file = nameOf(source.absoluteRef, folder);
    if (first.pointer === undefined) return { file, pointer: "", line: first.start.line, column: first.start.col };
    const pointer = first.pointer.replace(/^#\/?/, "");
    const tokens = parsePointer(pointer === "" ? "" : `/${pointer}`) ?? [];
    const locate = locators.get(file) ?? locator(source.body);
    locators.set(file, locate);
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

function unreadable(file: string, error: ResolveError): Problem {
  const origin = { file: path.basename(file), pointer: "", line: 1, column: 1 };
  const message = sentence(`This file cannot be read: ${withoutFolder(error.message, path.dirname(file))}`);
  return { code: "description/unreadable", severity: "error", origin, message };
}

function broken(error: YamlParseError, folder: string): Problem {
  const origin = { file: nameOf(error.source.absoluteRef, folder), pointer: "", line: error.line, column: error.col };
  return {
    code: "description/syntax",
    severity: "error",
    origin,
    message: sentence(
      `This is not valid YAML or JSON: ${withoutFolder(error.originalError.message.split("\n")[0] ?? "", folder)}`,
    ),
  };
}

function wrongVersion(file: string): Problem {
  const origin = { file: path.basename(file), pointer: "", line: 1, column: 1 };
  return {
    code: "description/version",
    severity: "error",
    origin,
    message: "This is no OpenAPI 3.0, 3.1 or 3.2 description.",
    fix: "Begin it with openapi: 3.1.0.",
  };
}

/** By file, line and column; each problem once. */
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
