import { setHeader } from "./headers.js";
import type { Writer } from "./operation.js";
import { own, textsOf, writeAll, type Encoders, type ParameterEncoder } from "./parameters.js";

/** Encodes query parameters, each as exploded `form`. */
export const inQuery: Writer = /* @__PURE__ */ inQueryWith({});

/** Encodes query parameters, with other encoders for some of them. */
export function inQueryWith(encoders: Encoders): Writer {
  return (request, given) => {
    const written = writeAll(given.query, encoders, "&");
    if (written) request.url += (request.url.includes("?") ? "&" : "?") + written;
  };
}

/** Encodes header parameters: a scalar, or an array's items with commas. */
export const inHeaders: Writer = /* @__PURE__ */ inHeadersWith({});

/** Encodes header parameters, with other encoders for some of them. */
export function inHeadersWith(encoders: Encoders): Writer {
  return (request, given) => {
    for (const [name, value] of Object.entries(given.headers ?? {}))
      if (value != null) {
        const written = own<ParameterEncoder>(encoders, name)?.(name, value);
        setHeader(request.headers, name, written ?? textsOf(name, value).join());
      }
  };
}

/** Encodes cookies, each as exploded `form`. */
export const inCookies: Writer = /* @__PURE__ */ inCookiesWith({});

/** Encodes cookies, with other encoders for some of them. */
export function inCookiesWith(encoders: Encoders): Writer {
  return (request, given) => {
    const written = writeAll(given.cookies, encoders, "; ");
    const all = [request.headers.get("cookie"), written].filter(Boolean);
    if (written) setHeader(request.headers, "cookie", all.join("; "));
  };
}
