import { ownValue } from "../../model/index.js";

/** Valid texts of a format, and invalid ones that look similar. */
export interface FormatSamples {
  readonly valid: Readonly<Record<string, string>>;
  readonly invalid: Readonly<Record<string, string>>;
}

export const formatSamples: Readonly<Record<string, FormatSamples>> = {
  ipv4: {
    valid: { documentation: "192.0.2.1", highest: "255.255.255.255" },
    invalid: {
      "part-above-255": "192.0.2.256",
      "three-parts": "192.0.2",
      "leading-zero": "192.0.02.1",
      "trailing-period": "192.0.2.1.",
      "trailing-text": "192.0.2.1x",
      "an-ipv6-address": "2001:db8::1",
      "prefix-length": "192.0.2.0/24",
      text: "not an address",
    },
  },
  ipv6: {
    valid: { compressed: "2001:db8::1", full: "2001:db8:0:0:0:0:0:1" },
    invalid: {
      "two-compressions": "2001::db8::1",
      "trailing-period": "2001:db8::1.",
      "nine-groups": "2001:db8:0:0:0:0:0:0:1",
      "five-digits": "2001:db8::12345",
      "an-ipv4-address": "192.0.2.1",
      text: "not an address",
    },
  },
  email: {
    valid: { plain: "someone@example.com", tagged: "some.one+tag@mail.example.com" },
    invalid: {
      "no-at": "someone.example.com",
      "no-domain": "someone@",
      "no-name": "@example.com",
      space: "some one@example.com",
      "two-ats": "some@one@example.com",
    },
  },
  "date-time": {
    valid: { utc: "2026-02-28T23:59:59Z" },
    invalid: {
      "date-alone": "2026-02-28",
      "no-such-month": "2026-13-01T00:00:00Z",
      "no-such-day": "2026-02-30T00:00:00Z",
      "no-such-hour": "2026-02-28T25:00:00Z",
      text: "tomorrow",
    },
  },
  date: {
    valid: { plain: "2026-02-28" },
    invalid: { "no-such-month": "2026-13-01", "no-such-day": "2026-02-30", text: "tomorrow" },
  },
  hostname: {
    valid: { plain: "host.example.com", digits: "1.example.com" },
    invalid: {
      "leading-hyphen": "-host.example.com",
      space: "host example.com",
      underscore: "host_name.example.com",
      "empty-label": "host..example.com",
      "label-of-64": `${"a".repeat(64)}.example.com`,
    },
  },
  uri: {
    valid: { https: "https://example.com/a" },
    invalid: { relative: "/a", space: "https://example.com/a b", "no-scheme": "example.com" },
  },
  uuid: {
    valid: { plain: "0f8fad5b-d9cb-469f-a165-70867728950e" },
    invalid: { short: "0f8fad5b-d9cb-469f-a165-70867728950", "no-hex": "0f8fad5b-d9cb-469f-a165-70867728950g" },
  },
};

/** True for a valid text of the format, and for any text of an unknown format. */
export function isOfFormat(format: string, text: string): boolean {
  return (ownValue(testedFormats, format) ?? ownValue(otherFormats, format))?.(text) ?? true;
}

/** Texts of a format: the usual one, short ones, and one of at least a length. None for an unknown format. */
export function formatTexts(format: string, length: number): readonly string[] {
  const usual = ownValue(usualTexts, format);
  return usual === undefined ? [] : [...usual.texts, ...(usual.ofLength === undefined ? [] : [usual.ofLength(length)])];
}

interface FormatTexts {
  readonly texts: readonly string[];
  readonly ofLength?: (length: number) => string;
}

const host: FormatTexts = {
  texts: ["host.example.com", "a"],
  ofLength: (length) => `${"a.".repeat(Math.max(0, Math.ceil((length - 11) / 2)))}example.com`,
};
const address: FormatTexts = { texts: ["https://example.com/", "a:b"], ofLength: padded("https://example.com/") };
const path: FormatTexts = { texts: ["/a", "a"], ofLength: padded("/a") };
const mail: FormatTexts = {
  texts: ["ann@example.com", "a@b.co", "a@b"],
  ofLength: (length) =>
    length <= 76 ? `${"a".repeat(Math.max(1, length - 12))}@example.com` : `a@${host.ofLength?.(length - 2) ?? ""}`,
};

const usualTexts: Readonly<Record<string, FormatTexts>> = {
  "date-time": {
    texts: ["2026-01-31T12:00:00Z"],
    ofLength: (length) => `2026-01-31T12:00:00.${"0".repeat(Math.max(1, length - 21))}Z`,
  },
  date: { texts: ["2026-01-31"] },
  time: { texts: ["12:00:00Z"], ofLength: (length) => `12:00:00.${"0".repeat(Math.max(1, length - 10))}Z` },
  duration: { texts: ["PT1H"], ofLength: (length) => `PT${"1".repeat(Math.max(1, length - 3))}H` },
  email: mail,
  "idn-email": mail,
  hostname: host,
  "idn-hostname": host,
  ipv4: { texts: ["192.0.2.1", "1.1.1.1", "192.168.100.100"] },
  ipv6: { texts: ["2001:db8::1", "::1", "2001:0db8:0000:0000:0000:0000:0000:0001"] },
  uri: address,
  url: address,
  iri: address,
  "uri-reference": path,
  "iri-reference": path,
  "uri-template": { texts: ["/{id}", "a"], ofLength: padded("/{id}") },
  uuid: { texts: ["123e4567-e89b-42d3-a456-426614174000"] },
  byte: { texts: ["AAEC"], ofLength: (length) => "AAEC".repeat(Math.max(1, Math.ceil(length / 4))) },
  "json-pointer": { texts: ["/a", ""], ofLength: padded("/a") },
  "relative-json-pointer": { texts: ["0"], ofLength: padded("0/") },
  regex: { texts: ["^a$", "a"], ofLength: padded("a") },
};

function padded(start: string): (length: number) => string {
  return (length) => start.padEnd(length, "a");
}

const testedFormats: Readonly<Record<string, (text: string) => boolean>> = {
  ipv4: isIpv4,
  ipv6: isIpv6,
  email: (text) =>
    /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[^\s@]+$/.test(text) && isHost(text.slice(text.lastIndexOf("@") + 1)),
  hostname: isHost,
  "date-time": (text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(text) &&
    isDate(text.slice(0, 10)) &&
    !Number.isNaN(Date.parse(text)),
  date: isDate,
  uri: (text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text),
  uuid: (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
};

const otherFormats: Readonly<Record<string, (text: string) => boolean>> = {
  time: (text) => /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.test(text),
  duration: (text) => /^P(?!$)((\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?|(\d+W)?)$/.test(text),
  byte: (text) => text.length % 4 === 0 && /^[\w+/]+={0,2}$/.test(text) && !text.includes("_"),
  "uri-reference": isReference,
  "iri-reference": isReference,
  "uri-template": (text) => !/[\s"<>\\^`|]|\{[^}\w]|\{[^{}]*$|\{\}/.test(text),
  "idn-email": (text) => testedFormats["email"]?.(text) === true,
  "idn-hostname": isHost,
  url: (text) => /^https?:\/\/[\w.-]+(\/[\w./-]*)?$/.test(text),
  iri: (text) => testedFormats["uri"]?.(text) === true,
  "json-pointer": (text) => /^(\/([^~/]|~[01])*)*$/.test(text),
  "relative-json-pointer": (text) => /^(0|[1-9]\d*)(#|(\/([^~/]|~[01])*)*)$/.test(text),
  regex: isExpression,
};

function isReference(text: string): boolean {
  return /^[\w./~-]*$/.test(text);
}

function isExpression(text: string): boolean {
  try {
    return new RegExp(text, "u").source !== "";
  } catch {
    return false;
  }
}

function isIpv4(text: string): boolean {
  return /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/.test(text);
}

function isIpv6(text: string): boolean {
  const [head = "", tail, ...more] = text.split("::");
  if (more.length > 0 || text === "") return false;
  const groups = (part: string): readonly string[] => (part === "" ? [] : part.split(":"));
  const all = [...groups(head), ...groups(tail ?? "")];
  const last = all.at(-1) ?? "";
  const embedded = isIpv4(last) && !(tail === undefined && head === last) ? 1 : 0;
  const plain = embedded === 1 ? all.slice(0, -1) : all;
  const count = all.length + embedded;
  return plain.every((group) => /^[\da-f]{1,4}$/i.test(group)) && (tail === undefined ? count === 8 : count < 8);
}

function isHost(text: string): boolean {
  return text.length <= 253 && text.split(".").every((label) => /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/.test(label));
}

function isDate(text: string): boolean {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
