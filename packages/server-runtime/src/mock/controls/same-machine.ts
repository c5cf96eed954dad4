import type { HttpRequest, HttpResponse } from "../../server/index.js";
import { problemResponse } from "./control-errors.js";

/**
 * Rejects requests that a web page can cause: browsers on this machine reach loopback, and the controls require no token. Such a request has an
 * origin, a relation to the server, or a host name that resolves to this machine (DNS rebinding).
 *
 * @returns the error response; undefined for a request of a program on this machine
 */
export function rejectWebPages(received: HttpRequest): HttpResponse | undefined {
  const hostname = hostnameOf(received);
  if (!isLoopbackName(hostname) || !received.hasOneHost)
    return problemResponse(403, `The host "${hostname}" is not a loopback name, such as localhost or 127.0.0.1.`);
  if (received.header("origin") !== undefined)
    return problemResponse(403, "Web pages cannot call the controls: remove the header `Origin`.");
  const site = received.header("sec-fetch-site") ?? "none";
  if (site !== "none" && site !== "same-origin")
    return problemResponse(403, `Web pages cannot call the controls: \`Sec-Fetch-Site: ${site}\` is not allowed.`);
  return undefined;
}

/** Empty for a header that is not a host. Only HTTP/1.0 has no header. */
function hostnameOf(received: HttpRequest): string {
  const url = received.url ?? `http://${received.header("host") ?? "localhost"}`;
  return URL.canParse(url) ? new URL(url).hostname : "";
}

/** Whether a host name is that of this machine alone. */
export function isLoopbackName(host: string): boolean {
  return /^(?:localhost\.?|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
