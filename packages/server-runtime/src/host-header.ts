import type { Refusal } from "./errors.js";
import type { NodeIncoming } from "./node-pair.js";

/** Whether a request of Node's has one `Host` header. RFC 9112 has a server respond with 400 where it has none or several; HTTP/1.0 needs none. */
export function hasOneHost({ rawHeaders, httpVersionMajor = 1, httpVersionMinor = 1 }: HostHeaders): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  // HTTP/2 has `:authority` in its place.
  const isOptional = httpVersionMajor !== 1 || httpVersionMinor === 0;
  return count === 1 || (count === 0 && isOptional);
}

export const oneHostReason = "A request must have exactly one Host header";

export type HostHeaders = Pick<NodeIncoming, "rawHeaders" | "httpVersionMajor" | "httpVersionMinor">;

// Which of several a proxy went by is unknown, and so is how it parsed the rest of the connection.
export const oneHost: Refusal = {
  status: 400,
  errors: [{ reason: oneHostReason }],
  headers: { Connection: "close" },
};
