import { isPlain } from "./path-segment.js";

/** A base path of the API, such as `/v4`. */
export interface BasePath {
  /** Percent-encoded, without a trailing slash. */
  readonly path: string;
  /** The decoded segments, if clients may encode them in several ways: `/c++` and `/c%2B%2B`. */
  readonly segments: readonly string[] | undefined;
}

/**
 * Parses a base path. Its segments may be encoded, and have characters beyond ASCII.
 *
 * @throws TypeError for a path that servers do not read in the same way
 */
export function parseBasePath(base: string): BasePath {
  const segments = (base.endsWith("/") ? base.slice(0, -1) : base).split("/");
  const encoded = segments.slice(1).map(encodeOnce);
  if (segments[0] === "" && encoded.every((each) => each !== undefined && each !== "" && isPlain(each))) {
    const path = encoded.map((each) => `/${each ?? ""}`).join("");
    const hasOneForm = /^[A-Za-z0-9._~/-]*$/.test(path);
    return { path, segments: hasOneForm ? undefined : encoded.map((each) => decodeURIComponent(each ?? "")) };
  }
  throw new TypeError(
    `basePath ${JSON.stringify(base)} is not a valid path. Write plain segments with a slash before each, such as "/v4".`,
  );
}

/** Returns the index of the first segment below the first base path that a path starts with. */
export function startBelow(path: string, bases: readonly BasePath[]): number | undefined {
  for (const base of bases) {
    const end = path.startsWith(base.path) ? base.path.length : endOfSegments(path, base);
    if (end !== undefined && (end === path.length || path.charCodeAt(end) === 0x2f)) return end + 1;
  }
  return undefined;
}

function endOfSegments(path: string, { segments }: BasePath): number | undefined {
  if (segments === undefined) return undefined;
  let end = 0;
  for (const expected of segments) {
    const slash = path.indexOf("/", end + 1);
    const next = slash === -1 ? path.length : slash;
    const segment = path.slice(end + 1, next);
    if (!isPlain(segment) || decodeURIComponent(segment) !== expected) return undefined;
    end = next;
  }
  return end;
}

/** Encodes what a request line cannot have. Undefined if the segment has another meaning in a URL. */
function encodeOnce(segment: string): string | undefined {
  if (/[?#\\\s]/.test(segment)) return undefined;
  try {
    return segment.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
  } catch {
    return undefined;
  }
}
