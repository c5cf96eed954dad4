import type { HttpRequest } from "../http/http-request.js";
import type { HttpResponse } from "../http/http-response.js";
import type { Server } from "../http/server.js";
import { printDocsPage } from "./docs-page.js";
import { fileMediaType, siteFilePath } from "./site-files.js";

/** Reads a document when it is requested for the first time. */
export type ReadDocument = () => string | Promise<string>;

/**
 * Reads a file of a reference site.
 *
 * @param path - The path below the folder of the site, such as `operations/getPet.html`: names of letters, digits and `._-` that begin with no
 * dot, joined by slashes.
 * @returns The bytes; undefined if there is no such file.
 */
export type ReadSiteFile = (path: string) => Uint8Array | undefined | Promise<Uint8Array | undefined>;

/** What a server serves about its API. */
export interface DocsOptions {
  /** The description as JSON, for `/openapi.json`. */
  readonly json: ReadDocument;
  /** The description as YAML, for `/openapi.yaml`. Default: there is no such path. */
  readonly yaml?: ReadDocument;
  /** The files of a reference site, for `/docs/`. Default: a page that lists the operations of the description. */
  readonly site?: ReadSiteFile;
}

interface Representation {
  readonly mediaType: string;
  readonly body: string | Uint8Array;
  /** A weak tag: proxies may compress. */
  readonly tag: string;
  /** Whether pages of other origins may read it. */
  readonly isShared: boolean;
}

/**
 * Adds `/openapi.json`, `/openapi.yaml` and `/docs/` to a server, beside the paths of its API and never below them. They need no credentials: do
 * not serve a description that is a secret. Descriptions may be read from pages of every origin, as tools in browsers do.
 *
 * @param server - A server. Its paths keep their meaning, also where they are the same.
 * @param options - The documents, which are read once, and the site.
 * @returns A server for every adapter.
 * @example
 * const documented = serveDocs(server, { json: () => readFile(documents.json, "utf8") });
 * http.createServer(nodeListener(documented)).listen(8080);
 */
export function serveDocs(server: Server, { json, yaml, site }: DocsOptions): Server {
  const jsonText = once(json);
  const documents = new Map<string, () => Promise<Representation | undefined>>([
    ["/openapi.json", once(async () => represent(await jsonText(), "application/json", true))],
    ...(yaml === undefined
      ? []
      : ([["/openapi.yaml", once(async () => represent(await yaml(), "application/yaml", true))]] as const)),
    ...(site === undefined
      ? ([
          ["/docs/", once(async () => represent(printDocsPage(await jsonText(), yaml !== undefined), html, false))],
        ] as const)
      : []),
  ]);

  /** What a path stands for. Undefined if it is not one of these paths. */
  const find = (path: string): (() => Promise<Representation | undefined>) | undefined => {
    const document = documents.get(path);
    if (document !== undefined || site === undefined || !path.startsWith("/docs/")) return document;
    const file = siteFilePath(path.slice("/docs/".length));
    return async () => {
      const bytes = file === undefined ? undefined : await site(file);
      return bytes === undefined ? undefined : represent(bytes, fileMediaType(file ?? ""), false);
    };
  };

  const respond = async (
    received: HttpRequest,
    load: () => Promise<Representation | undefined>,
  ): Promise<HttpResponse> => {
    try {
      const page = await load();
      return page === undefined ? server.notFound(received) : responseOf(page, received);
    } catch (error) {
      return server.internalError(error, received);
    }
  };

  return {
    ...(server.rejection === undefined ? {} : { rejection: server.rejection.bind(server) }),
    ...(server.operationOf === undefined ? {} : { operationOf: server.operationOf.bind(server) }),
    unreadTimeoutMs: server.unreadTimeoutMs,
    notFound: (received) => server.notFound(received),
    internalError: (error, received) => server.internalError(error, received),
    handle(received) {
      const response = server.handle(received);
      if (response !== undefined || !received.hasOneHost) return response;
      const [path = ""] = received.target.split(/[?#]/, 1);
      const load = path === "/docs" ? undefined : find(path);
      if (load === undefined && path !== "/docs") return undefined;
      if (received.method !== "GET" && received.method !== "HEAD") return Promise.resolve(notAllowed);
      return load === undefined ? Promise.resolve(redirection) : respond(received, load);
    },
  };
}

const html = "text/html; charset=utf-8";

const notAllowed: HttpResponse = { status: 405, headers: { Allow: "GET, HEAD" }, body: "" };

/** Links of the pages are relative, so that the folder needs its slash. The target is relative, too: a proxy may serve it below a path. */
const redirection: HttpResponse = { status: 308, headers: { Location: "docs/" }, body: "" };

function responseOf({ mediaType, body, tag, isShared }: Representation, received: HttpRequest): HttpResponse {
  const headers = {
    ETag: tag,
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    ...(isShared ? { "Access-Control-Allow-Origin": "*" } : {}),
  };
  if (
    received
      .header("if-none-match")
      ?.split(",")
      .some((each) => each.trim() === tag) === true
  )
    return { status: 304, headers };
  const length = typeof body === "string" ? new TextEncoder().encode(body).length : body.length;
  const all = { "Content-Type": mediaType, "Content-Length": String(length), ...headers };
  return received.method === "HEAD" ? { status: 200, headers: all } : { status: 200, headers: all, body };
}

async function represent(body: string | Uint8Array, mediaType: string, isShared: boolean): Promise<Representation> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes)));
  const hash = Array.from(digest.subarray(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { mediaType, body, tag: `W/"${hash}"`, isShared };
}

/** Keeps the first result. An error is not kept, so that the next request tries again. */
function once<T>(load: () => T | Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= Promise.resolve()
      .then(load)
      .catch((error: unknown) => {
        result = undefined;
        throw error;
      });
    return result;
  };
}
