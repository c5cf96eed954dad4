/** Makes the body of a request readable again. Creating another request would cost many times what validation does; `clone()` creates one on demand. */
export function makeReadable(request: Request, given: Uint8Array): void {
  const before = Object.getPrototypeOf(request) as object;
  const after = readable.get(before) ?? Object.create(before, descriptors);
  readable.set(before, after);
  Object.setPrototypeOf(request, after);
  (request as Again)[kept] = given as Uint8Array<ArrayBuffer>;
}

/** By the original prototype of a request. One for each kind of request, since defining the methods for each would take microseconds. */
const readable = new WeakMap<object, object>();

const kept = Symbol("kept");

type Again = Request & { [kept]: Uint8Array<ArrayBuffer> };

function text(request: Again): string {
  return new TextDecoder().decode(request[kept]);
}

function asReply(request: Again): Response {
  return new Response(request[kept], { headers: { "content-type": request.headers.get("content-type") ?? "" } });
}

function anew(request: Again): Request {
  const { method, headers, signal, url } = request;
  return new Request(url, { method, headers, signal, body: request[kept] });
}

const method = (value: (this: Again) => unknown): PropertyDescriptor => ({ value, configurable: true, writable: true });

const descriptors: PropertyDescriptorMap = {
  text: method(async function () {
    return text(this);
  }),
  json: method(async function () {
    return JSON.parse(text(this)) as unknown;
  }),
  arrayBuffer: method(async function () {
    return this[kept].slice().buffer;
  }),
  bytes: method(async function () {
    return this[kept].slice();
  }),
  blob: method(async function () {
    return asReply(this).blob();
  }),
  formData: method(async function () {
    return asReply(this).formData();
  }),
  clone: method(function () {
    return anew(this);
  }),
  body: {
    get(this: Again) {
      return asReply(this).body;
    },
    configurable: true,
  },
  bodyUsed: { value: false, configurable: true },
};
