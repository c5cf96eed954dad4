import {
  type Api,
  type RequestBody,
  type MediaTypeObject,
  type Operation,
  type Parameter,
  endSentence,
  isSuccess,
  memoizeByKey,
  mediaKind,
  schemaParts,
  schemasByName,
  sizeLimits,
  valueKinds,
} from "../../model/index.js";
import { clientRuntime } from "../conversions/conversions.js";
import { bodyConverterCode, converterCode } from "../conversions/converters.js";
import type { TextFile } from "../files.js";
import type { ArtifactOptions } from "../generator.js";
import {
  code,
  docComment,
  importValue,
  joinCode,
  propertyKey,
  jsonLiteral,
  identifier,
  printSourceFile,
  type Code,
} from "../printer.js";
import { groupByOperationFile } from "../tag-files.js";
import { deprecationTag } from "../types/deprecation.js";
import { TypePrinter } from "../types/print.js";
import { createConstants, NamedChecks } from "./checks.js";
import type { CustomChecks } from "./compile/custom.js";
import { declaredProperties } from "./compile/declared-properties.js";
import { echoedCheckFunction, valueCheckFunction } from "./compile/functions.js";
import type { HoistedConstants } from "./compile/hoisted-constants.js";
import { isBareReference } from "./compile/schemas.js";
import type { CompileContext } from "./compile/scope.js";
import { emitBodyDecoder, emitParameterDecoder } from "./decoders.js";
import { echoedFields } from "./echoed-fields.js";
import { emitInputType, appliesDefaults, inputTypeName } from "./inputs.js";
import { NamedNormalizers } from "./normalizers.js";
import { emitResponseHeaders, emitResponseValidators } from "./responses.js";
import { routePath } from "./route-path.js";
import { serverRuntime, validatorCall, validatorFunction, validatorType } from "./runtime.js";
import type { ValidatorModules } from "./validator-modules.js";

/**
 * How to validate a body in which values may repeat stored ones: by the schema of the response, or by the caller, who
 * knows what is stored.
 */
export type EchoedValuePolicy = "echoed" | "stored";

/**
 * Emits the validation of an API, which its validator and its server share: `operations/TAG.ts` (the validators), `operations.ts` (exports all of
 * them), `operations-table.ts`, `responses.ts`, and `checks.ts` with the checks of the named schemas that these import.
 */
export function emitOperationValidators(
  api: Api,
  options: ArtifactOptions,
  settings: ValidationSettings = {},
): readonly TextFile[] {
  if (settings.custom !== undefined || settings.isStandard === true) return emitValidators(api, options, settings);
  return usualValidators(api, emitValidators, () => emitValidators(api, options, {}));
}

/** What a validator and a server without one have in common. */
const usualValidators = memoizeByKey<typeof emitValidators, readonly TextFile[]>();

function emitValidators(
  api: Api,
  options: ArtifactOptions,
  { custom, isStandard = false }: ValidationSettings,
): readonly TextFile[] {
  const checks = new NamedChecks(api, custom);
  const context: EmitContext = {
    api,
    options,
    printer: new TypePrinter(api, "File"),
    checks,
    normalizers: new NamedNormalizers(api, checks),
    unchanged: "echoed",
    checksModule: "../checks.js",
  };
  const files = groupByOperationFile(api, api.operations);
  const tags = [...files].map(([file, operations]) => {
    const names = operations.flatMap((operation) => [operation.name, inputTypeName(operation)]);
    const pool = createConstants(api, names, options.locate);
    const statements = operations.flatMap((operation) => emitOperation(operation, { ...context, pool }));
    return {
      path: `src/gen/operations/${file}.ts`,
      text: printSourceFile([...pool.statements, ...statements], names),
    };
  });
  const responses = [
    emitResponseValidators(api, checks, createConstants(api, ["responses"], options.locate)),
    ...emitResponseHeaders(api, checks, createConstants(api, ["responseHeaders"], options.locate)),
  ];
  // A server imports the checks of what it validates otherwise from here, too.
  for (const operation of serverOperations(api))
    emitDefinition(operation, { ...context, unchanged: "stored", pool: createConstants(api, [], options.locate) });
  // And those of stored objects with the changes applied.
  for (const { requestBody } of api.operations)
    if (requestBody?.input.merged !== undefined) checks.refer(requestBody.input.merged, "validated");
  if (isStandard) for (const { name } of api.schemas) checks.refer(name, "validated");
  const pool = createConstants(api, checks.bodyChecks, options.locate);
  const normalizers = context.normalizers.print(pool);
  const statements = [...checks.print(pool), ...normalizers];
  const text = printSourceFile(statements) + (statements.length === 0 ? "export {};\n" : "");
  return [
    ...tags,
    { path: "src/gen/checks.ts", text },
    ...responses,
    emitOperationsIndex(files, new Set(api.schemas.map((schema) => schema.name))),
    emitOperationsTable(api.operations, files),
  ];
}

/** What a validator checks beside the description. */
export interface ValidationSettings {
  /** Custom formats and keywords. Default: they are not checked. */
  readonly custom?: CustomChecks | undefined;
  /** Whether each named schema has a check, as Standard Schemas need. Default: those that requests and responses need. */
  readonly isStandard?: boolean;
}

interface EmitContext {
  readonly api: Api;
  readonly options: ArtifactOptions;
  readonly printer: TypePrinter;
  readonly checks: NamedChecks;
  readonly normalizers: NamedNormalizers;
  readonly unchanged: EchoedValuePolicy;
  /** The module with the checks of named schemas. */
  readonly checksModule: string;
}

type FileEmitContext = EmitContext & { readonly pool: HoistedConstants };

/**
 * Emits `operations.ts` of a server: all operations, of which some differ from those of the validator. These have no path, or their bodies may
 * repeat stored values, which a server knows. Handlers receive binary bodies as streams.
 *
 * @param validator - The modules of the validator, and the custom formats and keywords that it checks.
 */
export function emitServerOperations(
  api: Api,
  options: ArtifactOptions,
  { modules, custom }: { readonly modules: ValidatorModules; readonly custom?: CustomChecks | undefined },
): TextFile {
  const checks = new NamedChecks(api, custom);
  const operations = serverOperations(api);
  const names = [
    "operations",
    ...operations.map(({ name }) => name),
    ...[...api.operations, ...api.operationsWithoutPath].filter(hasServerInput).map(inputTypeName),
  ];
  const context: FileEmitContext = {
    api,
    options,
    printer: new TypePrinter(api, "File"),
    checks,
    normalizers: new NamedNormalizers(api, checks),
    unchanged: "stored",
    checksModule: modules.checks,
    pool: createConstants(api, names, options.locate),
  };
  const inputs = [...api.operations, ...api.operationsWithoutPath]
    .filter(hasServerInput)
    .map((operation) =>
      emitInputType(operation, context.printer, { schemas: schemasByName(api), bytes: "stream", from: "./types.js" }),
    );
  const definitions = operations.map((operation) => {
    const { name, path, requestBody } = operation;
    if (path === "" || requestBody === undefined) return emitDefinition(operation, context);
    const body = bodyData(operation, requestBody, context);
    return code`${validatorFunction("defineOperation")}({ ...${importValue(name, modules.operations)}.definition, body: ${body} })`;
  });
  const validated = importValue("operations", modules.table);
  const about = docComment(["Every operation of the API, as a server validates it."]);
  const all =
    definitions.length === 0
      ? validated
      : code`/* @__PURE__ */ ${importValue("withServerOperations", serverRuntime)}(${validated}, [
${joinCode(
  definitions,
  code`,
`,
)},
])`;
  const table = code`${about}
export const operations: readonly ${validatorType("Operation")}[] = ${all};`;
  return {
    path: "src/gen/operations.ts",
    text: printSourceFile([...context.pool.statements, ...inputs, table], names),
  };
}

/** The operations whose definition differs between a server and its validator. */
function serverOperations(api: Api): readonly Operation[] {
  return [...api.operations.filter(repeatsStoredValues), ...api.operationsWithoutPath];
}

/** Whether a body may repeat stored values, whatever its schema says. */
function repeatsStoredValues({ requestBody }: Operation): boolean {
  return requestBody?.input.unchanged === "accept" && requestBody.contents.some(isJson);
}

/** Whether handlers have an input of another type than the validator's, which has all bytes of a binary body. */
export function hasServerInput({ path, requestBody }: Operation): boolean {
  return path === "" || requestBody?.contents.some(({ mediaType }) => mediaKind(mediaType) === "binary") === true;
}

function isJson({ mediaType }: MediaTypeObject): boolean {
  return mediaKind(mediaType) === "json";
}

function emitOperation(operation: Operation, context: FileEmitContext): readonly Code[] {
  const about = [
    endSentence(operation.summary ?? ""),
    "",
    `${operation.method} ${operation.path}`,
    "",
    `From ${context.options.source(operation.origin)}`,
    ...(operation.deprecated ? ["", ...deprecationTag(operation)] : []),
  ];
  return [
    emitInputType(operation, context.printer, {
      schemas: schemasByName(context.api),
      bytes: "whole",
      from: "../types.js",
    }),
    code`${docComment(about)}
export const ${identifier(operation.name)}: ${validatorType("Operation")}<${identifier(inputTypeName(operation))}> = /* @__PURE__ */ ${emitDefinition(operation, context)};`,
  ];
}

/** Emits an expression with the definition of an operation. */
function emitDefinition(operation: Operation, context: FileEmitContext): Code {
  const parameters = operation.parameters.map((each) => parameterData(each, operation, context));
  const produces = producedTypes(operation);
  const entries = [
    code`name: ${jsonLiteral(operation.name)}`,
    code`method: ${jsonLiteral(operation.method)}`,
    code`path: ${jsonLiteral(routePath(operation))}`,
    ...(parameters.length === 0 ? [] : [code`parameters: [\n${joinCode(parameters, code`,\n`)},\n]`]),
    ...(operation.requestBody === undefined
      ? []
      : [code`body: ${bodyData(operation, operation.requestBody, context)}`]),
    ...(produces.length === 0 ? [] : [code`produces: ${jsonLiteral(produces)}`]),
  ];
  return code`${validatorFunction("defineOperation")}({ ${joinCode(entries, code`, `)} })`;
}

/** The media types of successes. None if a success may have no body, which is acceptable to every caller. */
function producedTypes({ responses }: Operation): readonly string[] {
  const successes = responses.filter(isSuccess);
  if (successes.some(({ contents }) => contents.length === 0)) return [];
  return [...new Set(successes.flatMap(({ contents }) => contents.map(({ mediaType }) => mediaType)))];
}

function parameterData(parameter: Parameter, operation: Operation, context: FileEmitContext): Code {
  const file = context.checks.context(context.pool, "validated", context.checksModule);
  const check = valueCheckFunction(file, parameter.schema, `${operation.name} ${parameter.name}`);
  const entries = [
    code`name: ${jsonLiteral(parameter.name)}`,
    code`in: ${jsonLiteral(parameter.in)}`,
    ...(parameter.required ? [code`required: true`] : []),
    ...(parameter.segments > 1 ? [code`segments: ${jsonLiteral(parameter.segments)}`] : []),
    ...(parameter.encodedSlash ? [code`encodedSlash: true`] : []),
    code`decode: ${emitParameterDecoder(parameter, context.api, otherNames(parameter, operation, context.api))}`,
    ...(check === undefined ? [] : [code`check: ${check}`]),
    ...(parameter.schema.default === undefined ? [] : [code`default: ${jsonLiteral(parameter.schema.default)}`]),
    ...emitConversion(converterCode(context.api, parameter.schema, valuesModule)),
  ];
  return code`{ ${joinCode(entries, code`, `)} }`;
}

/** The module with the converters of named schemas, for the files of operations: a server converts nothing. */
const valuesModule = "../values.js";

function emitConversion(converter: Code | undefined): readonly Code[] {
  if (converter === undefined) return [];
  return [code`convert: /* @__PURE__ */ ${importValue("convertedInput", clientRuntime)}(${converter})`];
}

/** The names that other parameters and security schemes have in the location of a parameter. */
function otherNames(parameter: Parameter, { parameters }: Operation, api: Api): readonly string[] {
  if (parameter.in !== "query" && parameter.in !== "cookie") return [];
  const kinds = valueKinds(api);
  const fieldNames = new Set(kinds.fieldsOf(parameter.schema).map(([name]) => name));
  const names = parameters.flatMap((each) => {
    if (each === parameter || each.in !== parameter.in) return [];
    const fields = each.explode ? kinds.fieldsOf(each.schema).map(([name]) => name) : [];
    return [each.name, ...fields.filter((name) => !fieldNames.has(name))];
  });
  const keys = api.securitySchemes.flatMap((each) =>
    each.kind === "apiKey" && each.in === parameter.in ? [each.key] : [],
  );
  return [...new Set([...names, ...keys])];
}

function bodyData(operation: Operation, body: RequestBody, context: FileEmitContext): Code {
  const contents = body.contents.map(
    (content) => code`${propertyKey(content.mediaType)}: ${contentData(operation, body, content, context)}`,
  );
  const required = body.required ? code`required: true, ` : code``;
  return code`{ ${required}contents: { ${joinCode(contents, code`, `)} } }`;
}

function contentData(
  operation: Operation,
  body: RequestBody,
  content: MediaTypeObject,
  context: FileEmitContext,
): Code {
  const { nulls } = body.input;
  const isEchoed = context.unchanged === "echoed";
  const echoed = isEchoed
    ? echoedFields(
        operation,
        content.schema,
        context.api,
        context.checks.context(context.pool, "validated", context.checksModule),
      )
    : undefined;
  const isRaw = mediaKind(content.mediaType) === "binary";
  // A server passes bytes on as a stream.
  const size = isEchoed ? sizeCheck(content, context) : undefined;
  const check = isRaw ? size : bodyCheck(operation, content, context, echoed);
  const how = {
    nulls,
    appliesDefaults: appliesDefaults(operation),
    appliesDerivedValues: !isEchoed || body.input.unchanged === "validate",
    isNested: false,
  };
  const decoder = emitBodyDecoder(content, context.api);
  const normalizer = isRaw
    ? undefined
    : context.normalizers.normalizerOf(content.schema, how, {
        pool: context.pool,
        from: context.checksModule,
        hint: `${operation.name} body`,
      });
  const validated = [
    ...(check === undefined ? [] : [code`check: ${check}`]),
    ...(normalizer === undefined ? [] : [code`normalize: ${normalizer}`]),
  ];
  const isLater = !isEchoed && body.input.unchanged === "accept" && isJson(content);
  const entries = [
    ...(decoder === undefined ? [] : [code`decode: ${decoder}`]),
    ...(isLater ? [code`stored: { ${joinCode(validated, code`, `)} }`] : validated),
    ...emitConversion(bodyConverterCode(context.api, content, valuesModule)),
  ];
  return code`{ ${joinCode(entries, code`, `)} }`;
}

/** Emits the check of bytes. Their schema states that they are binary, and perhaps how many there may be. */
function sizeCheck({ schema }: MediaTypeObject, { api }: FileEmitContext): Code | undefined {
  const { most } = sizeLimits("characters", schemaParts(api, schema));
  return most === undefined ? undefined : validatorCall("maxBytes", jsonLiteral(most));
}

/**
 * Returns the name of the function that checks a body. That of a body which may repeat stored values is in the module of the named checks, from
 * which the server imports it, too.
 */
function bodyCheck(
  operation: Operation,
  { schema, mediaType }: MediaTypeObject,
  { api, checks, pool, checksModule }: FileEmitContext,
  echoed: Code | undefined,
): Code | undefined {
  const { contents = [], input } = operation.requestBody ?? {};
  const nulls = input?.nulls ?? "validated";
  const hint = `${operation.name} body`;
  const contextOf = (constants: HoistedConstants): CompileContext => checks.context(constants, nulls, checksModule);
  // Beside the check of a named schema are the names of its fields.
  if (operation.path === "" || !(repeatsStoredValues(operation) || isBareReference(schema)))
    return valueCheckFunction(contextOf(pool), schema, hint);
  if (isBareReference(schema) && declaredProperties(schemasByName(api), schema) === undefined)
    return checks.refer(schema.ref ?? "", nulls, checksModule);
  if (valueCheckFunction(contextOf(pool.scratch()), schema, hint) === undefined) return undefined;
  const check = checks.referBody(
    { schema, nulls, hint: contents.length === 1 ? hint : `${hint} ${mediaType}` },
    checksModule,
  );
  return echoed === undefined ? check : echoedCheckFunction(contextOf(pool), check, hint, echoed);
}

/** If an operation and a schema have the same name, the export is the operation. */
function emitOperationsIndex(files: ReadonlyMap<string, readonly Operation[]>, schemas: ReadonlySet<string>): TextFile {
  const statements = [...files].flatMap(([tag, operations]) => {
    const from = jsonLiteral(`./operations/${tag}.js`);
    const values = operations.map((each) => each.name).filter((each) => schemas.has(each));
    const inputs = operations.map(inputTypeName).filter((each) => schemas.has(each));
    const names = [...values.map((each) => identifier(each)), ...inputs.map((each) => code`type ${identifier(each)}`)];
    return [
      code`export * from ${from};`,
      ...(names.length === 0 ? [] : [code`export { ${joinCode(names, code`, `)} } from ${from};`]),
    ];
  });
  const text = printSourceFile([code`${[...statements, code`export * from "./types.js";`]}`]);
  return { path: "src/gen/operations.ts", text };
}

/** Operations in one list. */
const maxChunk = 500;

/** Emits the table of all operations. */
function emitOperationsTable(
  operations: readonly Operation[],
  files: ReadonlyMap<string, readonly Operation[]>,
): TextFile {
  const fileOf = new Map([...files].flatMap(([file, all]) => all.map((each) => [each.name, file] as const)));
  const members = operations.map((each) => importValue(each.name, `./operations/${fileOf.get(each.name) ?? ""}.js`));
  const type = code`readonly ${validatorType("Operation")}[]`;
  // TypeScript compares the type of each member with those of all others, and gives up at some thousands.
  const chunks = Array.from({ length: Math.ceil(members.length / maxChunk) }, (_, index) =>
    joinCode(members.slice(index * maxChunk, (index + 1) * maxChunk), code`, `),
  );
  const all =
    chunks.length < 2
      ? (chunks[0] ?? code``)
      : joinCode(
          chunks.map((each) => code`...([${each}] as ${type})`),
          code`, `,
        );
  const table = code`/** Every operation of the API. */
export const operations: ${type} = [${all}];`;
  return { path: "src/gen/operations-table.ts", text: printSourceFile([table], ["operations"]) };
}
