import { addIssue, prefixPaths, type Issues } from "../issues/issues.js";
import { isArray, isObject } from "../values/json-values.js";
import { safeAssign } from "../values/safe-assign.js";
import { fileField, fileFields, ownDecoder, type Decoders, type ParameterDecoder } from "./decoders.js";
import { maxJsonProperties, readJson, readUtf8 } from "./json-text.js";
import { isUtf8, mediaTypeEssence, type MediaType } from "./media-type.js";
import { readParts, type FormPart, type SentField } from "./multipart.js";
import { sentFields } from "./parsed-forms.js";
import { readQuery } from "./query.js";
import {
  addValue,
  identity,
  parametersByName,
  recordReads,
  type RawValue,
  type RawParameters,
} from "./raw-parameters.js";

/** Decodes the bytes of a body. The media type is the one that selected this decoder. */
export interface BodyDecoder {
  (bytes: Uint8Array, type: MediaType, issues: Issues): unknown;
  /** Decodes what another parser has read. Undefined for a value that it cannot have come from. */
  readonly parsed?: ((value: unknown, issues: Issues) => unknown) | undefined;
  /** Checks the files of a value that no bytes were decoded to. */
  readonly checkFiles?: ((value: unknown, issues: Issues) => void) | undefined;
}

export const jsonBody: BodyDecoder = /* @__PURE__ */ Object.assign(
  (bytes: Uint8Array, type: MediaType, issues: Issues): unknown => {
    const text = decodeText(bytes, type, issues);
    return text === undefined ? undefined : readJson(text, issues, { properties: maxJsonProperties });
  },
  { parsed: identity<unknown> },
);

export const textBody: BodyDecoder = (bytes, type, issues) => decodeText(bytes, type, issues);

/** Returns the bytes unchanged. The description has no schema for them. */
export const binaryBody: BodyDecoder = (value) => value;

/**
 * Reads `application/x-www-form-urlencoded`. Fields without a decoder are texts, or arrays of texts.
 *
 * @param decoders decoders of fields, by name
 * @param rest the decoder of other fields
 */
export function formBody(decoders: Decoders<ParameterDecoder> = {}, rest?: ParameterDecoder): BodyDecoder {
  const decode = (sent: RawParameters, issues: Issues): unknown =>
    issues.length > 0 ? undefined : fieldsOf(sent, { decoders, rest }, issues);
  return Object.assign(
    (bytes: Uint8Array, type: MediaType, issues: Issues): unknown => {
      const text = decodeText(bytes, type, issues);
      return text === undefined ? undefined : decode(readQuery(text, issues), issues);
    },
    {
      parsed: (value: unknown, issues: Issues): unknown => {
        if (!isObject(value)) return undefined;
        const texts = new Map<string, string | string[]>();
        for (const [name, each] of sentFields(value)) if (typeof each === "string") addValue(texts, name, each);
        return decode(parametersByName(texts, identity), issues);
      },
    },
  );
}

/**
 * Reads `multipart/form-data`. Fields without a decoder are texts or files, or arrays of them.
 *
 * @param decoders decoders of fields, by name
 * @param types the media types that a part may have, by the name of its field. They may be ranges, such as `image/*`
 */
export function multipartBody(
  decoders: Decoders<ParameterDecoder> = {},
  types: Decoders<readonly string[]> = {},
): BodyDecoder {
  const decodeFields = (fields: Iterable<SentField>, issues: Issues): unknown => {
    const values = new Map<string, (string | Blob) | (string | Blob)[]>();
    for (const [name, sent] of fields) {
      const before = issues.length;
      const value = typeof sent === "string" ? sent : valueOf(sent, ownDecoder(decoders, name), issues);
      if (typeof sent !== "string") checkPartType(typeOfPart(sent, value), ownDecoder(types, name), issues);
      prefixPaths(issues, before, name);
      if (value !== undefined) addValue<string | Blob>(values, name, value);
    }
    return issues.length > 0 ? undefined : fieldsOf(parametersByName(values, identity), { decoders }, issues);
  };
  return Object.assign(
    (bytes: Uint8Array, type: MediaType, issues: Issues): unknown => {
      const boundary = type.parameters.get("boundary");
      const parts = boundary === undefined ? undefined : readParts(bytes, boundary);
      if (parts === undefined) addIssue(issues, "syntax", "multipart/form-data");
      return parts && decodeFields(parts, issues);
    },
    {
      parsed: (value: unknown, issues: Issues): unknown =>
        isObject(value) ? decodeFields(sentFields(value, decoders), issues) : undefined,
      checkFiles: (value: unknown, issues: Issues): void => {
        if (!isObject(value)) return;
        for (const [name, decode] of Object.entries(decoders)) {
          const files = Object.hasOwn(value, name) ? value[name] : undefined;
          if ((decode !== fileField && decode !== fileFields) || files === undefined || files === null) continue;
          const before = issues.length;
          for (const each of decode === fileFields && isArray(files) ? files : [files])
            if (each instanceof Blob) checkPartType(each.type || undefined, ownDecoder(types, name), issues);
            else addIssue(issues, "type", "file");
          prefixPaths(issues, before, name);
        }
      },
    },
  );
}

/** RFC 7578: a part without Content-Type is text. Fields that a form sends have none, whatever they contain, so that it counts for files only. */
function typeOfPart({ type, isTypeUnknown }: FormPart, value: string | Blob | undefined): string | undefined {
  return type ?? (value instanceof Blob && isTypeUnknown !== true ? "text/plain" : undefined);
}

function checkPartType(type: string | undefined, allowed: readonly string[] | undefined, issues: Issues): void {
  if (type === undefined || allowed === undefined) return;
  const essence = mediaTypeEssence(type);
  const isAllowed = (range: string): boolean =>
    range === essence || range === "*/*" || (range.endsWith("/*") && essence.startsWith(range.slice(0, -1)));
  if (!allowed.some(isAllowed)) addIssue(issues, "media", allowed);
}

function valueOf(part: FormPart, decode: ParameterDecoder | undefined, issues: Issues): string | Blob | undefined {
  const { fileName = "blob", type = "text/plain", bytes } = part;
  return isFile(part, decode) ? new File([bytes], fileName, { type }) : readUtf8(bytes, issues);
}

/** The media type of a part decides, since browsers give every `Blob` a file name. */
function isFile({ fileName, type }: FormPart, decode: ParameterDecoder | undefined): boolean {
  if (decode === fileField || decode === fileFields) return fileName !== undefined || type !== undefined;
  const hasBinaryType = binaryTypes.test(mediaTypeEssence(type ?? ""));
  return decode === undefined ? fileName !== undefined || hasBinaryType : fileName !== undefined && hasBinaryType;
}

const binaryTypes =
  /^(application\/(octet-stream|pdf|zip|gzip|msword|vnd\.[^+]*|x-(7z|bzip|gzip|rar|tar|zip)[^+]*)|(image\/(?!svg)|audio\/|video\/|font\/).*)$/;

function decodeText(value: Uint8Array, type: MediaType, issues: Issues): string | undefined {
  if (isUtf8(type)) return readUtf8(value, issues);
  addIssue(issues, "media", [`${type.essence}; charset=utf-8`]);
  return undefined;
}

interface FieldDecoders {
  readonly decoders: Decoders<ParameterDecoder>;
  readonly rest?: ParameterDecoder | undefined;
}

function fieldsOf(sent: RawParameters, { decoders, rest }: FieldDecoders, issues: Issues): unknown {
  const fields: Record<string, unknown> = {};
  // A field may have several names on the wire: `a[x]=1&a[y]=2`.
  const decoded = new Set<string>();
  const recorded = recordReads(sent, decoded);
  const add = (name: string, decode: ParameterDecoder): void => {
    const before = issues.length;
    const value = decode(recorded, name, issues);
    prefixPaths(issues, before, name);
    if (value !== undefined) safeAssign(fields, name, value);
  };
  for (const [name, decode] of Object.entries(decoders)) add(name, decode);
  for (const name of sent.names())
    if (!decoded.has(name)) add(name, rest ?? ((all) => decodePlain(all.get(name), all)));
  return fields;
}

function decodePlain(value: RawValue | undefined, sent: RawParameters): unknown {
  if (typeof value === "string") return sent.decode(value);
  return Array.isArray(value) ? value.map((each: string | Blob) => decodePlain(each, sent)) : value;
}
