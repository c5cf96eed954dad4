import type { Fetch, OutgoingRequest } from "./client.js";
import type { Arguments, Writer } from "./operation.js";
import { following } from "./redirects.js";
import { form, hasFields, text, writeAll, type Encoders } from "./parameters.js";

/** Encodes the body as JSON. */
export const jsonBody: Writer = /* @__PURE__ */ jsonAs("application/json");

/** Encodes the body as JSON with another media type, such as `application/merge-patch+json`. */
export function jsonAs(contentType: string): Writer {
  return (request, { body }, send) => {
    if (body === undefined) return;
    setType(request, contentType);
    setBody(request, send, JSON.stringify(body));
  };
}

/**
 * Encodes the body as `multipart/form-data`. Blobs and bytes become files, arrays repeat their name, objects become JSON.
 * Leaves out undefined and null.
 */
export function multipart(request: OutgoingRequest, { body }: Arguments, send: Fetch): void {
  if (body === undefined) return;
  // Only `fetch` knows the boundary.
  request.headers.delete("content-type");
  setBody(request, send, body instanceof FormData ? body : formData(body as object));
}

function formData(body: object): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(body))
    for (const each of Array.isArray(value) ? value : [value])
      if (each != null)
        data.append(name, isBytes(each) ? new Blob([each]) : each instanceof Blob ? each : plain(name, each));
  return data;
}

/** Encodes the body as `application/x-www-form-urlencoded`. Arrays repeat their name, objects become JSON. Leaves out undefined and null. */
export const urlEncoded: Writer = /* @__PURE__ */ urlEncodedWith({});

/**
 * Encodes the body like `urlEncoded`, with other encoders for some fields.
 *
 * @example
 * call(client, { method: "POST", path: "/charges", write: [urlEncodedWith({ card: deepObject })] }, request)
 */
export function urlEncodedWith(encoders: Encoders): Writer {
  return (request, { body }, send) => {
    if (body === undefined) return;
    setType(request, "application/x-www-form-urlencoded");
    setBody(request, send, writeAll(body as object, encoders, "&", fields));
  };
}

/** A body that `raw` sends without encoding it. */
export type RawBody = string | Blob | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array>;

/** Sends text, bytes, a `Blob` or a stream unchanged, with this media type. */
export function raw(contentType: string): Writer {
  const write = rawOnce(contentType);
  return (request, given, send) => {
    write(request, given, send);
    if (request.body !== undefined) setBody(request, send, request.body);
  };
}

/** Like `raw`, for requests that follow no redirects. */
export function rawOnce(contentType: string): Writer {
  return (request, { body }) => {
    if (body === undefined) return;
    setType(request, contentType);
    // `fetch` requires this value for a body that it cannot rewind.
    if (body instanceof ReadableStream) request.duplex = "half";
    request.body = body as RawBody as OutgoingRequest["body"];
  };
}

function setBody(request: OutgoingRequest, send: Fetch, body: OutgoingRequest["body"]): void {
  request.body = body;
  request.send = following(send);
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
