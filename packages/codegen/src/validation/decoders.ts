import { code, joinCode, propertyKey, type Code } from "../printer.js";
import {
  type Api,
  type MediaTypeObject,
  type Json,
  type JsonType,
  type Parameter,
  type Schema,
  mediaKind,
  mediaTypeEssence,
  schemasByName,
  type SchemasByName,
} from "@plumbline/model";
import { isBinary } from "../types/bytes.js";
import { validatorFunction, validatorCall } from "./runtime.js";

/** Emits the decoder of a parameter, by its style. */
export function emitParameterDecoder({ style, explode, mediaType, schema, in: place }: Parameter, api: Api): Code {
  if (style === "content")
    return validatorCall(
      "singleValue",
      validatorFunction(mediaKind(mediaType ?? "") === "json" ? "jsonValue" : "stringValue"),
    );
  const kinds = new ValueKinds(api);
  const isList = kinds.has(schema, "array");
  const isObject = !isList && kinds.has(schema, "object");
  const item = textDecoder(isList ? kinds.itemOf(schema) : schema, kinds);
  switch (style) {
    case "label":
    case "matrix": {
      const separator = style === "label" && explode ? code`, "."` : code``;
      const list =
        style === "matrix" && explode
          ? validatorCall("explodedArray", item)
          : validatorCall("commaDelimited", code`${item}${separator}`);
      const fields =
        style === "matrix" && explode ? explodedFields(schema, kinds) : fieldsInText(schema, kinds, explode, separator);
      const inner = isList ? list : isObject ? fields : validatorCall("singleValue", item);
      return validatorCall(style === "label" ? "labelStyle" : "matrixStyle", inner);
    }
    case "deepObject":
      return deepDecoder(schema, kinds, []);
    case "spaceDelimited":
    case "pipeDelimited":
      return isList && !explode
        ? validatorCall(style, item)
        : plainDecoder({ isList, isObject, explode, item, schema, kinds });
    case "simple":
      if (isList) return validatorCall("commaDelimited", item);
      return isObject ? fieldsInText(schema, kinds, explode, code``) : validatorCall("singleValue", item);
    case "form":
      if (place === "cookie" && isList && explode) return validatorCall("explodedArray", item);
      return plainDecoder({ isList, isObject, explode, item, schema, kinds });
  }
}

/** Emits the decoder of a body, by its media type, or returns `undefined` for JSON, which is the default. */
export function emitBodyDecoder({ mediaType, schema, encoding }: MediaTypeObject, api: Api): Code | undefined {
  const kinds = new ValueKinds(api);
  const kind = mediaKind(mediaType);
  switch (kind) {
    case "json":
      return undefined;
    case "text":
      return validatorFunction("textBody");
    case "binary":
      return validatorFunction("binaryBody");
    case "form":
    case "multipart": {
      const fields = kinds.fieldsOf(schema).flatMap(([name, each]) => {
        const { style, explode = (style ?? "form") === "form", contentType } = encoding[name] ?? {};
        const decoder =
          kind === "form"
            ? formFieldDecoder(each, kinds, { style, explode })
            : partDecoder(each, kinds, partKind(each, kinds, contentType));
        return decoder === undefined ? [] : [code`${propertyKey(name)}: ${decoder}`];
      });
      const decoders = fields.length === 0 ? code`` : code`{ ${joinCode(fields, code`, `)} }`;
      return validatorCall(kind === "form" ? "formBody" : "multipartBody", decoders);
    }
  }
}

/** What a part of a form contains. A value of `any` kind is a text or a file, whichever is sent. */
export type PartKind = "file" | "json" | "text" | "any";

/** The kind of each part of `multipart/form-data`, by the name of its field. */
export function partKinds({ schema, encoding }: MediaTypeObject, api: Api): ReadonlyMap<string, PartKind> {
  const kinds = new ValueKinds(api);
  return new Map(
    kinds.fieldsOf(schema).map(([name, each]) => [name, partKind(each, kinds, encoding[name]?.contentType)] as const),
  );
}

function partKind(schema: Schema, kinds: ValueKinds, contentType: string | undefined): PartKind {
  const part = kinds.has(schema, "array") ? kinds.itemOf(schema) : schema;
  if (kinds.isBytes(part)) return "file";
  const kind = contentType === undefined ? undefined : mediaKind(mediaTypeEssence(contentType.split(",")[0] ?? ""));
  if (kind === "json" || kinds.has(part, "object")) return "json";
  if (kinds.has(part, "array") || kinds.scalarsOf(part).size > 0) return "text";
  return kind === "binary" ? "file" : "any";
}

function formFieldDecoder(
  schema: Schema,
  kinds: ValueKinds,
  { style, explode }: { readonly style: Parameter["style"] | undefined; readonly explode: boolean },
): Code {
  const isList = kinds.has(schema, "array");
  const item = textDecoder(isList ? kinds.itemOf(schema) : schema, kinds);
  if (style === "deepObject") return deepDecoder(schema, kinds, []);
  if (isList && !explode && (style === "spaceDelimited" || style === "pipeDelimited"))
    return validatorCall(style, item);
  if (isList) return validatorCall(explode ? "explodedArray" : "commaDelimited", item);
  return validatorCall("singleValue", kinds.has(schema, "object") ? validatorFunction("jsonValue") : item);
}

function partDecoder(schema: Schema, kinds: ValueKinds, kind: PartKind): Code | undefined {
  const isList = kinds.has(schema, "array");
  if (kind === "file") return validatorFunction(isList ? "fileFields" : "fileField");
  if (kind === "any" && !isList) return undefined;
  const item =
    kind === "json" ? validatorFunction("jsonValue") : textDecoder(isList ? kinds.itemOf(schema) : schema, kinds);
  return validatorCall(isList ? "explodedArray" : "singleValue", item);
}

interface PlainDecoderInput {
  readonly isList: boolean;
  readonly isObject: boolean;
  readonly explode: boolean;
  readonly item: Code;
  readonly schema: Schema;
  readonly kinds: ValueKinds;
}

function plainDecoder({ isList, isObject, explode, item, schema, kinds }: PlainDecoderInput): Code {
  if (isList) return validatorCall(explode ? "explodedArray" : "commaDelimited", item);
  if (!isObject) return validatorCall("singleValue", item);
  return explode ? explodedFields(schema, kinds) : fieldsInText(schema, kinds, false, code``);
}

/** `x=1&y=2` */
function explodedFields(schema: Schema, kinds: ValueKinds): Code {
  return validatorCall("explodedObject", code`{ ${joinCode(fieldDecoders(schema, kinds), code`, `)} }`);
}

/** `x,1,y,2`, or `x=1,y=2`. */
function fieldsInText(schema: Schema, kinds: ValueKinds, explode: boolean, separator: Code): Code {
  const fields = kinds.fieldsOf(schema).map(([name, each]) => code`${propertyKey(name)}: ${textDecoder(each, kinds)}`);
  const decoders = code`{ ${joinCode(fields, code`, `)} }`;
  return explode
    ? validatorCall("explodedPairs", code`${decoders}${separator}`)
    : validatorCall("delimitedObject", decoders);
}

/** Maximum nesting in `deepObject`. Deeper values are undocumented: a schema may contain itself. */
const maxDeepLevels = 5;

/** `a[x]=1`, `a[]=1`, `a[0][x]=1`. Each level counts, so that a schema that contains itself ends. */
function deepDecoder(schema: Schema, kinds: ValueKinds, within: readonly Schema[]): Code {
  const inside = [...within, schema];
  const isList = kinds.has(schema, "array");
  if (inside.length > maxDeepLevels || (!isList && !kinds.has(schema, "object")))
    return validatorCall("singleValue", textDecoder(schema, kinds));
  if (isList) return validatorCall("deepArray", deepDecoder(kinds.itemOf(schema), kinds, inside));
  const rest = kinds.isOpen(schema)
    ? code`, ${validatorCall("singleValue", validatorFunction("stringValue"))}`
    : code``;
  const fields = kinds
    .fieldsOf(schema)
    .map(([name, each]) => code`${propertyKey(name)}: ${deepDecoder(each, kinds, inside)}`);
  const object = validatorCall("deepObject", code`{ ${joinCode(fields, code`, `)} }${rest}`);
  const isScalarToo = [...kinds.scalarsOf(schema)].some((type) => type !== "object" && type !== "null");
  if (!isScalarToo) return object;
  return validatorCall("firstSent", code`${validatorCall("singleValue", textDecoder(schema, kinds))}, ${object}`);
}

function fieldDecoders(schema: Schema, kinds: ValueKinds): readonly Code[] {
  return kinds.fieldsOf(schema).map(([name, each]) => {
    const isList = kinds.has(each, "array");
    const item = textDecoder(isList ? kinds.itemOf(each) : each, kinds);
    return code`${propertyKey(name)}: ${validatorCall(isList ? "explodedArray" : "singleValue", item)}`;
  });
}

/** Emits the decoder of one string. If the schema allows several types, the first match counts. */
function textDecoder(schema: Schema, kinds: ValueKinds): Code {
  const types = kinds.scalarsOf(schema);
  const decoders = [
    ...(types.has("null") ? [validatorFunction("nullValue")] : []),
    ...(types.has("boolean") ? [validatorFunction("booleanValue")] : []),
    ...(types.has("number")
      ? [validatorFunction("numberValue")]
      : types.has("integer")
        ? [validatorFunction("integerValue")]
        : []),
    ...(types.has("string") ? [validatorFunction("stringValue")] : []),
  ];
  const [first = validatorFunction("stringValue"), ...others] = decoders;
  return others.length === 0 ? first : validatorCall("firstOf", joinCode(decoders, code`, `));
}

/** The kinds of values that schemas allow, with references resolved. */
class ValueKinds {
  readonly #schemas: SchemasByName;

  constructor(api: Api) {
    this.#schemas = schemasByName(api);
  }

  has(schema: Schema, type: "array" | "object"): boolean {
    return this.#parts(schema).some(
      (part) =>
        part.types.includes(type) || (type === "object" ? part.properties !== undefined : part.items !== undefined),
    );
  }

  /** Returns the types that a string can be decoded to. */
  scalarsOf(schema: Schema): ReadonlySet<JsonType> {
    const types = new Set<JsonType>();
    for (const part of this.#parts(schema)) {
      for (const type of part.types) types.add(type);
      if (part.types.length === 0)
        for (const value of part.const === undefined ? (part.enum ?? []) : [part.const]) types.add(typeOf(value));
    }
    return types;
  }

  itemOf(schema: Schema): Schema {
    const items = this.#parts(schema).find((part) => part.items !== undefined)?.items;
    return items ?? { types: [], origin: schema.origin };
  }

  fieldsOf(schema: Schema): readonly (readonly [string, Schema])[] {
    const fields = this.#parts(schema).flatMap((part) => part.properties ?? []);
    return [...new Map(fields.map((each) => [each.name, each.schema] as const))];
  }

  /** True if fields of any name are declared. */
  isOpen(schema: Schema): boolean {
    return this.#parts(schema).some(
      (part) => part.additionalProperties !== undefined && part.additionalProperties.never === undefined,
    );
  }

  isBytes(schema: Schema): boolean {
    return this.#parts(schema).some(isBinary);
  }

  /** Returns a schema and all schemas that apply to the same value. */
  #parts(schema: Schema, seen: Set<string> = new Set()): readonly Schema[] {
    const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
    if (schema.ref !== undefined && !seen.has(schema.ref)) {
      seen.add(schema.ref);
      const named = this.#schemas.get(schema.ref);
      if (named !== undefined) parts.push(named);
    }
    return [schema, ...parts.flatMap((part) => this.#parts(part, seen))];
  }
}

function typeOf(value: Json): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" ? type : "object";
}
