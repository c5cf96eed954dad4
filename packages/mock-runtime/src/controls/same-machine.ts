import { problemResponse } from "./control-errors.js";

/**
 * Rejects requests that a web page can cause: browsers on this machine reach loopback, and the controls require no token. Such a request has an
 * origin, a relation to the server, or a host name that resolves to this machine (DNS rebinding).
 *
 * @returns the error response; undefined for a request of a program on this machine
 */
export function rejectWebPages({ url, headers }: Request): Response | undefined {
  const { hostname } = new URL(url);
  if (!isLoopbackName(hostname))
    return problemResponse(403, `The host "${hostname}" is not a loopback name, such as localhost or 127.0.0.1.`);
  if (headers.has("Origin"))
    return problemResponse(403, "Web pages cannot call the controls: remove the header `Origin`.");
  const site = headers.get("Sec-Fetch-Site") ?? "none";
  if (site !== "none" && site !== "same-origin")
    return problemResponse(403, `Web pages cannot call the controls: \`Sec-Fetch-Site: ${site}\` is not allowed.`);
  return undefined;
}

/** Whether a host name is that of this machine alone. */
export function isLoopbackName(host: string): boolean {
  return /^(?:localhost\.?|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
