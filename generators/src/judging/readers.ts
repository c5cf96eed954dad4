import { code, join, key, type Code } from "../emit/printer.js";
import type { Api, Content, Json, JsonType, Parameter, Shape } from "../model/api.js";
import { mediaKind } from "../model/media.js";
import { shapesOf, type ShapesByName } from "../model/shapes-by-name.js";
import { isBytes } from "./bytes.js";
import { $, $call } from "./runtime.js";

/** Emits the decoder of a parameter, by its style. */
export function readerOf({ style, explode, mediaType, shape, in: place }: Parameter, api: Api): Code {
  if (style === "content") return $call("one", $(mediaKind(mediaType ?? "") === "json" ? "jsonText" : "text"));
  const kinds = new Kinds(api);
  const isList = kinds.has(shape, "array");
  const isObject = !isList && kinds.has(shape, "object");
  const item = textReader(isList ? kinds.itemOf(shape) : shape, kinds);
  switch (style) {
    case "label":
    case "matrix": {
      const separator = style === "label" && explode ? code`, "."` : code``;
      const list = style === "matrix" && explode ? $call("exploded", item) : $call("csv", code`${item}${separator}`);
      const fields =
        style === "matrix" && explode ? explodedFields(shape, kinds) : fieldsInText(shape, kinds, explode, separator);
      const inner = isList ? list : isObject ? fields : $call("one", item);
      return $call(style, inner);
    }
    case "deepObject":
      return deepFields(shape, kinds);
    case "spaceDelimited":
    case "pipeDelimited":
      return isList && !explode ? $call(style, item) : plainly({ isList, isObject, explode, item, shape, kinds });
    case "simple":
      if (isList) return $call("csv", item);
      return isObject ? fieldsInText(shape, kinds, explode, code``) : $call("one", item);
    case "form":
      if (place === "cookie" && isList && explode) return $call("exploded", item);
      return plainly({ isList, isObject, explode, item, shape, kinds });
  }
}

/** Emits the decoder of a body, by its media type, or returns `undefined` for JSON, which is the default. */
export function bodyReaderOf({ mediaType, shape, encoding }: Content, api: Api): Code | undefined {
  const kinds = new Kinds(api);
  const kind = mediaKind(mediaType);
  switch (kind) {
    case "json":
      return undefined;
    case "text":
      return $("plainText");
    case "binary":
      return $("bytes");
    case "form":
    case "multipart": {
      const fields = kinds.fieldsOf(shape).map(([name, each]) => {
        const { style, explode = (style ?? "form") === "form", contentType } = encoding[name] ?? {};
        return code`${key(name)}: ${kind === "form" ? inForm(each, kinds, { style, explode }) : inPart(each, kinds, contentType)}`;
      });
      const readers = fields.length === 0 ? code`` : code`{ ${join(fields, code`, `)} }`;
      return $call(kind, readers);
    }
  }
}

function inForm(
  shape: Shape,
  kinds: Kinds,
  { style, explode }: { readonly style: Parameter["style"] | undefined; readonly explode: boolean },
): Code {
  const isList = kinds.has(shape, "array");
  const item = textReader(isList ? kinds.itemOf(shape) : shape, kinds);
  if (style === "deepObject") return deepFields(shape, kinds);
  if (isList && !explode && (style === "spaceDelimited" || style === "pipeDelimited")) return $call(style, item);
  if (isList) return $call(explode ? "exploded" : "csv", item);
  return $call("one", kinds.has(shape, "object") ? $("jsonText") : item);
}

function inPart(shape: Shape, kinds: Kinds, contentType: string | undefined): Code {
  const isList = kinds.has(shape, "array");
  const part = isList ? kinds.itemOf(shape) : shape;
  if (kinds.isBytes(part)) return $(isList ? "files" : "file");
  const isJson = kinds.has(part, "object") || (contentType !== undefined && mediaKind(contentType) === "json");
  const item = isJson ? $("jsonText") : textReader(part, kinds);
  return $call(isList ? "exploded" : "one", item);
}

interface Plain {
  readonly isList: boolean;
  readonly isObject: boolean;
  readonly explode: boolean;
  readonly item: Code;
  readonly shape: Shape;
  readonly kinds: Kinds;
}

function plainly({ isList, isObject, explode, item, shape, kinds }: Plain): Code {
  if (isList) return $call(explode ? "exploded" : "csv", item);
  if (!isObject) return $call("one", item);
  return explode ? explodedFields(shape, kinds) : fieldsInText(shape, kinds, false, code``);
}

/** `x=1&y=2` */
function explodedFields(shape: Shape, kinds: Kinds): Code {
  return $call("explodedObject", code`{ ${join(readersOfFields(shape, kinds), code`, `)} }`);
}

/** `x,1,y,2`, or `x=1,y=2`. */
function fieldsInText(shape: Shape, kinds: Kinds, explode: boolean, separator: Code): Code {
  const fields = kinds.fieldsOf(shape).map(([name, each]) => code`${key(name)}: ${textReader(each, kinds)}`);
  const readers = code`{ ${join(fields, code`, `)} }`;
  return explode ? $call("assigned", code`${readers}${separator}`) : $call("object", readers);
}

function deepFields(shape: Shape, kinds: Kinds): Code {
  const rest = kinds.isOpen(shape) ? code`, ${$call("one", $("text"))}` : code``;
  return $call("deepObject", code`{ ${join(readersOfFields(shape, kinds), code`, `)} }${rest}`);
}

function readersOfFields(shape: Shape, kinds: Kinds): readonly Code[] {
  return kinds.fieldsOf(shape).map(([name, each]) => {
    const isList = kinds.has(each, "array");
    const item = textReader(isList ? kinds.itemOf(each) : each, kinds);
    return code`${key(name)}: ${$call(isList ? "exploded" : "one", item)}`;
  });
}

/** Emits the decoder of one string. If the schema allows several types, the first match counts. */
function textReader(shape: Shape, kinds: Kinds): Code {
  const types = kinds.scalarsOf(shape);
  const readers = [
    ...(types.has("null") ? [$("nothing")] : []),
    ...(types.has("boolean") ? [$("boolean")] : []),
    ...(types.has("number") ? [$("number")] : types.has("integer") ? [$("integer")] : []),
    ...(types.has("string") ? [$("text")] : []),
  ];
  const [first = $("text"), ...others] = readers;
  return others.length === 0 ? first : $call("anyOf", join(readers, code`, `));
}

/** The kinds of values that schemas allow, with references resolved. */
class Kinds {
  readonly #shapes: ShapesByName;

  constructor(api: Api) {
    this.#shapes = shapesOf(api);
  }

  has(shape: Shape, type: "array" | "object"): boolean {
    return this.#parts(shape).some(
      (part) =>
        part.types.includes(type) || (type === "object" ? part.properties !== undefined : part.items !== undefined),
    );
  }

  /** Returns the types that a string can be decoded to. */
  scalarsOf(shape: Shape): ReadonlySet<JsonType> {
    const types = new Set<JsonType>();
    for (const part of this.#parts(shape)) {
      for (const type of part.types) types.add(type);
      if (part.types.length === 0)
        for (const value of part.const === undefined ? (part.enum ?? []) : [part.const]) types.add(typeOf(value));
    }
    return types;
  }

  itemOf(shape: Shape): Shape {
    const items = this.#parts(shape).find((part) => part.items !== undefined)?.items;
    return items ?? { types: [], origin: shape.origin };
  }

  fieldsOf(shape: Shape): readonly (readonly [string, Shape])[] {
    const fields = this.#parts(shape).flatMap((part) => part.properties ?? []);
    return [...new Map(fields.map((each) => [each.name, each.shape] as const))];
  }

  /** True if fields of any name are declared. */
  isOpen(shape: Shape): boolean {
    return this.#parts(shape).some(
      (part) => part.additionalProperties !== undefined && part.additionalProperties.never === undefined,
    );
  }

  isBytes(shape: Shape): boolean {
    return this.#parts(shape).some(isBytes);
  }

  /** Returns a schema and all schemas that apply to the same value. */
  #parts(shape: Shape, seen: Set<string> = new Set()): readonly Shape[] {
    const parts = [...(shape.allOf ?? []), ...(shape.anyOf ?? []), ...(shape.oneOf ?? [])];
    if (shape.ref !== undefined && !seen.has(shape.ref)) {
      seen.add(shape.ref);
      const named = this.#shapes.get(shape.ref);
      if (named !== undefined) parts.push(named);
    }
    return [shape, ...parts.flatMap((part) => this.#parts(part, seen))];
  }
}

function typeOf(value: Json): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" ? type : "object";
}
