import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/**
 * Accepts requests of programs on this machine, and rejects those that a web page can cause: browsers on this machine reach loopback, and the
 * controls require no token. Such a request has an origin, a relation to the server, or a host name that resolves to this machine (DNS rebinding).
 *
 * @param next responds to the accepted requests
 */
export function onlyFromThisMachine(next: RequestListener): RequestListener {
  return (request, response) => {
    const rejection = originRejection(request) ?? bodyRejection(request);
    if (rejection !== undefined) return reject(response, rejection);
    if (!hasUnknownLength(request) || isJson(request)) return next(request, response);
    // Chunks of an unknown type are allowed as long as they contain no bytes.
    request.once("readable", () => {
      if (request.read() === null) next(request, response);
      else reject(response, notJson);
    });
    return undefined;
  };
}

interface Rejection {
  readonly status: number;
  readonly reason: string;
}

const notJson: Rejection = { status: 415, reason: "The body has to be JSON: send `Content-Type: application/json`" };

function originRejection({ headersDistinct }: IncomingMessage): Rejection | undefined {
  const hosts = headersDistinct["host"] ?? [];
  if (hosts.length !== 1 || !hosts.every((each) => isLoopbackName(each)))
    return { status: 403, reason: "`Host` has to be a loopback name, such as `localhost` or `127.0.0.1`" };
  if (headersDistinct["origin"] !== undefined)
    return { status: 403, reason: "Web pages cannot call the test controls: `Origin` is not allowed" };
  const sites = headersDistinct["sec-fetch-site"] ?? [];
  if (!sites.every((each) => each === "none" || each === "same-origin"))
    return { status: 403, reason: "Web pages cannot call the test controls: `Sec-Fetch-Site` is not allowed" };
  return undefined;
}

/** Forms of web pages send other types than JSON without a preflight request. */
function bodyRejection(request: IncomingMessage): Rejection | undefined {
  return Number(request.headers["content-length"] ?? 0) !== 0 && !isJson(request) ? notJson : undefined;
}

function hasUnknownLength({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined;
}

function isJson({ headersDistinct }: IncomingMessage): boolean {
  const types = headersDistinct["content-type"] ?? [];
  return types.length === 1 && /^application\/json\s*(?:;|$)/i.test(types[0] ?? "");
}

/** Any port is allowed, since a port may be forwarded. */
function isLoopbackName(host: string): boolean {
  return /^(?:localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}

function reject(response: ServerResponse, { status, reason }: Rejection): void {
  const body = JSON.stringify({ errors: [{ reason }] });
  // The rest of the body is not read.
  response.writeHead(status, { "Content-Type": "application/json", Connection: "close" }).end(body);
}
