/** An encoded slash counts as a slash in a parameter of several segments. */
export const slashesIn: RegExp = /\/|%2f/i;

/** A slash that a segment carries as `%2F`. */
export const encodedSlash: RegExp = /%2f/i;

/** Whether a segment is plain but for encoded slashes; periods between them count as dots in disguise. */
export function isPlainBetweenSlashes(segment: string): boolean {
  return segment.split(encodedSlash).every(isPlain);
}

/**
 * Whether every layer parses a path segment in the same way: well-formed UTF-8, no encoded slashes or dots, no double encoding, and no character
 * at which some routers cut it off.
 */
export function isPlain(segment: string): boolean {
  for (let at = 0; at < segment.length; at += 1) {
    const code = segment.charCodeAt(at);
    // Control characters and spaces, characters beyond ASCII, and ; \ #
    if (code <= 0x20 || code >= 0x7f || code === 0x3b || code === 0x5c || code === 0x23) return false;
    if (code === 0x25) return isPlainDecoded(segment);
  }
  return segment !== "." && segment !== "..";
}

function isPlainDecoded(segment: string): boolean {
  if (unusualAscii.test(segment)) return false;
  let decoded: string;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    return false;
  }
  return decoded !== "." && decoded !== ".." && !hiddenSeparators.test(decoded);
}

const unusualAscii = /[^\x21-\x7e]|[;\\#]/;

// A slash, a null, and encoded characters that a second decoding would turn into a dot, slash, backslash, semicolon or percent sign.
const hiddenSeparators = /[/\0]|%(?:2[ef5]|5c|3b|00)/i;
