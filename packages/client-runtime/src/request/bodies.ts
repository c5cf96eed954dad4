import type { OutgoingRequest, RequestArguments, RequestEncoder } from "../operation.js";
import { formExploded, hasProperties, scalarToText, encodeAll, type Encoders } from "./parameters.js";
import { followRedirects } from "./redirects.js";

/** Encodes the body as JSON. */
export const jsonBody: RequestEncoder = /* @__PURE__ */ jsonBodyAs("application/json");

/** Encodes the body as JSON with another media type, such as `application/merge-patch+json`. */
export function jsonBodyAs(contentType: string): RequestEncoder {
  return (request, { body }) => {
    if (body === undefined) return;
    setContentType(request, contentType);
    setBody(request, JSON.stringify(body));
  };
}

/**
 * Encodes the body as `multipart/form-data`. Blobs and bytes become files, arrays repeat their name, objects become JSON in a text. `multipartBodyWith`
 * gives parts the media type of JSON.
 * Leaves out undefined and null.
 */
export function multipartBody(request: OutgoingRequest, { body }: RequestArguments): void {
  if (body === undefined) return;
  // Only `fetch` knows the boundary.
  request.headers.delete("content-type");
  setBody(request, body instanceof FormData ? body : formData(body as object));
}

function formData(body: object): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(body))
    for (const each of Array.isArray(value) ? value : [value])
      if (each != null)
        data.append(name, isBytes(each) ? new Blob([each]) : each instanceof Blob ? each : fieldText(name, each));
  return data;
}

/** Encodes the body as `application/x-www-form-urlencoded`. Arrays repeat their name, objects become JSON. Leaves out undefined and null. */
export const urlEncodedBody: RequestEncoder = /* @__PURE__ */ urlEncodedBodyWith({});

/**
 * Encodes the body like `urlEncodedBody`, with other encoders for some fields.
 *
 * @example
 * callOperation(client, { method: "POST", path: "/charges", encoders: [urlEncodedBodyWith({ card: deepObject })] }, request)
 */
export function urlEncodedBodyWith(encoders: Encoders): RequestEncoder {
  return (request, { body }) => {
    if (body === undefined) return;
    setContentType(request, "application/x-www-form-urlencoded");
    setBody(request, encodeAll(body as object, encoders, "&", encodeField));
  };
}

/** A body that `raw` sends without encoding it. */
export type RawBody = string | Blob | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array>;

/** Sends text, bytes, a `Blob` or a stream unchanged, with this media type. */
export function rawBody(contentType: string): RequestEncoder {
  const write = rawBodyOnce(contentType);
  return (request, given) => {
    write(request, given);
    if (request.body !== undefined) setBody(request, request.body);
  };
}

/** Like `raw`, for requests that follow no redirects. */
export function rawBodyOnce(contentType: string): RequestEncoder {
  return (request, { body }) => {
    if (body === undefined) return;
    setContentType(request, contentType);
    // `fetch` requires this value for a body that it cannot rewind.
    if (body instanceof ReadableStream) request.duplex = "half";
    request.body = body as RawBody as OutgoingRequest["body"];
  };
}

export function setBody(request: OutgoingRequest, body: OutgoingRequest["body"]): void {
  request.body = body;
  request.send = followRedirects(request.send);
}

export function setContentType({ headers }: OutgoingRequest, contentType: string): void {
  if (!headers.has("content-type")) headers.set("content-type", contentType);
}

function encodeField(name: string, value: unknown): string {
  return formExploded(
    name,
    (Array.isArray(value) ? value : [value]).map((each) => (each == null ? each : fieldText(name, each))),
  );
}

function fieldText(name: string, value: unknown): string {
  return hasProperties(value) ? JSON.stringify(value) : scalarToText(name, value);
}

function isBytes(value: unknown): value is ArrayBuffer | ArrayBufferView<ArrayBuffer> {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value);
}
