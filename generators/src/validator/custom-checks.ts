import {
  type Code,
  code,
  docComment,
  identifier,
  type GeneratorOptions,
  importType,
  importValue,
  joinCode,
  jsonLiteral,
  printSourceFile,
  type TextFile,
} from "@plumbline/kit/codegen";
import { type CustomChecks, customRuntime, reachableSchemas } from "@plumbline/kit/codegen/validation";
import { type Api, type Diagnostic, memoize, type Schema } from "@plumbline/kit/model";

/** The custom formats and keywords of a validator. */
export interface CustomNames {
  readonly formats: readonly string[];
  readonly keywords: readonly string[];
}

/**
 * Returns the custom formats and keywords that schemas of the description have. Undefined if there are none.
 *
 * @param formats the formats that the user checks
 */
export function findCustomNames(api: Api, formats: readonly string[]): CustomNames | undefined {
  const keywords = [
    ...new Set(validatedSchemas(api).flatMap((schema) => Object.keys(schema.keywords ?? {}))),
  ].toSorted();
  return formats.length + keywords.length === 0 ? undefined : { formats: [...new Set(formats)].toSorted(), keywords };
}

/** Finds a listed format that no schema has: it is probably misspelt, and would never be checked. */
export function findFormatIssue(api: Api, formats: readonly string[]): string | undefined {
  const schemaFormats = new Set(validatedSchemas(api).map(({ format }) => format));
  const missing = formats.find((format) => !schemaFormats.has(format));
  return missing === undefined ? undefined : `lists ${JSON.stringify(missing)}, which no schema of the description has`;
}

/** Finds the formats that nothing checks: OpenAPI does not define them, and the user does not list them. One warning has them all. */
export function findFormatWarnings(
  api: Api,
  { locate, config }: Pick<GeneratorOptions<{ readonly formats: readonly string[] }>, "locate" | "config">,
): readonly Diagnostic[] {
  const unchecked = validatedSchemas(api).filter(
    ({ format }) => format !== undefined && !registeredFormats.has(format) && !config.formats.includes(format),
  );
  const [first] = unchecked;
  if (first === undefined) return [];
  const names = [...new Set(unchecked.map(({ format }) => String(format)))].toSorted();
  return [
    {
      code: "unsupported/format",
      severity: "warning",
      origin: locate(first.origin),
      message: `OpenAPI does not define ${names.length === 1 ? "the format" : "the formats"} ${names.map((name) => JSON.stringify(name)).join(", ")}, so that the validator checks nothing there.`,
      fix: `List what your functions check under the validator in plumbline.yaml: formats: [${names.join(", ")}].`,
    },
  ];
}

/** The registries of OpenAPI and of JSON Schema: https://spec.openapis.org/registry/format/. */
const registeredFormats: ReadonlySet<string> = new Set(
  `base64url binary byte char commonmark date date-time date-time-local decimal decimal128 double double-int duration email
  float hostname html http-date idn-email idn-hostname int8 int16 int32 int64 ipv4 ipv6 iri iri-reference json-pointer
  media-range password regex relative-json-pointer sf-binary sf-boolean sf-decimal sf-integer sf-string sf-token time
  time-local uint8 uint16 uint32 uint64 unixtime uri uri-reference uri-template uuid`.split(/\s+/),
);

const validatedSchemas = memoize((api): readonly Schema[] =>
  reachableSchemas(api, [...operationSchemas(api), ...api.schemas.map(({ schema }) => schema)]),
);

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
  return { path: "src/gen/custom-checks.ts", text: printSourceFile(statements) };
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
