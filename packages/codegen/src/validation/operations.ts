import { groupByOperationFile } from "../tag-files.js";
import { generatedBanner } from "../banner.js";
import type { TextFile } from "../files.js";
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
import type { ArtifactOptions } from "../generator.js";
import {
  type Api,
  type RequestBody,
  type MediaTypeObject,
  type Operation,
  type Parameter,
  isSuccess,
  mediaKind,
  schemasByName,
  valueKinds,
} from "@plumbline/model";
import { deprecationTag } from "../types/deprecation.js";
import { TypePrinter } from "../types/print.js";
import { isSchemaFunction, NamedChecks } from "./checks.js";
import type { CustomChecks } from "./compile/custom.js";
import { valueCheckFunction } from "./compile/functions.js";
import { HoistedConstants } from "./compile/hoisted-constants.js";
import { emitInputType, appliesDefaults, inputTypeName, type BinaryBodyType } from "./inputs.js";
import { emitBodyDecoder, emitParameterDecoder } from "./decoders.js";
import { emitResponseValidators } from "./responses.js";
import { validatorFunction, validatorType } from "./runtime.js";
import { echoedFields } from "./echoed-fields.js";
import { routePath } from "./route-path.js";
import { NamedNormalizers } from "./normalizers.js";

/**
 * How to validate a body in which values may repeat stored ones: by the schema of the response, or by the caller, who
 * knows what is stored.
 */
export type EchoedValuePolicy = "echoed" | "stored";

/** Emits `operations/TAG.ts` (the validators), `checks.ts` (checks of named schemas) and `operations.ts` (exports all of them). */
export function emitOperationValidators(
  api: Api,
  options: ArtifactOptions,
  how: ValidationSettings,
): readonly TextFile[] {
  const checks = new NamedChecks(api, { custom: how.custom });
  const printer = new TypePrinter(api);
  const context: EmitContext = {
    api,
    options,
    settings: how,
    printer,
    checks,
    normalizers: new NamedNormalizers(api, checks),
  };
  const files = groupByOperationFile(api, how.operations);
  const tags = [...files].map(([file, operations]) => {
    const own = operations.flatMap((operation) => [operation.name, inputTypeName(operation)]);
    const pool = new HoistedConstants(own, options.locate, (name) => isSchemaFunction(api, name));
    const statements = operations.flatMap((operation) => emitOperation(operation, { ...context, pool }));
    return {
      path: `src/gen/operations/${file}.ts`,
      text: printSourceFile([...pool.statements, ...statements], generatedBanner, own),
    };
  });
  const pool = new HoistedConstants([], options.locate, (name) => isSchemaFunction(api, name));
  const normalizers = context.normalizers.print(pool);
  const statements = [...checks.print(pool), ...normalizers];
  const text = printSourceFile(statements, generatedBanner) + (statements.length === 0 ? "export {};\n" : "");
  return [
    ...tags,
    { path: "src/gen/checks.ts", text },
    ...emitResponseValidators(api, how.operations, {
      shared: checks.names,
      locate: options.locate,
      custom: how.custom,
    }),
    emitOperationsIndex(files, new Set(api.schemas.map((schema) => schema.name))),
    emitOperationsTable(how.operations, files),
  ];
}

/** Which operations to validate, and how. */
export interface ValidationSettings {
  readonly operations: readonly Operation[];
  readonly unchanged: EchoedValuePolicy;
  /** What a handler receives of a binary body: all bytes, or a stream. */
  readonly bytes: BinaryBodyType;
  /** Custom formats and keywords. Default: they are not checked. */
  readonly custom?: CustomChecks | undefined;
}

interface EmitContext {
  readonly api: Api;
  readonly settings: ValidationSettings;
  readonly options: ArtifactOptions;
  readonly printer: TypePrinter;
  readonly checks: NamedChecks;
  readonly normalizers: NamedNormalizers;
}

type FileEmitContext = EmitContext & { readonly pool: HoistedConstants };

function emitOperation(operation: Operation, context: FileEmitContext): readonly Code[] {
  const input = identifier(inputTypeName(operation));
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
  const about = [
    operation.summary ?? "",
    "",
    `${operation.method} ${operation.path}`,
    "",
    `From ${context.options.source(operation.origin)}`,
    ...(operation.deprecated ? ["", ...deprecationTag(operation)] : []),
  ];
  return [
    emitInputType(operation, context.printer, { schemas: schemasByName(context.api), bytes: context.settings.bytes }),
    code`${docComment(about)}
export const ${identifier(operation.name)}: ${validatorType("Operation")}<${input}> = /* @__PURE__ */ ${validatorFunction("defineOperation")}({ ${joinCode(entries, code`, `)} });`,
  ];
}

/** The media types of successes. None if a success may have no body, which is acceptable to every caller. */
function producedTypes({ responses }: Operation): readonly string[] {
  const successes = responses.filter(isSuccess);
  if (successes.some(({ contents }) => contents.length === 0)) return [];
  return [...new Set(successes.flatMap(({ contents }) => contents.map(({ mediaType }) => mediaType)))];
}

function parameterData(parameter: Parameter, operation: Operation, context: FileEmitContext): Code {
  const file = context.checks.context(context.pool, "validated", "../checks.js");
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
  ];
  return code`{ ${joinCode(entries, code`, `)} }`;
}

/** The names that other parameters and security schemes have in the location of a parameter. */
function otherNames(parameter: Parameter, { parameters }: Operation, api: Api): readonly string[] {
  if (parameter.in !== "query" && parameter.in !== "cookie") return [];
  const kinds = valueKinds(api);
  const own = new Set(kinds.fieldsOf(parameter.schema).map(([name]) => name));
  const names = parameters.flatMap((each) => {
    if (each === parameter || each.in !== parameter.in) return [];
    const fields = each.explode ? kinds.fieldsOf(each.schema).map(([name]) => name) : [];
    return [each.name, ...fields.filter((name) => !own.has(name))];
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
  const file = context.checks.context(context.pool, nulls, "../checks.js");
  const isEchoed = context.settings.unchanged === "echoed";
  const echoed = isEchoed
    ? echoedFields(
        operation,
        content.schema,
        context.api,
        context.checks.context(context.pool, "validated", "../checks.js"),
      )
    : undefined;
  // Any bytes are valid: the schema of a binary body only states that it is binary.
  const isRaw = mediaKind(content.mediaType) === "binary";
  const check = isRaw ? undefined : valueCheckFunction(file, content.schema, `${operation.name} body`, echoed);
  const how = {
    nulls,
    defaults: appliesDefaults(operation),
    values: !isEchoed || body.input.unchanged === "validate",
    within: false,
  };
  const decoder = emitBodyDecoder(content, context.api);
  const normalizer = isRaw ? undefined : context.normalizers.of(content.schema, how, context.pool, "../checks.js");
  const validated = [
    ...(check === undefined ? [] : [code`check: ${check}`]),
    ...(normalizer === undefined ? [] : [code`normalize: ${normalizer}`]),
  ];
  const isLater = !isEchoed && body.input.unchanged === "accept" && mediaKind(content.mediaType) === "json";
  const entries = [
    ...(decoder === undefined ? [] : [code`decode: ${decoder}`]),
    ...(isLater ? [code`stored: { ${joinCode(validated, code`, `)} }`] : validated),
  ];
  return code`{ ${joinCode(entries, code`, `)} }`;
}

/** If an operation and a schema have the same name, the export is the operation. */
function emitOperationsIndex(files: ReadonlyMap<string, readonly Operation[]>, schemas: ReadonlySet<string>): TextFile {
  const statements = [...files].flatMap(([tag, operations]) => {
    const from = jsonLiteral(`./operations/${tag}.js`);
    const values = operations.map((each) => each.name).filter((each) => schemas.has(each));
    const inputs = operations.map(inputTypeName).filter((each) => schemas.has(each));
    const named = [...values.map((each) => identifier(each)), ...inputs.map((each) => code`type ${identifier(each)}`)];
    return [
      code`export * from ${from};`,
      ...(named.length === 0 ? [] : [code`export { ${joinCode(named, code`, `)} } from ${from};`]),
    ];
  });
  const text = printSourceFile([code`${[...statements, code`export * from "./types.js";`]}`], generatedBanner);
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
  return { path: "src/gen/operations-table.ts", text: printSourceFile([table], generatedBanner, ["operations"]) };
}
