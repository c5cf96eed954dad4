import {
  type Code,
  code,
  docComment,
  identifier,
  generatedBanner,
  importType,
  importValue,
  joinCode,
  jsonLiteral,
  printSourceFile,
  type TextFile,
} from "@plumbline/codegen";
import { type CustomChecks, customRuntime, reachableSchemas } from "@plumbline/codegen/validation";
import type { Api, Schema } from "@plumbline/model";

/** The custom formats and keywords of a validator. */
export interface CustomNames {
  readonly formats: readonly string[];
  readonly keywords: readonly string[];
}

/**
 * Returns the custom formats and keywords that schemas of the description have. Undefined if there are none.
 *
 * @param formats the formats that the user checks
 * @throws Error for a format that no schema has: it is probably misspelt, and would never be checked
 */
export function findCustomNames(api: Api, formats: readonly string[]): CustomNames | undefined {
  const schemas = reachableSchemas(api, [...operationSchemas(api), ...api.schemas.map(({ schema }) => schema)]);
  const known = new Set(schemas.map(({ format }) => format));
  const missing = formats.find((format) => !known.has(format));
  if (missing !== undefined)
    throw new Error(`The option \`formats\` lists ${JSON.stringify(missing)}, which no schema of the description has.`);
  const keywords = [...new Set(schemas.flatMap((schema) => Object.keys(schema.keywords ?? {})))].toSorted();
  return formats.length + keywords.length === 0 ? undefined : { formats: [...new Set(formats)].toSorted(), keywords };
}

/** Returns the schemas of parameters, bodies and responses. */
export function operationSchemas({ operations }: Api): readonly Schema[] {
  return operations.flatMap(({ parameters, requestBody, responses }) => [
    ...parameters.map(({ schema }) => schema),
    ...[requestBody, ...responses].flatMap((each) =>
      (each?.contents ?? []).flatMap(({ schema, itemSchema }) => (itemSchema ? [schema, itemSchema] : [schema])),
    ),
  ]);
}

/** Returns what the compiler of checks needs of the names. */
export function toCompiledChecks(names: CustomNames | undefined): CustomChecks | undefined {
  return names && { formats: new Set(names.formats) };
}

/** Emits `custom-checks.ts`: the type of the functions, and how checks without a server get them. */
export function emitCustomChecks({ formats, keywords }: CustomNames): TextFile {
  const members = [
    emitMember("formats", formats, "FormatCheck", "Checks of formats, by name."),
    emitMember("keywords", keywords, "KeywordCheck", "Checks of keywords, by name."),
  ];
  const target = importType("CheckTarget", customRuntime);
  const statements = [
    code`/** The functions that this validator requires. */
export interface CustomChecks {
${members.flat()}
}`,
    code`/** The names of these functions. */
export const customCheckNames: ${importType("CustomCheckNames", customRuntime)} = { formats: ${jsonLiteral(formats)}, keywords: ${jsonLiteral(keywords)} };`,
    code`/**
 * Binds an operation or a Standard Schema to functions. Without them, it throws a TypeError where it needs one.
 *
 * @throws TypeError for a function that is missing, unknown or of another type
 */
export function withChecks<Target extends ${target}>(target: Target, checks: CustomChecks): Target {
  return ${importValue("bindTarget", customRuntime)}(target, checks, customCheckNames);
}`,
  ];
  return { path: "src/gen/custom-checks.ts", text: printSourceFile(statements, generatedBanner) };
}

function emitMember(option: string, names: readonly string[], type: string, about: string): readonly Code[] {
  if (names.length === 0) return [];
  const union = joinCode(
    names.map((name) => jsonLiteral(name)),
    code` | `,
  );
  return [
    code`${docComment([about])}
  readonly ${identifier(option)}: Readonly<Record<${union}, ${importType(type, customRuntime)}>>;`,
  ];
}
