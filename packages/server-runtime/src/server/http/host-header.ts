import type { UnformattedError } from "../errors/errors.js";

/** Whether a Node request has exactly one `Host` header. RFC 9112: a server responds with 400 to none or several. HTTP/1.0 requires none. */
export function hasOneHost({ rawHeaders, httpVersionMajor = 1, httpVersionMinor = 1 }: HostHeaders): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  // HTTP/2 has `:authority` instead.
  const isOptional = httpVersionMajor !== 1 || httpVersionMinor === 0;
  return count === 1 || (count === 0 && isOptional);
}

export const oneHostReason = "A request must have exactly one Host header";

/** The part of a Node request that has its `Host` headers. */
export interface HostHeaders {
  readonly rawHeaders: readonly string[];
  readonly httpVersionMajor?: number;
  readonly httpVersionMinor?: number;
}

// A proxy may have used either of several, and may have parsed the rest of the connection otherwise.
export const oneHostError: UnformattedError = {
  status: 400,
  errors: [{ reason: oneHostReason }],
  headers: { Connection: "close" },
};
