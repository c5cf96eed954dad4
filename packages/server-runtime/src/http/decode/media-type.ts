/** A parsed Content-Type (RFC 9110). It selects the reader, the check and the charset. */
export interface MediaType {
  /** `type/subtype` in lower case. */
  readonly essence: string;
  /** Parameters by lower-case name, without quotes. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Parses a Content-Type. Undefined if it is malformed, repeats a parameter, or is a list. */
export function parseMediaType(text: string): MediaType | undefined {
  if (text === "application/json") return plainJson;
  const end = endOfEssence(text);
  const essence = text.slice(0, end).toLowerCase();
  if (!isEssence.test(essence)) return undefined;
  const parameters = new Map<string, string>();
  let at = end;
  while (at < text.length) {
    parameter.lastIndex = at;
    const match = parameter.exec(text);
    if (match === null) return undefined;
    const [part, name, token, quoted] = match;
    at += part.length;
    if (name === undefined) continue;
    if (parameters.has(name.toLowerCase())) return undefined;
    parameters.set(name.toLowerCase(), token ?? quoted?.replaceAll(/\\(.)/g, "$1") ?? "");
  }
  return { essence, parameters };
}

/** Returns the `type/subtype` in lower case, also of a malformed Content-Type. */
export function mediaTypeEssence(text: string): string {
  return (text.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** True for media types whose bodies are JSON. */
export function isJson(type: string): boolean {
  return type === "application/json" || json.test(type);
}

const json = /^(?:(?:application|text)\/(?:[^/;\s]+\+)?json(?:\s*;|$)|(?:\*|application)\/\*$)/i;

/** Whether a text of this type is UTF-8, which is the default. */
export function isUtf8({ parameters }: MediaType): boolean {
  const charset = parameters.get("charset");
  return charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset);
}

/** Looks up a media type in a record whose keys may be ranges. */
export function contentFor<T>(contents: Readonly<Record<string, T>>, { essence }: MediaType): T | undefined {
  if (Object.hasOwn(contents, essence)) return contents[essence];
  const range = `${essence.slice(0, essence.indexOf("/"))}/*`;
  if (Object.hasOwn(contents, range)) return contents[range];
  return Object.hasOwn(contents, "*/*") ? contents["*/*"] : undefined;
}

const plainJson: MediaType = { essence: "application/json", parameters: new Map() };

const isEssence = /^[!#$%&'+.^_`|~0-9a-z-]+\/[!#$%&'+.^_`|~0-9a-z-]+$/;

// Each iteration consumes a semicolon, so that the time is linear. RFC 9110 allows a trailing semicolon.
const parameter =
  /[ \t]*;[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)|"((?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*)")[ \t]*(?=;|$)|(?=[ \t;]|$))/y;

function endOfEssence(text: string): number {
  const end = text.search(/[ \t;]/);
  return end === -1 ? text.length : end;
}
