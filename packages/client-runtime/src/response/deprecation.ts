import type { Fetch, Operation } from "../operation.js";

/** What a response says about the deprecation of its operation. */
export interface DeprecationNotice {
  /** The operation, if a client made the request. */
  readonly operation: Operation | undefined;
  readonly method: string;
  /** The URL, without its query: that may contain a key. */
  readonly url: string;
  /** When it was or will be deprecated (RFC 9745). Undefined if the response has no date for it. */
  readonly deprecation: Date | undefined;
  /** When it ends (RFC 8594). */
  readonly sunset: Date | undefined;
  readonly links: readonly DeprecationLink[];
}

/** A link of the header `Link` that concerns a deprecation. */
export interface DeprecationLink {
  /** `successor-version` leads to what replaces the operation. */
  readonly rel: "deprecation" | "sunset" | "successor-version";
  /** An absolute URL. */
  readonly url: string;
}

/** Options of `withDeprecationWarnings`. */
export interface DeprecationOptions {
  /**
   * Receives the notices. An error that it throws is the cause of the call's error.
   *
   * @defaultValue writes one line with `console.warn`
   */
  readonly onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
  /**
   * Whether each response gives a notice, rather than the first one of an operation.
   *
   * @defaultValue false
   */
  readonly repeat?: boolean | undefined;
  /**
   * Sends the requests.
   *
   * @defaultValue the global `fetch`
   */
  readonly fetch?: Fetch | undefined;
}

/**
 * Creates a `fetch` that reports deprecated operations: responses with the header `Deprecation` or `Sunset`.
 *
 * A page sees the headers of another origin only if the server lists them in `Access-Control-Expose-Headers`.
 *
 * @example
 * const client = createClient({ token, fetch: withDeprecationWarnings({ onDeprecation: ({ url, sunset }) => log.warn({ url, sunset }) }) });
 */
export function withDeprecationWarnings(options: DeprecationOptions = {}): Fetch {
  const { onDeprecation = warn, repeat = false } = options;
  const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  const reported = new Set<string>();

  return async (url, init) => {
    const response = await send(url, init);
    const { headers } = response;
    const deprecation = headers.get("deprecation");
    const sunset = headers.get("sunset");
    if (deprecation === null && sunset === null) return response;
    const { operation, method = "GET" } = init;
    const [address = ""] = url.split(/[?#]/);
    const key = `${method} ${operation?.path || address}`;
    if (repeat || !reported.has(key)) {
      reported.add(key);
      const links = readLinks(headers.get("link") ?? "", response.url || url);
      const dates = { deprecation: readDate(deprecation), sunset: readDate(sunset) };
      onDeprecation({ operation, method, url: address, ...dates, links });
    }
    return response;
  };
}

/** Reads a date of structured fields, `@1688169599`, or an HTTP-date. Drafts of RFC 9745 had both, and `true`. */
function readDate(text: string | null): Date | undefined {
  const [, seconds] = /^@(-?\d+)/.exec(text ?? "") ?? [];
  const date = new Date(seconds === undefined ? (text ?? "") : Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const relations = ["deprecation", "sunset", "successor-version"] as const;

/** Reads the links of RFC 8288. A target may contain commas and semicolons, and so may a quoted value. */
function readLinks(text: string, base: string): readonly DeprecationLink[] {
  return [...text.matchAll(/<([^<>]*)>((?:"(?:[^"\\]|\\.)*"|[^",])*)/g)].flatMap(([, target = "", parameters = ""]) => {
    const [, quoted, token = ""] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(parameters) ?? [];
    const stated = (quoted ?? token).toLowerCase().split(/\s+/);
    const url = parseUrl(target, base);
    return url === undefined ? [] : relations.filter((rel) => stated.includes(rel)).map((rel) => ({ rel, url }));
  });
}

function parseUrl(target: string, base: string): string | undefined {
  try {
    return new URL(target, base).href;
  } catch {
    return undefined;
  }
}

function warn({ operation, method, url, deprecation, sunset, links }: DeprecationNotice): void {
  const day = (date: Date): string => date.toISOString().slice(0, 10);
  console.warn(
    [
      `${method} ${operation?.path || url} is deprecated`,
      deprecation && ` since ${day(deprecation)}`,
      sunset && `, ends ${day(sunset)}`,
      ...links.map(({ rel, url: target }) => `; ${rel}: ${target}`),
    ].join(""),
  );
}
