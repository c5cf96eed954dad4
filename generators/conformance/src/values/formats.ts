import { isIPv4, isIPv6 } from "node:net";

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
export function matchesFormat(format: string, text: string): boolean {
  const isValid = formats[format];
  return isValid === undefined || isValid(text);
}

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  ipv4: isIPv4,
  ipv6: isIPv6,
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

function isHost(text: string): boolean {
  return text.length <= 253 && text.split(".").every((label) => /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/.test(label));
}

function isDate(text: string): boolean {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
