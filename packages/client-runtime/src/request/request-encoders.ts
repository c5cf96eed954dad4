import type { RequestEncoder } from "../operation.js";
import { headerText, setHeader } from "./headers.js";
import {
  encodeAll,
  explodedWith,
  ownProperty,
  percentEncode,
  scalarToText,
  type Encoders,
  type ParameterEncoder,
} from "./parameters.js";

/** Encodes query parameters, each as exploded `form`. */
export const encodeQuery: RequestEncoder = /* @__PURE__ */ encodeQueryWith({});

/** Encodes query parameters, with other encoders for some of them. */
export function encodeQueryWith(encoders: Encoders): RequestEncoder {
  return (request, given) => {
    const written = encodeAll(given.query, encoders, "&");
    if (written) request.url += (request.url.includes("?") ? "&" : "?") + written;
  };
}

/** Encodes header parameters: a scalar, or an array's items with commas. */
export const encodeHeaders: RequestEncoder = /* @__PURE__ */ encodeHeadersWith({});

/** Encodes header parameters, with other encoders for some of them. */
export function encodeHeadersWith(encoders: Encoders): RequestEncoder {
  return (request, given) => {
    for (const [name, value] of Object.entries(given.headers ?? {}))
      if (value != null) {
        const written = (ownProperty<ParameterEncoder>(encoders, name) ?? simpleHeader)(name, value);
        // An empty array or object is left out, as in a query.
        if (written || typeof value !== "object" || (value as readonly unknown[]).length)
          setHeader(request.headers, name, written);
      }
  };
}

/** Encodes cookies, each as exploded `form`: `a=1; a=2`. */
export const encodeCookies: RequestEncoder = /* @__PURE__ */ encodeCookiesWith({});

/** Encodes cookies, with other encoders for some of them. */
export function encodeCookiesWith(encoders: Encoders): RequestEncoder {
  return (request, given) => {
    const written = encodeAll(given.cookies, encoders, "; ", cookieExploded);
    const all = [request.headers.get("cookie"), written].filter(Boolean);
    if (written) setHeader(request.headers, "cookie", all.join("; "));
  };
}

/** Encodes one header parameter as `encodeHeaders` does: a scalar, or an array's items with commas. */
export function simpleHeader(name: string, value: unknown): string {
  return Array.isArray(value)
    ? value.map((each) => headerText(name, scalarToText(name, each), /,/)).join()
    : headerText(name, scalarToText(name, value));
}

/** Encodes one cookie as `encodeCookies` does. An array repeats its name, and an object has its properties as cookies. */
export function cookieExploded(name: string, value: unknown): string {
  return explodedWith("; ", percentEncode, name, value);
}
