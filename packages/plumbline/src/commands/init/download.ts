/** Limits of all downloads together. */
export interface DownloadLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** For each file. */
  readonly maxRedirects: number;
}

export interface DownloadedFile {
  /** The URL after redirects. */
  readonly url: URL;
  readonly text: string;
}

/** Where a download may lead. */
export interface DownloadScope {
  /** The origin that redirects must not leave. Default: any. */
  readonly origin?: string;
  /** The place of the reference to the file, for messages. */
  readonly referrer?: string;
}

/** A file cannot be downloaded. The message names its URL without secrets, the reason and a way out. */
export class DownloadError extends Error {
  readonly code = "ERR_DOWNLOAD";
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "DownloadError";
  }
}

/** The URL without user, password, query and fragment: each may be a secret. */
export function redactUrl({ protocol, host, pathname, search }: URL): string {
  return `${protocol}//${host}${pathname}${search === "" ? "" : "?…"}`;
}

/** Creates a function that downloads text files. The limits hold for all of its calls together. */
export function createDownloader(
  limits: DownloadLimits,
): (address: string, scope?: DownloadScope) => Promise<DownloadedFile> {
  const deadline = AbortSignal.timeout(limits.timeoutMs);
  let bytesLeft = limits.maxBytes;
  return async (address, scope = {}) => {
    let url = parseAddress(address);
    const prefix = scope.referrer === undefined ? "" : `${scope.referrer}  `;
    const failure = (reason: string, fix = downloadFix): DownloadError =>
      new DownloadError(`${prefix}${redactUrl(url)}  ${reason} ${fix}`);
    for (let redirects = 0; ; redirects += 1) {
      checkUrl(url, failure);
      const response = await request(url, deadline).catch((error: unknown) => {
        throw failure(reasonOf(error, limits));
      });
      const location = response.headers.get("location");
      if (!redirectStatuses.has(response.status) || location === null) {
        if (!response.ok) {
          await response.body?.cancel();
          throw failure(`The server responds with ${response.status}.`, fixOf(response.status));
        }
        const tooLarge = (): DownloadError =>
          failure(
            `The description has more than ${limits.maxBytes / 2 ** 20} MB, the limit for all its files together.`,
          );
        const bytes = await readBody(response, bytesLeft, tooLarge).catch((error: unknown) => {
          throw error instanceof DownloadError ? error : failure(reasonOf(error, limits));
        });
        bytesLeft -= bytes.length;
        return { url, text: decode(bytes, response.headers.get("content-type") ?? "", failure) };
      }
      await response.body?.cancel();
      if (redirects >= limits.maxRedirects) throw failure(`More than ${limits.maxRedirects} redirects.`);
      if (!URL.canParse(location, url.href)) throw failure("It redirects to an invalid URL.");
      const next = new URL(location, url);
      if (scope.origin !== undefined && next.origin !== scope.origin)
        throw failure(`It redirects to another origin: ${redactUrl(next)}.`);
      if (url.protocol === "https:" && next.protocol === "http:")
        throw failure(`It redirects from https to http: ${redactUrl(next)}.`);
      url = next;
    }
  };
}

const downloadFix = "Download it with another program, and run plumbline init FILE.";

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function parseAddress(address: string): URL {
  if (!URL.canParse(address))
    throw new DownloadError("The URL is not valid. Write one such as https://api.example/openapi.json.");
  return new URL(address);
}

function checkUrl(url: URL, failure: (reason: string, fix?: string) => DownloadError): void {
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw failure("The URL has to begin with https: or http:.");
  if (url.username !== "" || url.password !== "")
    throw failure("The URL contains a user name or a password, which init does not send.");
}

async function request(url: URL, signal: AbortSignal): Promise<Response> {
  const headers = { accept: "application/json, application/yaml, text/yaml, text/plain;q=0.5, */*;q=0.1" };
  return fetch(url, { redirect: "manual", credentials: "omit", headers, signal });
}

async function readBody(response: Response, maxBytes: number, tooLarge: () => DownloadError): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length; // after decompression
    if (size > maxBytes) throw tooLarge(); // leaving the loop cancels the body
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer, contentType: string, failure: (reason: string, fix?: string) => DownloadError): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw failure("The response is not UTF-8 text.");
  }
  if (/^\s*</.test(text) || /^text\/html\b/i.test(contentType))
    throw failure(
      "The response is a web page or XML, not a description.",
      "Open it in a browser, and copy the address of the JSON or YAML file that it shows.",
    );
  return text;
}

function fixOf(status: number): string {
  if (status === 401 || status === 403) return `It wants credentials, which init does not send. ${downloadFix}`;
  return status === 404 || status === 410 ? "Check the address." : downloadFix;
}

function reasonOf(error: unknown, { timeoutMs }: DownloadLimits): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `The download takes longer than ${timeoutMs / 1000} s.`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code =
    cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "unknown error";
  return `The server cannot be reached, or closed the connection (${code}).`;
}
