/** Makes the body of a request readable again. Creating another request would cost many times what validation does; `clone()` creates one on demand. */
export function makeBodyReadable(request: Request, value: Uint8Array): void {
  const before = Object.getPrototypeOf(request) as object;
  const after = readable.get(before) ?? Object.create(before, descriptors);
  readable.set(before, after);
  Object.setPrototypeOf(request, after);
  (request as ReadableRequest)[bodyBytes] = value as Uint8Array<ArrayBuffer>;
}

/** By the original prototype of a request. One for each kind of request, since defining the methods for each would take microseconds. */
const readable = new WeakMap<object, object>();

const bodyBytes = Symbol("kept");

type ReadableRequest = Request & { [bodyBytes]: Uint8Array<ArrayBuffer> };

function text(request: ReadableRequest): string {
  return new TextDecoder().decode(request[bodyBytes]);
}

function asResponse(request: ReadableRequest): Response {
  return new Response(request[bodyBytes], { headers: { "content-type": request.headers.get("content-type") ?? "" } });
}

function recreateRequest(request: ReadableRequest): Request {
  const { method, headers, signal, url } = request;
  return new Request(url, { method, headers, signal, body: request[bodyBytes] });
}

const method = (value: (this: ReadableRequest) => unknown): PropertyDescriptor => ({
  value,
  configurable: true,
  writable: true,
});

const descriptors: PropertyDescriptorMap = {
  text: method(async function () {
    return text(this);
  }),
  json: method(async function () {
    return JSON.parse(text(this)) as unknown;
  }),
  arrayBuffer: method(async function () {
    return this[bodyBytes].slice().buffer;
  }),
  bytes: method(async function () {
    return this[bodyBytes].slice();
  }),
  blob: method(async function () {
    return asResponse(this).blob();
  }),
  formData: method(async function () {
    return asResponse(this).formData();
  }),
  clone: method(function () {
    return recreateRequest(this);
  }),
  body: {
    get(this: ReadableRequest) {
      return asResponse(this).body;
    },
    configurable: true,
  },
  bodyUsed: { value: false, configurable: true },
};
