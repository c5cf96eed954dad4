import { addIssue, type Issues } from "../issues/issues.js";
import { maxJsonProperties, readJson, readUtf8 } from "./json-text.js";
import { isUtf8, type MediaType } from "./media-type.js";
import { safeAssign } from "../values/safe-assign.js";
import { readQuery } from "./query.js";
import type { Decoders, ParameterDecoder } from "./decoders.js";
import { addValue, identity, parametersByName, type RawValue, type RawParameters } from "./raw-parameters.js";

/** Decodes the bytes of a body. The media type is the one that selected this decoder. */
export type BodyDecoder = (bytes: Uint8Array, type: MediaType, issues: Issues) => unknown;

export const jsonBody: BodyDecoder = (bytes, type, issues) => {
  const text = decodeText(bytes, type, issues);
  return text === undefined ? undefined : readJson(text, issues, { properties: maxJsonProperties });
};

export const textBody: BodyDecoder = (bytes, type, issues) => decodeText(bytes, type, issues);

/** Returns the bytes unchanged. The description has no schema for them. */
export const binaryBody: BodyDecoder = (value) => value;

/**
 * Reads `application/x-www-form-urlencoded`. Fields without a decoder are texts, or arrays of texts.
 *
 * @param decoders decoders of fields, by name
 */
export function formBody(decoders: Decoders<ParameterDecoder> = {}): BodyDecoder {
  return (value, type, issues) => {
    const text = decodeText(value, type, issues);
    if (text === undefined) return undefined;
    const sent = readQuery(text, issues);
    return issues.length > 0 ? undefined : fieldsOf(sent, decoders, issues);
  };
}

/**
 * Reads `multipart/form-data` with the parser of the platform. Fields without a decoder are texts or files, or arrays of them.
 *
 * @param decoders decoders of fields, by name
 */
export function multipartBody(decoders: Decoders<ParameterDecoder> = {}): BodyDecoder {
  return async (bytes, type, issues) => {
    const boundary = type.parameters.get("boundary");
    const data = boundary === undefined ? undefined : await formDataOf(bytes, boundary);
    if (data === undefined) {
      addIssue(issues, "syntax", "multipart/form-data");
      return undefined;
    }
    const parts = new Map<string, (string | Blob) | (string | Blob)[]>();
    for (const [name, value] of data) addValue<string | Blob>(parts, name, value);
    return fieldsOf(parametersByName(parts, identity), decoders, issues);
  };
}

function decodeText(value: Uint8Array, type: MediaType, issues: Issues): string | undefined {
  if (isUtf8(type)) return readUtf8(value, issues);
  addIssue(issues, "media", [`${type.essence}; charset=utf-8`]);
  return undefined;
}

async function formDataOf(value: Uint8Array, boundary: string): Promise<FormData | undefined> {
  const type = `multipart/form-data; boundary="${boundary.replaceAll(/["\\]/g, "\\$&")}"`;
  try {
    return await new Response(value as Uint8Array<ArrayBuffer>, { headers: { "content-type": type } }).formData();
  } catch {
    return undefined;
  }
}

function fieldsOf(sent: RawParameters, decoders: Decoders<ParameterDecoder>, issues: Issues): unknown {
  const fields: Record<string, unknown> = {};
  for (const [name, decode] of Object.entries(decoders)) {
    const before = issues.length;
    const value = decode(sent, name, issues);
    for (let index = before; index < issues.length; index += 1) issues[index]?.path.unshift(name);
    if (value !== undefined) safeAssign(fields, name, value);
  }
  for (const name of sent.names()) {
    if (!Object.hasOwn(decoders, name)) safeAssign(fields, name, decodePlain(sent.get(name), sent));
  }
  return fields;
}

function decodePlain(value: RawValue | undefined, sent: RawParameters): unknown {
  if (typeof value === "string") return sent.decode(value);
  return Array.isArray(value) ? value.map((each: string | Blob) => decodePlain(each, sent)) : value;
}
