import type { ConsoleCredential, ConsoleOperation } from "./console-data.js";
import type { ConsoleRequest } from "./request.js";

/** A response as far as it was read. */
export interface ReadResponse {
  readonly status: number;
  readonly statusText: string;
  readonly milliseconds: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly type: string | undefined;
  readonly bytes: Uint8Array;
  /** Whether the body is longer than what the page reads. */
  readonly isCut: boolean;
}

/** Where a request goes. */
export interface Destination {
  readonly fetch: (request: Request) => Promise<Response>;
  /** The text of each credential, in their order. Empty: it is not sent. */
  readonly credentials: readonly string[];
  /** Whether it gets headers that browsers send themselves: `Cookie`. */
  readonly acceptsCookies: boolean;
}

const maxBytes = 2 * 2 ** 20;
const timeoutMs = 30_000;

/**
 * Sends a request once. Redirects are not followed: another server would get the credentials.
 *
 * @throws TypeError without a response, and DOMException after 30 seconds.
 */
export async function sendRequest(
  operation: Pick<ConsoleOperation, "method" | "credentials">,
  { url, headers, body }: ConsoleRequest,
  destination: Destination,
): Promise<ReadResponse> {
  const signal = AbortSignal.timeout(timeoutMs);
  const sent = new Headers(headers.map(([name, value]) => [name, value]));
  const address = new URL(url);
  for (const [index, credential] of operation.credentials.entries())
    addCredential(credential, destination.credentials[index] ?? "", { headers: sent, address });
  const request = new Request(withQueryOf(url, address), {
    method: operation.method,
    headers: sent,
    ...(body === undefined ? {} : { body }),
    credentials: "omit",
    cache: "no-store",
    redirect: "manual",
    referrerPolicy: "no-referrer",
    signal,
  });
  // Browsers remove some headers from requests; a mock in the page may have all of them.
  if (destination.acceptsCookies) Object.defineProperty(request, "headers", { value: withTypeOf(sent, request) });
  const started = performance.now();
  const response = await destination.fetch(request);
  const { bytes, isCut } = await readBytes(response);
  return {
    status: response.status,
    statusText: response.statusText,
    milliseconds: performance.now() - started,
    headers: [...response.headers],
    type: response.headers.get("content-type") ?? undefined,
    bytes,
    isCut,
  };
}

function addCredential(
  { in: place, name, prefix }: ConsoleCredential,
  text: string,
  { headers, address }: { readonly headers: Headers; readonly address: URL },
): void {
  if (text === "") return;
  if (place === "query") address.searchParams.append(name, text);
  else if (place === "header") headers.set(name, prefix + (prefix === "Basic " ? base64(text) : text));
  else headers.append("Cookie", `${name}=${text}`);
}

/** The URL as it was built, unless a credential is a part of its query. */
function withQueryOf(url: string, address: URL): string {
  return new URL(url).search === address.search ? url : address.href;
}

/** A form decides on its boundary when the request is created. */
function withTypeOf(headers: Headers, request: Request): Headers {
  const type = request.headers.get("content-type");
  if (type !== null) headers.set("content-type", type);
  return headers;
}

function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}

async function readBytes({ body }: Response): Promise<Pick<ReadResponse, "bytes" | "isCut">> {
  const reader = body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  let isCut = false;
  for (let part = await reader?.read(); part?.done === false && !isCut; part = await reader?.read()) {
    chunks.push(part.value);
    length += part.value.length;
    isCut = length > maxBytes;
  }
  if (isCut) await reader?.cancel();
  return { bytes: new Uint8Array(await new Blob(chunks).arrayBuffer()).slice(0, maxBytes), isCut };
}
