import { describe, expect, test } from "vitest";
import {
  isBase64,
  isDate,
  isDateTime,
  isDuration,
  isEmail,
  isHostname,
  isIdnEmail,
  isIpv4,
  isIpv6,
  isJsonPointer,
  isRegex,
  isTime,
  isUri,
  isUriReference,
  isUuid,
} from "./formats.js";

/** Valid and almost valid values of each format. The test suite of JSON Schema has more. */
const table: readonly (readonly [check: (text: string) => boolean, of: readonly string[], not: readonly string[]])[] = [
  [
    isDateTime,
    ["2026-01-31T12:00:00Z", "2026-01-31t12:00:00.5z", "2016-12-31T23:59:60Z", "2024-02-29T00:00:00-12:30"],
    [
      "2026-01-31 12:00:00Z",
      "2026-01-31T12:00:00",
      "2026-02-29T12:00:00Z",
      "2026-01-31T12:00:60Z",
      "2026-01-31T12:00Z",
    ],
  ],
  [
    isDate,
    ["2024-02-29", "2000-02-29", "0000-01-01"],
    ["2023-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-1-1", "2026-01-01\n", "２026-01-01"],
  ],
  [
    isTime,
    ["12:00:00Z", "23:59:60Z", "15:59:60-08:00", "00:29:60+00:30", "12:00:00.123456789+14:00"],
    ["12:00:00", "24:00:00Z", "12:60:00Z", "12:00:60Z", "12:00:00+24:00", "12:00:00+01", "12:00Z", "12:00:00.Z"],
  ],
  [
    isDuration,
    ["PT30S", "P1Y2M3DT4H5M6S", "P2W", "P0D"],
    ["", "P", "PT", "P1YT", "30", "PT1.5S", "P1Y1W", "P1YT1H1S", "-PT1S", "pt30s"],
  ],
  [
    isEmail,
    ["a@b", "a.b+c@example.com", '"a b"@example.com', "a@[127.0.0.1]", "a@[IPv6:::1]", `${"a".repeat(64)}@example.com`],
    ["a", "@b", "a@", ".a@b", "a..b@c", "a@b@c", "a b@c", "é@example.com", "a@[::1]", "a@-b", `${"a".repeat(65)}@b`],
  ],
  [isIdnEmail, ["é@example.com", "a@bücher.example", "a@b"], ["a", "a@bücher-.example", "\ud800@b", "a@b_c"]],
  [
    isHostname,
    ["a", "example.com", "xn--bcher-kva.example", "1.2.3.4", `${"a".repeat(63)}.b`],
    ["", ".", "a.", "a..b", "-a", "a-", "a_b", "bücher", `${"a".repeat(64)}.b`, "a.".repeat(127)],
  ],
  [
    isIpv4,
    ["0.0.0.0", "255.255.255.255", "192.168.0.1"],
    ["", "1.2.3", "1.2.3.4.", "1.2.3.4.5", "256.0.0.0", "01.2.3.4", "1.2.3.4\n", "1.2.3.4/8", "0x1.2.3.4"],
  ],
  [
    isIpv6,
    ["::", "::1", "1::", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1::3:4:5:6:7:8"],
    [
      "",
      ":",
      ":::",
      "1::2::3",
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7::8:9",
      "12345::",
      "fe80::1%eth0",
      "[::1]",
      "1.2.3.4::",
      "::1.2.3",
    ],
  ],
  [
    isUri,
    [
      "https://a.example/b?c=d#e",
      "urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380",
      "http://[::1]:80/",
      "a:",
      "http://a:/",
    ],
    [
      "//a.example",
      "/a",
      "",
      "http://a b",
      "http://a/%zz",
      "http://[::1",
      "http://a:b/",
      "1a:b",
      "http://a/é",
      "http://a/{b}",
    ],
  ],
  [
    isUriReference,
    ["", "a", "/a", "?a", "#a", "//a/b", "./a:b", "a%20b"],
    ["a b", "1:b", "#a#b", "\\a", "//[v1]", "a%2"],
  ],
  [
    isUuid,
    [
      "2eb8aa08-aa98-11ea-b4aa-73b441d16380",
      "00000000-0000-0000-0000-000000000000",
      "2EB8AA08-AA98-11EA-B4AA-73B441D16380",
    ],
    [
      "",
      "urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380",
      "2eb8aa08aa9811eab4aa73b441d16380",
      "{2eb8aa08-aa98-11ea-b4aa-73b441d1638}",
    ],
  ],
  [isJsonPointer, ["", "/", "/a/0", "/~0~1", "/é"], ["a", "#/a", "/~", "/~2"]],
  [isRegex, ["", "^a+$", "\\p{L}", "[^]"], ["(", "a**", "[b-a]", "\\a", "\\p{Nothing}"]],
  [isBase64, ["", "YQ==", "YWI=", "YWJj", "+/+/"], ["YQ", "YQ=", "Y===", "YQ==\n", "Y-_j", "YQ==YQ=="]],
];

describe.each(table.map((row) => [row[0].name, ...row] as const))("%s", (_, check, of, not) => {
  test.each(of)("%j", (text) => {
    expect(check(text)).toBe(true);
  });

  test.each(not)("not %j", (text) => {
    expect(check(text)).toBe(false);
  });
});
