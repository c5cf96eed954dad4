import { fail, type Faults } from "./faults.js";
import { mostFields, readJson, readUtf8 } from "./json-text.js";
import { isUtf8, type MediaType } from "./media-type.js";
import { put } from "./put.js";
import { readQuery } from "./query.js";
import type { Readers, Reader } from "./readers.js";
import { add, asItIs, sentByName, type Given, type Sent } from "./sent.js";

/** Decodes the bytes of a body. The media type is the one that selected this reader. */
export type BodyReader = (bytes: Uint8Array, type: MediaType, faults: Faults) => unknown;

export const json: BodyReader = (bytes, type, faults) => {
  const text = textOf(bytes, type, faults);
  return text === undefined ? undefined : readJson(text, faults, { fields: mostFields });
};

export const plainText: BodyReader = (bytes, type, faults) => textOf(bytes, type, faults);

/** Returns the bytes unchanged. The description has no schema for them. */
export const bytes: BodyReader = (given) => given;

/**
 * Reads `application/x-www-form-urlencoded`. Fields without a reader are texts, or arrays of texts.
 *
 * @param readers readers of fields, by name
 */
export function form(readers: Readers<Reader> = {}): BodyReader {
  return (given, type, faults) => {
    const text = textOf(given, type, faults);
    if (text === undefined) return undefined;
    const sent = readQuery(text, faults);
    return faults.length > 0 ? undefined : fieldsOf(sent, readers, faults);
  };
}

/**
 * Reads `multipart/form-data` with the parser of the platform. Fields without a reader are texts or files, or arrays of them.
 *
 * @param readers readers of fields, by name
 */
export function multipart(readers: Readers<Reader> = {}): BodyReader {
  return async (given, type, faults) => {
    const boundary = type.parameters.get("boundary");
    const data = boundary === undefined ? undefined : await formDataOf(given, boundary);
    if (data === undefined) {
      fail(faults, "syntax", "multipart/form-data");
      return undefined;
    }
    const parts = new Map<string, (string | Blob) | (string | Blob)[]>();
    for (const [name, value] of data) add<string | Blob>(parts, name, value);
    return fieldsOf(sentByName(parts, asItIs), readers, faults);
  };
}

function textOf(given: Uint8Array, type: MediaType, faults: Faults): string | undefined {
  if (isUtf8(type)) return readUtf8(given, faults);
  fail(faults, "media", [`${type.essence}; charset=utf-8`]);
  return undefined;
}

async function formDataOf(given: Uint8Array, boundary: string): Promise<FormData | undefined> {
  const type = `multipart/form-data; boundary="${boundary.replaceAll(/["\\]/g, "\\$&")}"`;
  try {
    return await new Response(given as Uint8Array<ArrayBuffer>, { headers: { "content-type": type } }).formData();
  } catch {
    return undefined;
  }
}

function fieldsOf(sent: Sent, readers: Readers<Reader>, faults: Faults): unknown {
  const fields: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(readers)) {
    const before = faults.length;
    const value = read(sent, name, faults);
    for (let index = before; index < faults.length; index += 1) faults[index]?.path.unshift(name);
    if (value !== undefined) put(fields, name, value);
  }
  for (const name of sent.names()) {
    if (!Object.hasOwn(readers, name)) put(fields, name, plainly(sent.get(name), sent));
  }
  return fields;
}

function plainly(given: Given | undefined, sent: Sent): unknown {
  if (typeof given === "string") return sent.decode(given);
  return Array.isArray(given) ? given.map((each: string | Blob) => plainly(each, sent)) : given;
}
