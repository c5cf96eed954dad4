import type { Domain, DomainRecord } from "@cloud-compute/server";
import { describe, expect, test } from "vitest";
import { checkZone, checkzone } from "./bind.support.js";
import { renderZone } from "./zone.js";

const date = "2026-01-02T03:04:05Z";

interface Source extends Domain {
  readonly serial: number;
}

function domain(fields: Partial<Source> = {}): Source {
  return {
    id: 1234,
    domain: "example.com",
    type: "master",
    status: "active",
    soa_email: "admin@example.com",
    description: "",
    group: "",
    tags: [],
    master_ips: [],
    axfr_ips: [],
    refresh_sec: 0,
    retry_sec: 300,
    expire_sec: 604_800,
    ttl_sec: 300,
    created: date,
    updated: date,
    errors: "",
    serial: 2_026_010_200,
    ...fields,
  };
}

type Some = Partial<DomainRecord> & Pick<DomainRecord, "type" | "target">;

function records(some: readonly Some[]): DomainRecord[] {
  const unused = { priority: 0, weight: 0, port: 0, service: null, protocol: null, tag: null, ttl_sec: 0 } as const;
  return some.map((each, index) => ({ id: index + 1, name: "", ...unused, created: date, updated: date, ...each }));
}

/** The lines of records in `example.com`. */
function lines(some: readonly Some[]): string[] {
  return renderZone(domain(), records(some)).lines.slice(head.length);
}

const head = [
  "; example.com [1234]",
  "$TTL 300",
  "@ IN SOA ns1.cloud-compute.example. admin.example.com. 2026010200 14400 300 604800 300",
  "@ IN NS ns1.cloud-compute.example.",
  "@ IN NS ns2.cloud-compute.example.",
];

/** One record of each type, and special cases. */
const all: readonly (readonly [Some, line: string])[] = [
  [{ type: "A", name: "www", target: "192.0.2.7", ttl_sec: 3600 }, "www 3600 IN A 192.0.2.7"],
  [{ type: "A", target: "192.0.2.7" }, "@ IN A 192.0.2.7"],
  [{ type: "A", name: "*.deep", target: "192.0.2.7" }, "*.deep IN A 192.0.2.7"],
  [{ type: "A", name: "whole.example.com", target: "192.0.2.7" }, "whole IN A 192.0.2.7"],
  [{ type: "A", name: "period.EXAMPLE.com.", target: "192.0.2.7" }, "period IN A 192.0.2.7"],
  [{ type: "AAAA", name: "six", target: "2001:db8::7" }, "six IN AAAA 2001:db8::7"],
  [{ type: "AAAA", name: "mapped", target: "::ffff:192.0.2.7" }, "mapped IN AAAA ::ffff:192.0.2.7"],
  [{ type: "NS", name: "sub", target: "ns.example.net" }, "sub IN NS ns.example.net."],
  [{ type: "NS", target: "www" }, "@ IN NS www"],
  [{ type: "MX", target: "mail.example.net.", priority: 10 }, "@ IN MX 10 mail.example.net."],
  [{ type: "CNAME", name: "ftp", target: "www" }, "ftp IN CNAME www"],
  [{ type: "PTR", name: "0/25", target: "host.example.net" }, "0/25 IN PTR host.example.net."],
  [
    { type: "SRV", target: "sip.example.net", priority: 1, weight: 2, port: 3, service: "_sip.", protocol: "_tcp" },
    "_sip._tcp IN SRV 1 2 3 sip.example.net.",
  ],
  [{ type: "SRV", target: "a.b", protocol: "_tcp" }, "_tcp IN SRV 0 0 0 a.b."],
  [{ type: "SRV", target: "a.b", service: "_sip." }, "_sip IN SRV 0 0 0 a.b."],
  [{ type: "SRV", target: "a.b" }, "@ IN SRV 0 0 0 a.b."],
  [{ type: "TXT", target: "v=spf1 -all" }, '@ IN TXT "v=spf1 -all"'],
  [{ type: "TXT", target: 'say "a\\b"; ü\n$TTL' }, '@ IN TXT "say \\"a\\\\b\\"; \\195\\188\\010$TTL"'],
  [{ type: "TXT", name: "long", target: "x".repeat(255) + "y" }, `long IN TXT "${"x".repeat(255)}" "y"`],
  [{ type: "TXT", name: "just", target: "x".repeat(255) }, `just IN TXT "${"x".repeat(255)}"`],
  [{ type: "CAA", target: "ca.example", tag: "issue" }, '@ IN CAA 0 issue "ca.example"'],
  [{ type: "CAA", target: "ca.example", tag: "issuewild" }, '@ IN CAA 0 issuewild "ca.example"'],
  [
    { type: "CAA", target: 'https://example.com/"?ü', tag: "iodef" },
    '@ IN CAA 0 iodef "https://example.com/\\"?\\195\\188"',
  ],
];

describe("a zone", () => {
  test("starts with its SOA record and the nameservers of the platform", () => {
    expect(renderZone(domain(), [])).toEqual({ lines: head, problems: [] });
  });

  test("has the defaults for seconds of 0", () => {
    const zero = domain({ refresh_sec: 0, retry_sec: 0, expire_sec: 0, ttl_sec: 0 });
    expect(renderZone(zero, []).lines.slice(1, 3)).toEqual([
      "$TTL 86400",
      "@ IN SOA ns1.cloud-compute.example. admin.example.com. 2026010200 14400 14400 1209600 86400",
    ]);
  });

  test.each(all)("has a line of %j", (record, line) => {
    expect(lines([{ type: "A", name: "www", target: "192.0.2.1" }, record]).at(-1)).toBe(line);
  });

  test("has its email address in the format of a name", () => {
    const mailbox = (soa_email: string): string | undefined =>
      renderZone(domain({ soa_email }), []).lines[2]?.split(" ")[4];
    expect(mailbox("first.last@example.com")).toBe("first\\.last.example.com.");
    expect(mailbox("o'neill+dns@example.com")).toBe("o'neill+dns.example.com.");
    expect(mailbox('"a \\"b;@"@example.com')).toBe("a\\032\\034b\\059\\064.example.com.");
    expect(mailbox("")).toBe("hostmaster.example.com.");
  });

  test("of a slave has a line for its master", () => {
    const slave = domain({ type: "slave", soa_email: "", master_ips: ["192.0.2.1", "2001:db8::1"] });
    expect(renderZone(slave, []).lines[1]).toBe("; slave of 192.0.2.1, 2001:db8::1");
  });
});

describe("a zone leaves out and reports", () => {
  const a: Some = { type: "A", name: "www", target: "192.0.2.7" };
  const text = (target: string): Some => ({ type: "TXT", name: "t", target });

  test.each<[what: string, first: Some, second: Some, problem: string]>([
    [
      "an alias beside others",
      a,
      { type: "CNAME", name: "WWW", target: "a.b" },
      "record 2 (CNAME WWW): an alias has no other records beside it",
    ],
    [
      "others beside an alias",
      { type: "CNAME", name: "www", target: "a.b" },
      a,
      "record 2 (A www): there is an alias of this name",
    ],
    [
      "a second alias",
      { type: "CNAME", name: "www", target: "a.b" },
      { type: "CNAME", name: "www", target: "c.d" },
      "record 2 (CNAME www): an alias has no other records beside it",
    ],
    [
      "an alias of the domain",
      a,
      { type: "CNAME", name: "example.com", target: "a.b" },
      "record 2 (CNAME example.com): an alias has no other records beside it",
    ],
    [
      "a name elsewhere",
      a,
      { type: "A", name: "www.example.net.", target: "192.0.2.7" },
      "record 2 (A www.example.net.): its name is none of this zone",
    ],
    [
      "a name with an empty label",
      a,
      { type: "A", name: "a..b", target: "192.0.2.7" },
      "record 2 (A a..b): its name is none of this zone",
    ],
    [
      "a long label",
      a,
      { type: "A", name: "x".repeat(64), target: "192.0.2.7" },
      `record 2 (A ${"x".repeat(64)}): its name is none of this zone`,
    ],
    [
      "a delegated wildcard",
      a,
      { type: "NS", name: "*", target: "a.b" },
      "record 2 (NS *): a wildcard cannot be delegated",
    ],
    [
      "a nameserver without an address",
      a,
      { type: "NS", target: "ns.example.com" },
      "record 2 (NS @): its nameserver is within this zone and has no address there",
    ],
    [
      "a nameserver that is an alias",
      { type: "CNAME", name: "ns", target: "a.b" },
      { type: "NS", target: "ns" },
      "record 2 (NS @): its nameserver is within this zone and has no address there",
    ],
    [
      "a long text",
      a,
      text("x".repeat(65_100)),
      "record 2 (TXT t): with the others of its name and type it is too large",
    ],
    [
      "texts that are long together",
      text("x".repeat(40_000)),
      text("y".repeat(40_000)),
      "record 2 (TXT t): with the others of its name and type it is too large",
    ],
    [
      "a long host",
      a,
      { type: "MX", target: `${"x.".repeat(126)}xx` },
      "record 2 (MX @): its target is no name of the DNS",
    ],
  ])("%s", (_, first, second, problem) => {
    const { lines: found, problems } = renderZone(domain(), records([first, second]));
    expect(problems).toEqual([problem]);
    expect(found).toHaveLength(head.length + 1);
    if (checkzone !== undefined) expect(checkZone("example.com", found)).toMatch(/^OK$/m);
  });

  test("no repeated record", () => {
    const { lines: found, problems } = renderZone(domain(), records([a, { ...a, ttl_sec: 300 }]));
    expect([found.length, problems]).toEqual([head.length + 1, []]);
  });

  test("no nameserver whose address is that of a wildcard", () => {
    const wild: Some = { type: "A", name: "*.ns", target: "192.0.2.7" };
    const some = [wild, { type: "NS", target: "a.ns" }, { type: "NS", target: "b.other" }] as const;
    const { lines: found, problems } = renderZone(domain(), records(some));
    expect(problems).toEqual([]);
    if (checkzone !== undefined) expect(checkZone("example.com", found)).toMatch(/^OK$/m);
  });

  test("an invalid zone name", () => {
    expect(renderZone(domain({ domain: "*.example.com" }), []).problems).toEqual([
      "*.example.com: nameservers load no zone whose name begins with an asterisk",
    ]);
    const label = "a".repeat(61);
    const long = `${label}.${label}.${label}.${label}`;
    expect(renderZone(domain({ domain: `${long}.examp` }), []).problems).toEqual([]);
    expect(renderZone(domain({ domain: `${long}.example` }), []).problems).toHaveLength(1);
  });

  test("an email address that is too long for a name", () => {
    const { problems } = renderZone(domain({ soa_email: `${"a".repeat(64)}@example.com` }), []);
    expect(problems).toEqual([`soa_email: ${"a".repeat(64)}@example.com is too long for an SOA record`]);
  });
});

describe.skipIf(checkzone === undefined)("named-checkzone, if this machine has it,", () => {
  test("accepts a zone of all types of records", () => {
    const some = all.map(([record]) => record);
    const { lines: found, problems } = renderZone(domain(), records(some));
    expect(problems).toEqual([]);
    expect(checkZone("example.com", found)).toMatch(/loaded serial 2026010200\nOK$/);
  });

  test.each([
    domain({ soa_email: '"a \\"b;@"@[192.0.2.1]' }),
    domain({ soa_email: "first.last@example.com" }),
    domain({ soa_email: `${"a".repeat(64)}@example.com` }),
    domain({ domain: "_under.xn--bcher-kva.example", soa_email: "" }),
    domain({ type: "slave", soa_email: "", master_ips: ["192.0.2.1"], serial: 2 ** 32 - 1 }),
    domain({ domain: `${"a".repeat(63)}.${"a".repeat(63)}.${"a".repeat(63)}.${"a".repeat(57)}.com` }),
  ])("accepts the zone of $domain for $soa_email", (of) => {
    const { lines: found } = renderZone(of, records([{ type: "MX", target: "" }]));
    expect(checkZone(of.domain, found)).toMatch(/\nOK$/);
  });

  test("accepts a text of the maximum length", () => {
    const { lines: found, problems } = renderZone(domain(), records([{ type: "TXT", target: "ü".repeat(32_490) }]));
    expect(problems).toEqual([]);
    expect(checkZone("example.com", found)).toMatch(/\nOK$/);
  });

  test("rejects an invalid zone", () => {
    expect(checkZone("example.com", [...head, "www IN CNAME a.", "www IN A 192.0.2.7"])).toMatch(/not loaded/);
  });
});
