import {
  type Api,
  type MediaTypeObject,
  type Parameter,
  type Schema,
  type ValueKinds,
  maxDeepLevels,
  type MediaKind,
  mediaKind,
  mediaTypeEssence,
  schemaParts,
  valueKinds,
  ownValue,
} from "../../model/index.js";
import { code, joinCode, jsonLiteral, propertyKey, type Code } from "../printer.js";
import { isBinary } from "../types/bytes.js";
import { validatorFunction, validatorCall } from "./runtime.js";

/**
 * Emits the decoder of a parameter, by its style.
 *
 * @param others names of other values in the location, which an exploded object does not take
 */
export function emitParameterDecoder(
  { style, explode, mediaType, schema, in: place }: SerializationRules,
  api: Api,
  others: readonly string[] = [],
): Code {
  const kinds = valueKinds(api);
  if (style === "content") {
    const isJson = mediaKind(mediaType ?? "") === "json";
    return validatorCall("singleValue", isJson ? validatorFunction("jsonValue") : textDecoder(schema, kinds));
  }
  if (style === "deepObject") return deepDecoder(schema, kinds, []);
  const repeatsNames = explode && (place === "query" || place === "cookie" || style === "matrix");
  const form = { style, explode, repeatsNames };
  const decoders = [
    ...(kinds.has(schema, "array") ? [listDecoder(schema, kinds, form)] : []),
    // The name of an exploded object is not sent, so that a scalar with it is no property.
    ...(repeatsNames ? scalarDecoder(schema, kinds) : []),
    ...(kinds.has(schema, "object") ? [objectDecoder(schema, kinds, { ...form, others })] : []),
    ...(repeatsNames ? [] : scalarDecoder(schema, kinds)),
  ];
  const [first = validatorCall("singleValue", validatorFunction("stringValue")), ...more] = decoders;
  const decoder = more.length === 0 ? first : validatorCall("firstSent", joinCode(decoders, code`, `));
  if (style === "label" || style === "matrix") return validatorCall(`${style}Style`, decoder);
  return style === "cookie" ? validatorCall("plainCookie", decoder) : decoder;
}

type SerializationRules = Pick<Parameter, "in" | "style" | "explode" | "mediaType" | "schema">;

interface WrittenForm {
  readonly style: Parameter["style"];
  readonly explode: boolean;
  /** Whether each item or property has a name on the wire. */
  readonly repeatsNames: boolean;
}

function listDecoder(schema: Schema, kinds: ValueKinds, form: WrittenForm): Code {
  const item = textDecoder(kinds.itemOf(schema), kinds);
  if (form.repeatsNames) return validatorCall("explodedArray", item);
  if (form.style === "spaceDelimited" || form.style === "pipeDelimited") return validatorCall(form.style, item);
  return validatorCall("commaDelimited", code`${item}${form.style === "label" && form.explode ? code`, "."` : code``}`);
}

/** The decoder of a scalar, if the schema allows one beside arrays and objects, or neither of them. */
function scalarDecoder(schema: Schema, kinds: ValueKinds): readonly Code[] {
  if (isContainer(schema, kinds) && !hasScalar(schema, kinds)) return [];
  return [validatorCall("singleValue", textDecoder(schema, kinds))];
}

function isContainer(schema: Schema, kinds: ValueKinds): boolean {
  return kinds.has(schema, "array") || kinds.has(schema, "object");
}

/** A null is left out of what has styles. */
function hasScalar(schema: Schema, kinds: ValueKinds): boolean {
  return [...kinds.scalarsOf(schema)].some((type) => type !== "null");
}

const separators: Partial<Record<Parameter["style"], string>> = { spaceDelimited: " ", pipeDelimited: "|" };

function objectDecoder(
  schema: Schema,
  kinds: ValueKinds,
  { style, explode, repeatsNames, others }: WrittenForm & { readonly others: readonly string[] },
): Code {
  const rest = kinds.restOf(schema);
  const fields = kinds.fieldsOf(schema).filter(([name]) => !repeatsNames || !others.includes(name));
  const emit = (decode: (each: Schema) => Code): Code =>
    code`{ ${joinCode(
      fields.map(([name, each]) => code`${propertyKey(name)}: ${decode(each)}`),
      code`, `,
    )} }`;
  if (repeatsNames) {
    const decode = (each: Schema): Code =>
      kinds.has(each, "array")
        ? validatorCall("explodedArray", textDecoder(kinds.itemOf(each), kinds))
        : validatorCall("singleValue", textDecoder(each, kinds));
    const otherNames = rest === undefined || others.length === 0 ? code`` : code`, ${jsonLiteral(others)}`;
    return validatorCall("explodedObject", code`${emit(decode)}${after(rest, decode)}${otherNames}`);
  }
  const name = explode && separators[style] === undefined ? "explodedPairs" : "delimitedObject";
  const texts = emit((each) => textDecoder(each, kinds));
  const separator = style === "label" && explode ? "." : separators[style];
  const more = after(rest, (each) => textDecoder(each, kinds));
  if (separator === undefined) return validatorCall(name, code`${texts}${more}`);
  const restDecoder = rest === undefined ? code`, ${validatorFunction("stringValue")}` : more;
  return validatorCall(name, code`${texts}${restDecoder}, ${jsonLiteral(separator)}`);
}

/** The decoder of undeclared properties as a further argument, if there may be any. */
function after(rest: Schema | undefined, decode: (rest: Schema) => Code): Code {
  return rest === undefined ? code`` : code`, ${decode(rest)}`;
}

/** Emits the decoder of a body, by its media type, or returns `undefined` for JSON, which is the default. */
export function emitBodyDecoder({ mediaType, schema, encoding }: MediaTypeObject, api: Api): Code | undefined {
  const kinds = valueKinds(api);
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
      const declared = kinds.fieldsOf(schema);
      const names = declared.map(([name]) => name);
      const fields = declared.flatMap(([name, each]) => {
        const { style, explode, contentType } = ownValue(encoding, name) ?? {};
        if (kind === "multipart") {
          const decoder = partDecoder(each, api, contentType);
          return decoder === undefined ? [] : [code`${propertyKey(name)}: ${decoder}`];
        }
        const rules = {
          in: "query",
          schema: each,
          style: style ?? "form",
          explode: explode ?? (style ?? "form") === "form",
        } as const;
        const others = names.filter((other) => other !== name);
        const isStyled = style !== undefined || explode !== undefined;
        const decoder = isStyled ? emitParameterDecoder(rules, api, others) : fieldDecoder(each, kinds);
        return [code`${propertyKey(name)}: ${decoder}`];
      });
      const rest = kind === "form" && kinds.has(schema, "object") ? kinds.restOf(schema) : undefined;
      const isTyped = rest !== undefined && (isContainer(rest, kinds) || kinds.scalarsOf(rest).size > 0);
      const types = kind === "form" ? [] : partTypeLists(encoding);
      const hasMore = isTyped || types.length > 0;
      const all = fields.length === 0 && !hasMore ? code`` : code`{ ${joinCode(fields, code`, `)} }`;
      const more = isTyped ? fieldDecoder(rest, kinds) : code`{ ${joinCode(types, code`, `)} }`;
      const decoders = hasMore ? code`${all}, ${more}` : all;
      return validatorCall(kind === "form" ? "formBody" : "multipartBody", decoders);
    }
  }
}

/** The media types that the description lists for parts, as properties of an object. */
function partTypeLists(encoding: MediaTypeObject["encoding"]): readonly Code[] {
  return Object.entries(encoding).flatMap(([name, { contentType }]) => {
    const types = contentType === undefined ? [] : listedMediaTypes(contentType);
    return types.length === 0 || types.includes("*/*") ? [] : [code`${propertyKey(name)}: ${jsonLiteral(types)}`];
  });
}

/** The media types and ranges that the `contentType` of an encoding lists, without parameters. */
export function listedMediaTypes(contentType: string): readonly string[] {
  return contentType.split(",").flatMap((each) => {
    const essence = mediaTypeEssence(each);
    return /^[\w.+-]+\/([\w.+-]+|\*)$|^\*\/\*$/.test(essence) ? [essence] : [];
  });
}

/** What a part of a form contains. A value of `any` kind is a text or a file, whichever is sent. */
export type PartKind = "file" | "json" | "text" | "any";

/** The kind of each part of `multipart/form-data`, by the name of its field. */
export function partKinds({ schema, encoding }: MediaTypeObject, api: Api): ReadonlyMap<string, PartKind> {
  const fields = valueKinds(api).fieldsOf(schema);
  return new Map(fields.map(([name, each]) => [name, partKind(each, api, encoding[name]?.contentType)] as const));
}

function partKind(schema: Schema, api: Api, contentType: string | undefined): PartKind {
  const kinds = valueKinds(api);
  const part = kinds.has(schema, "array") ? kinds.itemOf(schema) : schema;
  if (schemaParts(api, part).some(isBinary)) return "file";
  const kind = contentType === undefined ? undefined : kindOfFirst(contentType);
  if (kind === "json" || kinds.has(part, "object")) return "json";
  if (kinds.has(part, "array") || kinds.scalarsOf(part).size > 0) return "text";
  return kind === "binary" ? "file" : "any";
}

/** An encoding may list several media types. A range of all kinds says nothing of a part. */
function kindOfFirst(contentType: string): MediaKind | undefined {
  const first = mediaTypeEssence(contentType.split(",")[0] ?? "");
  return /^(\*|application)\/\*$/.test(first) ? undefined : mediaKind(first);
}

/** A field without a style: objects are JSON, and arrays repeat the name. */
function fieldDecoder(schema: Schema, kinds: ValueKinds, decode: typeof fieldTextDecoder = fieldTextDecoder): Code {
  if (!kinds.has(schema, "array")) return validatorCall("singleValue", decode(schema, kinds));
  const list = validatorCall("explodedArray", decode(kinds.itemOf(schema), kinds));
  if (!hasScalar(schema, kinds)) return list;
  return validatorCall("firstSent", code`${list}, ${validatorCall("singleValue", decode(schema, kinds))}`);
}

function fieldTextDecoder(schema: Schema, kinds: ValueKinds): Code {
  if (!isContainer(schema, kinds)) return textDecoder(schema, kinds);
  if (!hasScalar(schema, kinds)) return validatorFunction("jsonValue");
  return validatorCall("firstOf", code`${validatorFunction("jsonObject")}, ${textDecoder(schema, kinds)}`);
}

/** The decoder of a part. Undefined for one that is a text or a file, whichever is sent. */
function partDecoder(schema: Schema, api: Api, contentType: string | undefined): Code | undefined {
  const kinds = valueKinds(api);
  const isList = kinds.has(schema, "array");
  const kind = partKind(schema, api, contentType);
  if (kind === "file") return validatorFunction(isList ? "fileFields" : "fileField");
  if (kind === "any" && !isList) return undefined;
  const isJson = contentType !== undefined && kindOfFirst(contentType) === "json";
  return fieldDecoder(schema, kinds, isJson ? () => validatorFunction("jsonValue") : undefined);
}

/** `a[x]=1`, `a[]=1`, `a[0][x]=1`. Each level counts, so that a schema that contains itself ends. */
function deepDecoder(schema: Schema, kinds: ValueKinds, within: readonly Schema[]): Code {
  const inside = [...within, schema];
  if (inside.length > maxDeepLevels) return validatorCall("singleValue", textDecoder(schema, kinds));
  const decoders = [
    ...(kinds.has(schema, "array")
      ? [validatorCall("deepArray", deepDecoder(kinds.itemOf(schema), kinds, inside))]
      : []),
    ...scalarDecoder(schema, kinds),
    ...(kinds.has(schema, "object") ? [deepObjectDecoder(schema, kinds, inside)] : []),
  ];
  const [first = code``, ...more] = decoders;
  return more.length === 0 ? first : validatorCall("firstSent", joinCode(decoders, code`, `));
}

function deepObjectDecoder(schema: Schema, kinds: ValueKinds, inside: readonly Schema[]): Code {
  const rest = kinds.restOf(schema);
  const fields = kinds
    .fieldsOf(schema)
    .map(([name, each]) => code`${propertyKey(name)}: ${deepDecoder(each, kinds, inside)}`);
  const more = after(rest, (each) => deepDecoder(each, kinds, inside));
  return validatorCall("deepObject", code`{ ${joinCode(fields, code`, `)} }${more}`);
}

/** Emits the decoder of one string. If the schema allows several types, the first match counts. The text `null` is a text wherever one may be. */
function textDecoder(schema: Schema, kinds: ValueKinds): Code {
  const types = kinds.scalarsOf(schema);
  const decoders = [
    ...(types.has("null") && !types.has("string") ? [validatorFunction("nullValue")] : []),
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
