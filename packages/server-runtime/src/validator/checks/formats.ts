/** Formats of JSON Schema, exactly as in their RFCs. */

const date = /^(\d{4})-(\d\d)-(\d\d)$/;
const time = /^(\d\d):(\d\d):(\d\d)(\.\d{1,20})?(?:z|([+-])(\d\d):(\d\d))$/i;

/** RFC 3339, such as `2026-02-28T23:59:59Z`. Requires `T` and an offset. */
export function isDateTime(text: string): boolean {
  return text.length > 19 && /^t$/i.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

/** RFC 3339 `full-date`, such as `2026-02-28`. The day has to exist. */
export function isDate(text: string): boolean {
  const [, year, month, day] = date.exec(text) ?? [];
  if (year === undefined) return false;
  return Number(day) >= 1 && Number(day) <= daysOf(Number(year), Number(month));
}

/** RFC 3339 `full-time`, with an offset. Second 60 is valid only at the end of a day in UTC, where leap seconds occur. */
export function isTime(text: string): boolean {
  const [, hours, minutes, seconds, , sign, offsetHours = "0", offsetMinutes = "0"] = time.exec(text) ?? [];
  if (hours === undefined) return false;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(offsetHours) > 23 || Number(offsetMinutes) > 59)
    return false;
  if (Number(seconds) < 60) return true;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === "-" ? -1 : 1);
  return Number(seconds) === 60 && (Number(hours) * 60 + Number(minutes) - offset + 2880) % 1440 === 1439;
}

/** An ISO 8601 duration, such as `P1DT12H`. */
export function isDuration(text: string): boolean {
  return /^P(?!$)(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?!$)(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/.test(
    text,
  );
}

/** RFC 5321: `local@domain` in ASCII, with a dot-atom or a quoted local part, at most 254 characters. */
export function isEmail(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text) && isMailbox(text, isHostname);
}

/** RFC 6531: like `isEmail`, with letters of every script, also in the domain. */
export function isIdnEmail(text: string): boolean {
  return isMailbox(text, (domain) => domain.length <= 253 && idnDomain.test(domain));
}

const idnDomain =
  /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?)*$/u;

function isMailbox(text: string, isDomain: (domain: string) => boolean): boolean {
  const at = text.lastIndexOf("@");
  if (at < 1 || at > 64 || text.length > 254) return false;
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  const isLocal = /^[^\s"(),:;<>@[\\\]\p{Cc}\p{Cs}]+$/u.test(local)
    ? !local.startsWith(".") && !local.endsWith(".") && !local.includes("..")
    : /^"(?:[^"\\\p{Cc}\p{Cs}]|\\[^\p{Cc}\p{Cs}])*"$/u.test(local);
  if (!isLocal) return false;
  if (!domain.startsWith("[")) return isDomain(domain);
  const literal = domain.endsWith("]") ? domain.slice(1, -1) : "";
  return /^ipv6:/i.test(literal) ? isIpv6(literal.slice(5)) : isIpv4(literal);
}

/** Labels of 1 to 63 letters, digits and hyphens; at most 253 characters in total. */
export function isHostname(text: string): boolean {
  return (
    text.length <= 253 &&
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i.test(text)
  );
}

/** Four decimal numbers up to 255, without leading zeros. */
export function isIpv4(text: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text);
}

/** RFC 4291: eight groups of hexadecimal digits. `::` abbreviates zero groups, and an IPv4 address may replace the last two. No zone. */
export function isIpv6(text: string): boolean {
  if (text.length > 45 || !/^[0-9a-f:.]+$/i.test(text)) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [index, half] of halves.entries()) {
    if (half === "") continue;
    const parts = half.split(":");
    const last = parts.at(-1) ?? "";
    if (last.includes(".")) {
      if (index < halves.length - 1 || !isIpv4(last)) return false;
      parts.pop();
      groups += 2;
    }
    if (!parts.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return false;
    groups += parts.length;
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}

/** RFC 3986: a URI with a scheme. */
export function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && isUriReference(text);
}

export function isUriReference(text: string): boolean {
  const [, scheme, authority, path = "", rest = ""] =
    /^([a-z][a-z0-9+.-]*:)?(?:\/\/([^/?#]*))?([^?#]*)(.*)$/is.exec(text) ?? [];
  if (authority !== undefined && !isAuthority(authority)) return false;
  if (scheme === undefined && authority === undefined && /^[^/]*:/.test(path)) return false;
  return isUriText(path, /^[\w\-.~!$&'()*+,;=:@/]*$/) && isUriText(rest.replace("#", ""), /^[\w\-.~!$&'()*+,;=:@/?]*$/);
}

function isAuthority(text: string): boolean {
  const parts = /^(?:([^@]*)@)?(\[[^\]]*\]|[^:@[\]]*)(?::\d*)?$/.exec(text);
  if (parts === null) return false;
  const [, user, host = ""] = parts;
  if (user !== undefined && !isUriText(user, /^[\w\-.~!$&'()*+,;=:]*$/)) return false;
  return host.startsWith("[") ? isIpLiteral(host.slice(1, -1)) : isUriText(host, /^[\w\-.~!$&'()*+,;=]*$/);
}

/** The content of the brackets of a host: an IPv6 address, or the syntax of later versions. */
function isIpLiteral(text: string): boolean {
  return isIpv6(text) || /^v[0-9a-f]+\.[\w\-.~!$&'()*+,;=:]+$/i.test(text);
}

/** Whether a text has only these characters and complete percent escapes. */
function isUriText(text: string, characters: RegExp): boolean {
  return characters.test(text.includes("%") ? text.replaceAll(/%[0-9a-f]{2}/gi, "") : text);
}

/** RFC 4122: 32 hexadecimal digits in groups, without `urn:uuid:`. */
export function isUuid(text: string): boolean {
  return text.length === 36 && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

/** RFC 6901: `~` has to be followed by 0 or 1. */
export function isJsonPointer(text: string): boolean {
  return /^(?:\/(?:[^/~]|~[01])*)*$/.test(text);
}

export function isRegex(text: string): boolean {
  try {
    return new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

/** RFC 4648 with padding. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : month >= 1 && month <= 12 ? 31 : 0;
}
