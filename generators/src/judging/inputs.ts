import { code, comment, join, key, literal, name, type Code } from "../emit/printer.js";
import type { Content, Operation, Parameter, ParameterPlace, Shape } from "../model/api.js";
import type { ShapesByName } from "../model/shapes-by-name.js";
import { chosenContent, mediaKind } from "../model/media.js";
import { pascalCase } from "../model/names.js";
import { describeShape } from "../types/describe.js";
import type { TypePrinter } from "../types/print.js";
import { $type } from "./runtime.js";

/** The members under which handlers find parameters. */
const groups: Readonly<Record<ParameterPlace, string>> = {
  path: "path",
  query: "query",
  header: "headers",
  cookie: "cookies",
};

export type BytesType = "whole" | "stream";

const bytesTypes: Readonly<Record<BytesType, Code>> = {
  whole: code`Uint8Array`,
  stream: code`ReadableStream<Uint8Array>`,
};

interface AroundInput {
  readonly shapes: ShapesByName;
  readonly bytes: BytesType;
}

/** Returns the name of the input type of an operation. */
export function inputName(operation: Operation): string {
  return `${pascalCase(operation.name) ?? operation.name}Input`;
}

/** Emits the input type of an operation: the decoded request, with defaults applied. */
export function emitInput(operation: Operation, printer: TypePrinter, around: AroundInput): Code {
  const members = (["path", "query", "header", "cookie"] as const).flatMap((place) => {
    const fields = operation.parameters.filter((parameter) => parameter.in === place);
    if (fields.length === 0) return [];
    return [code`readonly ${key(groups[place])}: {\n${fields.map((each) => parameterField(each, printer))}\n};`];
  });
  const body = bodyMember(operation, printer, around);
  const all = body === undefined ? members : [...members, body];
  const about = code`/** The decoded input of \`${name(operation.name)}\`. */`;
  const own = name(inputName(operation));
  if (all.length === 0) return code`${about}\nexport type ${own} = Readonly<Record<string, never>>;`;
  return code`${about}\nexport interface ${own} {\n${all}\n}`;
}

function parameterField(parameter: Parameter, printer: TypePrinter): Code {
  const { description, title: _title, ...rest } = parameter.shape;
  const about = parameter.description ?? description;
  const lines = describeShape({ ...rest, ...(about === undefined ? {} : { description: about }) });
  const type = printer.type(parameter.shape, "../types.js");
  const isThere = parameter.required || parameter.shape.default !== undefined;
  return code`${comment(lines)}\nreadonly ${key(parameter.name)}${isThere ? code`: ${type}` : code`?: ${type}`};`;
}

function bodyMember(operation: Operation, printer: TypePrinter, { shapes, bytes }: AroundInput): Code | undefined {
  const { body } = operation;
  if (body === undefined || body.contents.length === 0) return undefined;
  const content = soleContent(body.contents, shapes);
  const type = content === undefined ? code`unknown` : contentType(content, printer, bytes);
  const filled = content !== undefined && fillsDefaults(operation) ? filledFields(content.shape, shapes) : [];
  const whole =
    filled.length === 0
      ? type
      : code`${$type("Filled")}<${type}, ${join(
          filled.map((field) => literal(field)),
          code` | `,
        )}>`;
  return code`readonly body${body.required ? code`: ${whole}` : code`?: ${whole}`};`;
}

/**
 * Returns the media type object whose schema is the type of every accepted body. Beside JSON, there may be media types
 * of the same schema, and
 * text media types such as XML whose schema allows no string: their bodies never pass validation.
 */
function soleContent(contents: readonly Content[], shapes: ShapesByName): Content | undefined {
  const chosen = chosenContent(contents);
  if (chosen === undefined || contents.length === 1) return chosen;
  if (mediaKind(chosen.mediaType) !== "json") return undefined;
  const isOfItsType = ({ mediaType, shape }: Content): boolean => {
    const kind = mediaKind(mediaType);
    if (kind === "text") return !acceptsText(shape, shapes);
    return kind !== "binary" && kind !== "multipart" && shape.ref !== undefined && shape.ref === chosen.shape.ref;
  };
  return contents.every((each) => each === chosen || isOfItsType(each)) ? chosen : undefined;
}

function acceptsText(shape: Shape, shapes: ShapesByName): boolean {
  const named = shape.ref === undefined ? undefined : shapes.get(shape.ref);
  const types = shape.types.length > 0 ? shape.types : (named?.types ?? []);
  return types.length === 0 || types.includes("string");
}

function contentType({ mediaType, shape }: Content, printer: TypePrinter, bytes: BytesType): Code {
  const kind = mediaKind(mediaType);
  if (kind === "text") return code`string`;
  if (kind === "binary") return bytesTypes[bytes];
  return printer.type(shape, "../types.js", kind === "multipart" ? ["Blob"] : ["string"]);
}

/** Defaults apply when something is created. In a change, they would overwrite stored values. */
export function fillsDefaults({ method }: Operation): boolean {
  return method !== "PUT" && method !== "PATCH";
}

function filledFields(shape: Shape, shapes: ShapesByName): readonly string[] {
  const named = shape.ref === undefined ? undefined : shapes.get(shape.ref);
  const parts = [shape, ...(named === undefined ? [] : [named])];
  return parts.flatMap((part) =>
    (part.properties ?? [])
      .filter((each) => each.shape.default !== undefined && !each.required)
      .map((each) => each.name),
  );
}
