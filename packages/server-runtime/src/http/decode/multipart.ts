import { readUtf8 } from "./json-text.js";
import { decodePercent } from "./raw-parameters.js";

/** A part of a form. */
export interface FormPart {
  readonly fileName?: string | undefined;
  /** Its Content-Type. Without one, a part is text. */
  readonly type?: string | undefined;
  /** Whether the parser that has read the part has dropped its Content-Type. */
  readonly isTypeUnknown?: true;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A part with the name of its field. */
export type SentField = readonly [name: string, value: string | FormPart];

/**
 * Splits `multipart/form-data` (RFC 7578). Undefined if it is malformed.
 *
 * The parser of the platform drops the media type of a part without a file name. That of Node 20 rejects what .NET sends: names without quotes, and
 * Content-Type as the first header.
 */
export function readParts(body: Uint8Array, boundary: string): readonly SentField[] | undefined {
  const bytes = body as Uint8Array<ArrayBuffer>;
  const delimiter = utf8Encoder.encode(`\r\n--${boundary}`);
  const parts: SentField[] = [];
  let at = startsAt(bytes, 0, delimiter.subarray(2)) ? delimiter.length - 2 : endOf(bytes, delimiter, 0);
  while (at !== -1) {
    if (startsAt(bytes, at, twoHyphens)) return parts;
    while (bytes[at] === space || bytes[at] === tab) at += 1;
    const start = startsAt(bytes, at, emptyLine.subarray(2)) ? endOf(bytes, emptyLine, at) : -1;
    const end = start === -1 ? -1 : endOf(bytes, delimiter, start);
    const head = end === -1 ? undefined : readHead(bytes.subarray(at + 2, start - emptyLine.length));
    if (head === undefined) return undefined;
    const [name, part] = head;
    parts.push([name, { ...part, bytes: bytes.subarray(start, end - delimiter.length) }]);
    at = end;
  }
  return undefined;
}

const utf8Encoder = /* @__PURE__ */ new TextEncoder();
const twoHyphens = /* @__PURE__ */ utf8Encoder.encode("--");
const emptyLine = /* @__PURE__ */ utf8Encoder.encode("\r\n\r\n");
const space = 0x20;
const tab = 0x09;

/** Returns the index behind the first occurrence, or -1. A boundary contains no line break, so that the time is linear. */
function endOf(bytes: Uint8Array, sought: Uint8Array, from: number): number {
  for (let at = from; (at = bytes.indexOf(sought[0] ?? 0, at)) !== -1; at += 1)
    if (startsAt(bytes, at, sought)) return at + sought.length;
  return -1;
}

function startsAt(bytes: Uint8Array, at: number, sought: Uint8Array): boolean {
  let matching = 0;
  while (matching < sought.length && bytes[at + matching] === sought[matching]) matching += 1;
  return matching === sought.length;
}

function readHead(bytes: Uint8Array): readonly [name: string, Omit<FormPart, "bytes">] | undefined {
  const headers = new Map<string, string>();
  for (const line of readUtf8(bytes, [])?.split("\r\n") ?? []) {
    const [name = "", ...value] = line.split(":");
    headers.set(name.toLowerCase(), value.join(":").trim());
  }
  // RFC 7578 deprecates this header: what is encoded would be read as it stands.
  if (/^(base64|quoted-printable)$/i.test(headers.get("content-transfer-encoding") ?? "")) return undefined;
  const parameters = dispositionParameters(headers.get("content-disposition") ?? "");
  const name = parameters?.get("name");
  if (parameters === undefined || name === undefined) return undefined;
  const [, extended] = /^utf-8'[^']*'(.*)$/i.exec(parameters.get("filename*") ?? "") ?? [];
  const fileName = (extended && decodePercent(extended)) ?? parameters.get("filename");
  return [unescape(name), { fileName: fileName && unescape(fileName), type: headers.get("content-type") }];
}

/** Returns the parameters of `form-data; name="a"`. Undefined if it is malformed, or repeats one. */
function dispositionParameters(header: string): ReadonlyMap<string, string> | undefined {
  const [type = ""] = header.split(";", 1);
  if (type.trim().toLowerCase() !== "form-data") return undefined;
  const parameters = new Map<string, string>();
  for (let at = type.length; at < header.length; at = parameter.lastIndex) {
    parameter.lastIndex = at;
    const [, name = "", quoted, token = ""] = parameter.exec(header) ?? [];
    const key = name.toLowerCase();
    if (key === "" || parameters.has(key)) return undefined;
    parameters.set(key, quoted ?? token);
  }
  return parameters;
}

const parameter = /[ \t]*;[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"([^"]*)"|([^\s";]+))[ \t]*(?=;|$)/y;

/** Browsers escape quotes and line breaks of names like this. */
function unescape(text: string): string {
  return text.replaceAll(/%(0A|0D|22)/gi, decodeURIComponent);
}
