import type { OutgoingRequest } from "./client.js";
import { form, hasFields, text, writeAll, type Encoders } from "./parameters.js";

/** Writes a body; sets `Content-Type` among the request's headers unless it is there already. */
export type BodyEncoder = (body: unknown, request: OutgoingRequest) => OutgoingRequest["body"];

/** JSON, as every body is written when the operation names no other way. */
export function json(body: unknown, request: OutgoingRequest): string {
  setType(request, "application/json");
  return JSON.stringify(body);
}

/** JSON under another media type, such as `application/merge-patch+json`. */
export function jsonAs(contentType: string): BodyEncoder {
  return (body, request) => {
    setType(request, contentType);
    return JSON.stringify(body);
  };
}

/**
 * `multipart/form-data`: blobs and bytes become files, arrays repeat their name, objects become JSON; undefined and
 * null are left out.
 */
export function multipart(body: unknown, request: OutgoingRequest): FormData {
  // Only `fetch` knows the boundary.
  request.headers.delete("content-type");
  if (body instanceof FormData) return body;
  const data = new FormData();
  for (const [name, value] of Object.entries(body as object))
    for (const each of Array.isArray(value) ? value : [value])
      if (each != null)
        data.append(name, isBytes(each) ? new Blob([each]) : each instanceof Blob ? each : plain(name, each));
  return data;
}

/**
 * `application/x-www-form-urlencoded`: arrays repeat their name, objects become JSON; undefined and null are left out.
 */
export function urlEncoded(body: unknown, request: OutgoingRequest): OutgoingRequest["body"] {
  return urlEncodedWith({})(body, request);
}

/**
 * As `urlEncoded`, with encoders for some of the fields.
 *
 * @example
 * call(client, { method: "POST", path: "/charges", body: urlEncodedWith({ card: deepObject }) }, request)
 */
export function urlEncodedWith(encoders: Encoders): BodyEncoder {
  return (body, request) => {
    setType(request, "application/x-www-form-urlencoded");
    return writeAll(body as object, encoders, "&", fields);
  };
}

/** What `raw` sends. */
export type RawBody = string | Blob | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array>;

/** Text, bytes, a `Blob` or a stream (a `RawBody`), sent as it is under this media type. */
export function raw(contentType: string): BodyEncoder {
  return (body, request) => {
    setType(request, contentType);
    // `fetch` demands this word for a body that it cannot rewind.
    if (body instanceof ReadableStream) request.duplex = "half";
    return body as OutgoingRequest["body"];
  };
}

function setType({ headers }: OutgoingRequest, contentType: string): void {
  if (!headers.has("content-type")) headers.set("content-type", contentType);
}

function fields(name: string, value: unknown): string {
  return form(
    name,
    (Array.isArray(value) ? value : [value]).map((each) => (each == null ? each : plain(name, each))),
  );
}

function plain(name: string, value: unknown): string {
  return hasFields(value) ? JSON.stringify(value) : text(name, value);
}

function isBytes(value: unknown): value is ArrayBuffer | ArrayBufferView<ArrayBuffer> {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value);
}
