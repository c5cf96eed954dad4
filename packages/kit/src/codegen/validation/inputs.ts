import {
  type MediaTypeObject,
  type Operation,
  type Parameter,
  type ParameterLocation,
  type Schema,
  type SchemasByName,
  preferredContent,
  mediaKind,
  pascalCase,
} from "../../model/index.js";
import { code, docComment, joinCode, propertyKey, jsonLiteral, identifier, type Code } from "../printer.js";
import { describeSchema } from "../types/describe.js";
import type { TypePrinter } from "../types/print.js";
import { validatorType } from "./runtime.js";

/** The members under which handlers find parameters. */
const groups: Readonly<Record<ParameterLocation, string>> = {
  path: "path",
  query: "query",
  header: "headers",
  cookie: "cookies",
};

const locations = ["path", "query", "header", "cookie"] as const satisfies readonly ParameterLocation[];

export type BinaryBodyType = "whole" | "stream";

const bytesTypes: Readonly<Record<BinaryBodyType, Code>> = {
  whole: code`Uint8Array`,
  stream: code`ReadableStream<Uint8Array>`,
};

interface InputContext {
  readonly schemas: SchemasByName;
  readonly bytes: BinaryBodyType;
  /** The module with the types of named schemas. */
  readonly from: string;
}

/** Returns the name of the input type of an operation. */
export function inputTypeName(operation: Operation): string {
  return `${pascalCase(operation.name) ?? operation.name}Input`;
}

/** Emits the input type of an operation: the decoded request, with defaults applied. */
export function emitInputType(operation: Operation, printer: TypePrinter, context: InputContext): Code {
  const members = locations.flatMap((place) => {
    const fields = operation.parameters.filter((parameter) => parameter.in === place);
    if (fields.length === 0) return [];
    return [
      code`readonly ${propertyKey(groups[place])}: {\n${fields.map((each) => parameterField(each, printer, context.from))}\n};`,
    ];
  });
  const body = bodyType(operation, printer, context);
  const all = body === undefined ? members : [...members, bodyMember(operation, filledType(body))];
  const about = code`/** The decoded input of \`${identifier(operation.name)}\`. */`;
  const typeName = identifier(inputTypeName(operation));
  if (all.length === 0) return code`${about}\nexport type ${typeName} = Readonly<Record<string, never>>;`;
  return code`${about}\nexport interface ${typeName} {\n${all}\n}`;
}

/**
 * Prints a type with the parts of an operation's input that differ before defaults. Returns undefined if none does.
 *
 * @param input - The input type, of whose members the parts are made.
 */
export function printSentParts(
  operation: Operation,
  input: Code,
  { printer, ...context }: InputContext & { readonly printer: TypePrinter },
): Code | undefined {
  const parts = locations.flatMap((place) => {
    const fields = operation.parameters.filter((parameter) => parameter.in === place);
    return fields.length === 0 ? [] : sentParameters(groups[place], fields, input);
  });
  const body = bodyType(operation, printer, context);
  if (body !== undefined && body.filled.length > 0) parts.push(bodyMember(operation, body.type));
  return parts.length === 0 ? undefined : code`{ ${joinCode(parts, code` `)} }`;
}

/** Without required parameters, all of them may be absent. Otherwise those with a default may. */
function sentParameters(name: string, parameters: readonly Parameter[], input: Code): readonly Code[] {
  const type = code`${input}[${jsonLiteral(name)}]`;
  const filled = parameters.filter((each) => !each.required && each.schema.default !== undefined);
  if (!parameters.some((each) => each.required))
    return [code`readonly ${propertyKey(name)}?: ${filled.length === 0 ? type : code`Partial<${type}>`};`];
  if (filled.length === 0) return [];
  const names = joinCode(
    filled.map((each) => jsonLiteral(each.name)),
    code` | `,
  );
  return [code`readonly ${propertyKey(name)}: Omit<${type}, ${names}> & Partial<Pick<${type}, ${names}>>;`];
}

function parameterField(parameter: Parameter, printer: TypePrinter, from: string): Code {
  const { description, title: _title, ...rest } = parameter.schema;
  const about = parameter.description ?? description;
  const lines = describeSchema({
    ...rest,
    ...(about === undefined ? {} : { description: about }),
    ...(parameter.deprecated ? { deprecated: true } : {}),
  });
  const type = printer.type(parameter.schema, from);
  const isThere = parameter.required || parameter.schema.default !== undefined;
  return code`${docComment(lines)}\nreadonly ${propertyKey(parameter.name)}${isThere ? code`: ${type}` : code`?: ${type}`};`;
}

interface BodyType {
  /** The type before defaults. */
  readonly type: Code;
  /** The properties whose defaults are applied. */
  readonly filled: readonly string[];
}

function bodyType(
  operation: Operation,
  printer: TypePrinter,
  { schemas, bytes, from }: InputContext,
): BodyType | undefined {
  const { requestBody } = operation;
  if (requestBody === undefined || requestBody.contents.length === 0) return undefined;
  const content = soleContent(requestBody.contents, schemas);
  if (content === undefined) return { type: code`unknown`, filled: [] };
  return { type: contentType(content, printer, { bytes, from }), filled: filledBodyFields(operation, schemas) };
}

/** Returns the properties of a body whose defaults validation applies. Empty if the type of the body is unknown. */
export function filledBodyFields(operation: Operation, schemas: SchemasByName): readonly string[] {
  const content = soleContent(operation.requestBody?.contents ?? [], schemas);
  return content !== undefined && appliesDefaults(operation) ? fieldsWithDefaults(content.schema, schemas) : [];
}

function filledType({ type, filled }: BodyType): Code {
  if (filled.length === 0) return type;
  const names = filled.map((field) => jsonLiteral(field));
  return code`${validatorType("WithDefaults")}<${type}, ${joinCode(names, code` | `)}>`;
}

function bodyMember({ requestBody }: Operation, type: Code): Code {
  return code`readonly body${requestBody?.required === true ? code`: ${type}` : code`?: ${type}`};`;
}

/**
 * Returns the media type object whose schema is the type of every accepted body. Beside JSON, there may be media types
 * of the same schema, and
 * text media types such as XML whose schema allows no string: their bodies never pass validation.
 */
function soleContent(contents: readonly MediaTypeObject[], schemas: SchemasByName): MediaTypeObject | undefined {
  const chosen = preferredContent(contents);
  if (chosen === undefined || contents.length === 1) return chosen;
  if (mediaKind(chosen.mediaType) !== "json") return undefined;
  const isOfItsType = ({ mediaType, schema }: MediaTypeObject): boolean => {
    const kind = mediaKind(mediaType);
    if (kind === "text") return !acceptsText(schema, schemas);
    return kind !== "binary" && kind !== "multipart" && schema.ref !== undefined && schema.ref === chosen.schema.ref;
  };
  return contents.every((each) => each === chosen || isOfItsType(each)) ? chosen : undefined;
}

function acceptsText(schema: Schema, schemas: SchemasByName): boolean {
  const target = schema.ref === undefined ? undefined : schemas.get(schema.ref);
  const types = schema.types.length > 0 ? schema.types : (target?.types ?? []);
  return types.length === 0 || types.includes("string");
}

function contentType(
  { mediaType, schema }: MediaTypeObject,
  printer: TypePrinter,
  { bytes, from }: Pick<InputContext, "bytes" | "from">,
): Code {
  const kind = mediaKind(mediaType);
  if (kind === "text") return code`string`;
  if (kind === "binary") return bytesTypes[bytes];
  return printer.type(schema, from, kind === "multipart" ? ["Blob"] : ["string"]);
}

/** Defaults apply when something is created. In a change, they would overwrite stored values. */
export function appliesDefaults({ method }: Operation): boolean {
  return method !== "PUT" && method !== "PATCH";
}

function fieldsWithDefaults(schema: Schema, schemas: SchemasByName): readonly string[] {
  const target = schema.ref === undefined ? undefined : schemas.get(schema.ref);
  const parts = [schema, ...(target === undefined ? [] : [target])];
  return parts.flatMap((part) =>
    (part.properties ?? [])
      .filter(({ required, schema: { default: usual, valueRules = [] } }) => {
        // A rule may take the default away again.
        return usual !== undefined && !required && !valueRules.some(({ set }) => set?.kind === "ignore");
      })
      .map((each) => each.name),
  );
}
