import {
  type Api,
  type MediaTypeObject,
  type Operation,
  type ParameterLocation,
  mediaKind,
} from "../../model/index.js";
import type { TextFile } from "../files.js";
import {
  code,
  type Code,
  docComment,
  identifier,
  joinCode,
  jsonLiteral,
  printSourceFile,
  propertyKey,
} from "../printer.js";
import { validatorType } from "../validation/runtime.js";
import { type RootSchema, SchemaDefinitions } from "./definitions.js";

/** Returns the name of the export with the JSON Schema of a named schema. */
export function schemaConstantName(schema: string): string {
  return `${schema}Schema`;
}

/** Returns the name of the export with the JSON Schemas of an operation. */
export function operationSchemasName({ name }: Pick<Operation, "name">): string {
  return `${name}Schemas`;
}

/** Emits `schemas.ts`: every named schema, and the schemas of every operation, as JSON Schema 2020-12. Bundlers drop unused ones. */
export function emitSchemas(api: Api, operations: readonly Operation[]): TextFile {
  const definitions = new SchemaDefinitions(api);
  const schemas = api.schemas.map(
    ({ name, schema: { origin } }) =>
      code`${docComment([`JSON Schema of \`${name}\`.`])}
export const ${identifier(schemaConstantName(name))}: ${schemaType} = ${emitRoot(definitions.root({ ref: name, types: [], origin }))};`,
  );
  const all = operations.map(
    (operation) =>
      code`${docComment([`JSON Schemas of \`${operation.name}\`: ${operation.method} ${operation.path}`])}
export const ${identifier(operationSchemasName(operation))}: ${validatorType("OperationSchemas")} = ${emitOperation(operation, definitions)};`,
  );
  const constants = [...definitions.all].map(
    ([name, schema]) => code`const ${definitionConstant(name)}: ${schemaType} | boolean = ${jsonLiteral(schema)};`,
  );
  const text = printSourceFile([...constants, ...schemas, ...all]);
  return { path: "src/gen/schemas.ts", text: schemas.length + all.length === 0 ? `${text}export {};\n` : text };
}

const schemaType: Code = validatorType("JsonSchema");

/** Emits a root schema with its definitions, which are constants of `schemas.ts`. */
function emitRoot({ keywords, definitions }: RootSchema): Code {
  const entries = [
    ...Object.entries(keywords).map(([key, value]) => code`${propertyKey(key)}: ${jsonLiteral(value)}`),
    ...(definitions.length === 0
      ? []
      : [
          code`$defs: { ${joinCode(
            definitions.map((name) => code`${propertyKey(name)}: ${definitionConstant(name)}`),
            code`, `,
          )} }`,
        ]),
  ];
  return entries.length === 0 ? code`{}` : code`{ ${joinCode(entries, code`, `)} }`;
}

function definitionConstant(name: string): Code {
  return identifier(`${name}Definition`);
}

const groups = { path: "path", query: "query", header: "headers", cookie: "cookies" } as const satisfies Record<
  ParameterLocation,
  string
>;

function emitOperation(operation: Operation, definitions: SchemaDefinitions): Code {
  const { parameters, requestBody, responses } = operation;
  const locations = (Object.keys(groups) as ParameterLocation[]).flatMap((location) => {
    const group = parameters.filter((each) => each.in === location);
    const fields = group.map(({ name, schema, description, required }) => ({
      name,
      schema,
      description,
      isRequired: required,
    }));
    return group.length === 0 ? [] : [code`${identifier(groups[location])}: ${emitRoot(definitions.object(fields))}`];
  });
  const body = requestBody === undefined ? [] : [code`body: ${emitContents(requestBody.contents, definitions)}`];
  const statuses = responses.map(
    ({ status, contents }) => code`${propertyKey(String(status))}: ${emitContents(contents, definitions)}`,
  );
  const entries = [...locations, ...body, code`responses: { ${joinCode(statuses, code`, `)} }`];
  return code`{ ${joinCode(entries, code`, `)} }`;
}

/** Emits the schemas by media type. */
function emitContents(contents: readonly MediaTypeObject[], definitions: SchemaDefinitions): Code {
  const entries = contents.map(
    (content) => code`${propertyKey(content.mediaType)}: ${emitRoot(contentRoot(content, definitions))}`,
  );
  return entries.length === 0 ? code`{}` : code`{ ${joinCode(entries, code`, `)} }`;
}

/** A stream has the schema of its items, and bytes have their media type alone. */
function contentRoot({ mediaType, schema, itemSchema }: MediaTypeObject, definitions: SchemaDefinitions): RootSchema {
  const kind = mediaKind(mediaType);
  if (itemSchema !== undefined) return definitions.root(itemSchema);
  if (kind === "binary") return { keywords: { contentMediaType: mediaType }, definitions: [] };
  return definitions.root(schema, kind === "multipart" ? "multipart" : "json");
}
