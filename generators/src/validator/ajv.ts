import {
  type TextFile,
  code,
  importType,
  importValue,
  isBinary,
  joinCode,
  jsonLiteral,
  printSourceFile,
  propertyKey,
  type Code,
} from "@plumbline/kit/codegen";
import {
  customRuntime,
  echoedProperties,
  operationSchemasName,
  patternMatcher,
  reachableSchemas,
  SchemaDefinitions,
  validatorRuntime,
} from "@plumbline/kit/codegen/validation";
import { type Api, type MediaTypeObject, type Operation, mediaKind, type Schema } from "@plumbline/kit/model";
import { type CustomNames, operationSchemas } from "./custom-checks.js";
import { queryCredentials, requiredSchemes } from "./security.js";

const runtime = `${validatorRuntime}/ajv`;

/** Emits `ajv.ts`: the validator on an Ajv instance of the user. */
export function emitAjvValidator(api: Api, custom: CustomNames | undefined): TextFile {
  const schemas = api.operations.map(
    (operation) =>
      code`${propertyKey(operation.name)}: ${importValue(operationSchemasName(operation), "./schemas.js")}`,
  );
  const rules = api.operations.flatMap((operation) => {
    const contents = (operation.requestBody?.contents ?? []).flatMap((content) =>
      contentRules(api, operation, content),
    );
    return contents.length === 0 ? [] : [code`${propertyKey(operation.name)}: { ${joinCode(contents, code`, `)} }`];
  });
  const operations = importValue("operations", "./operations-table.js");
  // Ajv knows the custom formats and keywords, or does not compile the schemas.
  const compiled =
    custom === undefined ? operations : code`${importValue("ignoreCustomChecks", customRuntime)}(${operations})`;
  const formats = formatsOf(api).filter((format) => custom?.formats.includes(format) !== true);
  const slow = joinCode((api.slowPatterns ?? []).map(patternMatcher), code`, `);
  const slowPatterns =
    api.slowPatterns === undefined
      ? code``
      : code`\n  slowPatterns: ${importValue("matchSlowPatterns", runtime)}([${slow}]),`;
  const security =
    requiredSchemes(api).length === 0
      ? code``
      : code`\n  security: { securityCheck: () => import("./security.js").then((loaded) => loaded.securityCheck), queryCredentials: ${jsonLiteral(queryCredentials(api))} },`;
  const instance = importType("AjvInstance", runtime);
  const options = importType("AjvOptions", runtime);
  const statements = [
    code`const source: ${importType("AjvSource", runtime)} = {
  operations: ${compiled},
  schemas: { ${joinCode(schemas, code`, `)} },
  rules: { ${joinCode(rules, code`, `)} },
  formats: ${jsonLiteral(formats)},${slowPatterns}${security}
};`,
    code`/**
 * Creates a request validator on an Ajv instance for JSON Schema 2020-12, with its formats and keywords. Requests compile the schemas of their operations,
 * unless \`compile\` has done so.
 *
 * @throws TypeError if the instance does not know JSON Schema 2020-12
 *
 * @example
 * app.use(ajvValidator(new Ajv2020({ allErrors: true })).express({ basePath: "/v4" }));
 */
export function ajvValidator(ajv: ${instance}, options: ${options} = {}): ${importType("AjvValidator", runtime)}<${importType("OperationName", "./names.js")}> {
  return ${importValue("createAjvValidator", runtime)}(ajv, source, options);
}`,
    code`export { ajvInputOf as inputOf } from ${jsonLiteral(runtime)};`,
  ];
  return { path: "src/gen/ajv.ts", text: printSourceFile(statements) };
}

/** Returns what JSON Schema cannot express about a body, or nothing. */
function contentRules(api: Api, operation: Operation, { mediaType, schema }: MediaTypeObject): readonly Code[] {
  if (mediaKind(mediaType) === "binary") return [];
  const { fields } = echoedProperties(operation, schema, api);
  const echoed = fields.map((each) => code`${propertyKey(each.name)}: ${standaloneSchema(api, each.schema)}`);
  const hasLimits = reachableSchemas(api, [schema]).some(
    (each) => each.limits !== undefined || each.scopeCeiling !== undefined || limitsFileSize(each),
  );
  const entries = [
    ...(operation.requestBody?.input.nulls === "absent"
      ? [code`nulls: ${importValue("createNullRemover", runtime)}`]
      : []),
    ...(hasLimits ? [code`limits: true`] : []),
    ...(echoed.length === 0 ? [] : [code`echoed: { ${joinCode(echoed, code`, `)} }`]),
  ];
  return entries.length === 0 ? [] : [code`${propertyKey(mediaType)}: { ${joinCode(entries, code`, `)} }`];
}

/** In a form, Ajv gets no schema of a file. */
function limitsFileSize(schema: Schema): boolean {
  return isBinary(schema) && (schema.minLength ?? schema.maxLength) !== undefined;
}

/** Emits a schema that is in no other file, with its definitions. */
function standaloneSchema(api: Api, schema: Schema): Code {
  const all = new SchemaDefinitions(api);
  const { keywords, definitions } = all.root(schema);
  if (definitions.length === 0) return jsonLiteral(keywords);
  const $defs = Object.fromEntries(definitions.map((name) => [name, all.all.get(name) ?? false] as const));
  return jsonLiteral({ ...keywords, $defs });
}

/** Returns the formats of all schemas of operations. */
function formatsOf(api: Api): readonly string[] {
  const formats = reachableSchemas(api, operationSchemas(api)).flatMap(({ format }) =>
    format === undefined ? [] : [format],
  );
  return [...new Set(formats)].toSorted();
}
