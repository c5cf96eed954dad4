import * as api from "@cloud-compute/client";
import type { Answer } from "dns-packet";
import { describe, expect, test } from "vitest";
import { findNamed, startNamed, checkZone, checkzone } from "../../dns/bind.support.js";
import { address, handsOver, nameserver, zoneWith } from "../../dns/nameserver.support.js";
import { failure, start } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

const base = { class: "IN", ttl: 300 } as const;

/** Records that the API supports, and how it returns them. */
const fit: readonly (readonly [Answer, Partial<api.DomainRecord>])[] = [
  [address("example.com"), { type: "A", name: "", target: "192.0.2.7", ttl_sec: 300 }],
  [address("WWW.Example.COM", "192.0.2.8", 5400), { type: "A", name: "WWW", ttl_sec: 7200 }],
  [address("*.a.b.example.com", "192.0.2.9", 0), { name: "*.a.b", ttl_sec: 300 }],
  [
    { ...base, type: "AAAA", name: "example.com", data: "2001:db8::7" },
    { type: "AAAA", target: "2001:db8::7" },
  ],
  [
    { ...base, type: "NS", name: "sub.example.com", data: "ns.sub.example.com" },
    { type: "NS", name: "sub" },
  ],
  [
    { ...base, type: "MX", name: "example.com", data: { preference: 255, exchange: "mail.example.net" } },
    { type: "MX", target: "mail.example.net", priority: 255 },
  ],
  [
    { ...base, type: "CNAME", name: "ftp.example.com", data: "com" },
    { type: "CNAME", name: "ftp", target: "com." },
  ],
  [
    { ...base, type: "PTR", name: "7.example.com", data: "a.b" },
    { type: "PTR", name: "7", target: "a.b" },
  ],
  [
    { ...base, type: "TXT", name: "example.com", data: [Buffer.from("one ü"), Buffer.from("\\two")] },
    { type: "TXT", target: "one ü\\two" },
  ],
  [
    { ...base, type: "SRV", name: "_sip._tcp.example.com", data: { priority: 1, weight: 2, port: 3, target: "a.b" } },
    { type: "SRV", name: "", service: "_sip.", protocol: "_tcp", priority: 1, weight: 2, port: 3, target: "a.b" },
  ],
  [
    { ...base, type: "SRV", name: "_tcp.example.com", data: { priority: 1, weight: 2, port: 3, target: "a.b" } },
    { type: "SRV", name: "", service: null, protocol: "_tcp" },
  ],
  [
    { ...base, type: "CAA", name: "example.com", data: { flags: 0, tag: "issue", value: "ca.example" } },
    { type: "CAA", tag: "issue", target: "ca.example" },
  ],
  [
    { ...base, type: "CAA", name: "example.com", data: { flags: 0, tag: "issuewild", value: "ca.example" } },
    { type: "CAA", tag: "issuewild", target: "ca.example" },
  ],
  [
    { ...base, type: "CAA", name: "example.com", data: { flags: 0, tag: "iodef", value: "mailto:me@example.com" } },
    { type: "CAA", tag: "iodef", target: "mailto:me@example.com" },
  ],
];

/** Records that the API does not support, or that an import leaves out. */
const unfit: readonly Answer[] = [
  { ...base, type: "NS", name: "example.com", data: "ns.example.com" },
  { ...base, type: "NS", name: "EXAMPLE.com", data: "ns.example.net" },
  address("www.example.net"),
  address("wwwexample.com"),
  address("a b.example.com"),
  address(`${"a".repeat(50)}.${"b".repeat(50)}.example.com`),
  { ...address("chaos.example.com"), class: "CH" } as Answer,
  { ...base, type: "MX", name: "example.com", data: { preference: 256, exchange: "mail.example.net" } },
  { ...base, type: "MX", name: "example.com", data: { preference: 0, exchange: "." } },
  { ...base, type: "MX", name: "x.example.com", data: { preference: 0, exchange: "-a.b" } },
  { ...base, type: "TXT", name: "example.com", data: [Buffer.of(0xff, 0xfe)] },
  { ...base, type: "TXT", name: "example.com", data: [Buffer.alloc(0)] },
  { ...base, type: "SRV", name: "_sip._tcp.sub.example.com", data: { priority: 1, port: 3, target: "a.b" } },
  { ...base, type: "SRV", name: "sip.example.com", data: { priority: 1, port: 3, target: "a.b" } },
  { ...base, type: "SRV", name: "_sip._tcp.example.com", data: { priority: 256, port: 3, target: "a.b" } },
  { ...base, type: "SRV", name: "_sip._tcp.example.com", data: { priority: 0, port: 3, target: "." } },
  { ...base, type: "CAA", name: "example.com", data: { flags: 0, tag: "issue", value: ";" } },
  { ...base, type: "CAA", name: "example.com", data: { flags: 0, tag: "contactemail" as "issue", value: "a@b.c" } },
  { ...base, type: "HINFO", name: "example.com", data: { cpu: "a", os: "b" } },
  { ...base, type: "SSHFP", name: "example.com", data: { algorithm: 4, hash: 2, fingerprint: "ab".repeat(32) } },
];

describe("an import", () => {
  test("creates a master with the values of the SOA record, and the supported records", async () => {
    const { admin, settle } = await start();
    const records = [...fit.map(([answer]) => answer), ...unfit];
    const remote_nameserver = await nameserver(handsOver(zoneWith(records), 3));
    const domain = await api.importDomain(admin, { body: { domain: "example.com", remote_nameserver } });
    expect(domain).toEqual({
      id: 1,
      domain: "example.com",
      type: "master",
      status: "active",
      soa_email: "first.last@example.com",
      description: "",
      group: "",
      tags: [],
      master_ips: [],
      axfr_ips: [],
      refresh_sec: 300,
      retry_sec: 300,
      expire_sec: 3600,
      ttl_sec: 0,
      created: domain.created,
      updated: domain.created,
      errors: "",
    });
    const { data } = await api.listDomainRecords(admin, { path: { domainId: 1 } });
    expect(data).toHaveLength(fit.length);
    for (const [index, [, expected]] of fit.entries()) expect(data[index]).toMatchObject(expected);
    for (const { id, created: _c, updated: _u, ...body } of data) {
      const path = { domainId: 1, recordId: id };
      expect(await api.updateDomainRecord(admin, { path, body: body as api.DomainRecordUpdate })).toEqual(data[id - 1]);
    }
    expect((await api.listEvents(admin)).data).toMatchObject([
      { action: "dns_zone_import", username: "admin", entity: { id: 1, label: "example.com", type: "domain" } },
    ]);
    expect(await settle()).toBe(1);
    expect((await api.getZoneFile(admin, { path: { domainId: 1 } })).zone_file).toHaveLength(fit.length + 5);
  });

  test("imports a null MX that stands alone", async () => {
    const { admin } = await start();
    const none: Answer = { ...base, type: "MX", name: "example.com", data: { preference: 0, exchange: "." } };
    const remote_nameserver = await nameserver(handsOver(zoneWith([none])));
    await api.importDomain(admin, { body: { domain: "example.com", remote_nameserver } });
    const { data } = await api.listDomainRecords(admin, { path: { domainId: 1 } });
    expect(data).toMatchObject([{ type: "MX", name: "", target: "", priority: 0 }]);
  });

  test.each([
    [".", "hostmaster@example.com"],
    ["admin", "hostmaster@example.com"],
    ["admin.example.net", "admin@example.net"],
    ["a\\ b.example.net", "hostmaster@example.com"],
    ["a._b.example.net", "hostmaster@example.com"],
  ])("of a zone whose SOA names %j has the address %s", async (rname, soa_email) => {
    const { admin } = await start();
    const [soa] = zoneWith([]);
    const same: Answer[] = soa?.type === "SOA" ? [{ ...soa, data: { ...soa.data, rname } }] : [];
    const remote_nameserver = await nameserver(handsOver([...same, ...same]));
    const body = { domain: "example.com", remote_nameserver };
    expect((await api.importDomain(admin, { body })).soa_email).toBe(soa_email);
  });

  test("continues the serial of the zone", async () => {
    const { admin, settle } = await start();
    const remote_nameserver = await nameserver(handsOver(zoneWith([], "example.com", 4_000_000_000)));
    await api.importDomain(admin, { body: { domain: "example.com", remote_nameserver } });
    await settle();
    const { zone_file } = await api.getZoneFile(admin, { path: { domainId: 1 } });
    expect(zone_file[2]).toContain(" 4000000001 ");
  });

  test("that fails creates nothing", async () => {
    const { admin } = await start();
    const rejected = [
      400,
      "remote_nameserver: The remote nameserver cannot be reached, or does not hand the zone over",
    ];
    const places = [
      await nameserver(({ send }) => send([], { flags: 5 })),
      await nameserver(({ send, socket }) => {
        send(zoneWith([address("example.com")]).slice(0, 2));
        socket.end();
      }),
      "127.0.0.1:1",
      "missing.invalid",
      "[",
    ];
    const importing = places.map((remote_nameserver) =>
      failure(api.importDomain(admin, { body: { domain: "example.com", remote_nameserver } })),
    );
    expect(await Promise.all(importing)).toEqual(places.map(() => rejected));
    expect((await api.listDomains(admin)).results).toBe(0);
    expect((await api.listEvents(admin)).results).toBe(0);
  });

  test("requires an unused name, before and after the transfer", async () => {
    const { admin } = await start();
    const taken = [400, "domain: The name exists already, here or on another account"];
    const body = { domain: "Example.com", type: "master", soa_email: "admin@example.com" } as const;
    let asked = 0;
    const remote_nameserver = await nameserver(async (question) => {
      asked += 1;
      await api.createDomain(admin, { body });
      await handsOver(zoneWith([]))(question);
    });
    const importing = { body: { domain: "example.com", remote_nameserver } };
    expect(await failure(api.importDomain(admin, importing))).toEqual(taken);
    expect(await failure(api.importDomain(admin, importing))).toEqual(taken);
    expect(asked).toBe(1);
    expect((await api.listDomains(admin)).results).toBe(1);
  });

  test("blocks no other request while the nameserver is slow", async () => {
    const { admin } = await start();
    let goOn = (): void => {};
    const begun = new Promise<void>((resolve) => (goOn = resolve));
    const remote_nameserver = await nameserver(async (question) => {
      await begun;
      await handsOver(zoneWith([]))(question);
    });
    const importing = api.importDomain(admin, { body: { domain: "example.com", remote_nameserver } });
    const body = { domain: "example.net", type: "master", soa_email: "admin@example.com" } as const;
    expect((await api.createDomain(admin, { body })).id).toBe(1);
    goOn();
    expect((await importing).id).toBe(2);
  });

  test("requires the permission to add domains, and grants the domain to its creator", async () => {
    const { controls: client, user } = await start();
    const eve = await user("eve", { restricted: true });
    const remote_nameserver = await nameserver(handsOver(zoneWith([])));
    const body = { domain: "example.com", remote_nameserver };
    expect((await failure(api.importDomain(eve, { body })))[0]).toBe(403);
    await controls.setGrants(client, { path: { username: "eve" }, body: { global: { add_domains: true } } });
    const { id } = await api.importDomain(eve, { body });
    expect(await api.deleteDomain(eve, { path: { domainId: id } })).toEqual({});
  });
});

describe.skipIf(findNamed === undefined)("named, if this machine has it,", () => {
  const lines = [
    "$TTL 3600",
    "@ IN SOA ns first\\.last.example.com. 2026010203 7200 3600 1209600 300",
    "@ IN NS ns",
    "ns IN A 192.0.2.1",
    "@ 300 IN A 192.0.2.7",
    "www IN CNAME example.com.",
    "@ IN MX 10 mail.example.net.",
    '@ IN TXT "v=spf1 -all" "\\195\\188"',
    "_sip._tcp IN SRV 1 2 3 www.example.net.",
    '@ IN CAA 0 issue "ca.example"',
    "sub IN NS ns.example.net.",
    "six IN AAAA 2001:db8::7",
    "7 IN PTR host.example.net.",
    // Types that the API does not support.
    'host IN HINFO "a" "b"',
    "host IN SSHFP 4 2 123456789abcdef67890123456789abcdef67890123456789abcdef123456789",
    "host IN SSHFP 6 2 123456789abcdef67890123456789abcdef67890123456789abcdef123456789",
    "host IN SSHFP 4 1 123456789abcdef67890123456789abcdef67890",
    "_443._tcp IN TLSA 3 1 1 123456789abcdef67890123456789abcdef67890123456789abcdef12345678a",
    'host IN NAPTR 100 10 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .',
    "host IN LOC 52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m",
    "sub IN DS 60485 5 1 2BB183AF5F22588179A53B0A98631FAD1A292118",
    "host IN RP admin.example.com. text.example.com.",
    'host IN URI 10 1 "https://example.com/"',
    "host IN SVCB 1 . alpn=h2",
    "host IN HTTPS 1 . alpn=h2 ipv4hint=192.0.2.7",
    "host IN DNAME other.example.net.",
    "@ IN DNSKEY 256 3 13 oJMRESz5E4gYzS/q6XDrvU1qMPYIjCWzJaOau8XNEZeqCYKD5ar0IRd8KqXXFJkqmVfRvMGPmM1x8fGAa2XhSA==",
    "@ IN CDS 0 0 0 00",
    "host IN TYPE65400 \\# 3 010203",
    "@ IN AFSDB 1 afs.example.com.",
    "host IN CERT 1 0 0 AQID",
  ];

  test("transfers a zone, and loads the rendered one", async () => {
    const { admin, settle } = await start(["--pace", "0"]);
    const remote_nameserver = await startNamed({ "example.com": { lines }, "closed.example": { lines, closed: true } });
    const domain = await api.importDomain(admin, { body: { domain: "example.com", remote_nameserver } });
    expect(domain).toMatchObject({
      soa_email: "first.last@example.com",
      refresh_sec: 7200,
      retry_sec: 3600,
      expire_sec: 1_209_600,
      ttl_sec: 300,
    });
    const { data } = await api.listDomainRecords(admin, { path: { domainId: domain.id } });
    expect(data.map(({ type, name, target, ttl_sec }) => [type, name, target, ttl_sec].join(" ")).sort()).toEqual(
      [
        "A  192.0.2.7 300",
        "A ns 192.0.2.1 3600",
        "AAAA six 2001:db8::7 3600",
        "CAA  ca.example 3600",
        "CNAME www example.com 3600",
        "MX  mail.example.net 3600",
        "NS sub ns.example.net 3600",
        "PTR 7 host.example.net 3600",
        "SRV  www.example.net 3600",
        "TXT  v=spf1 -allü 3600",
      ].sort(),
    );
    await settle();
    const { zone_file } = await api.getZoneFile(admin, { path: { domainId: domain.id } });
    if (checkzone !== undefined) expect(checkZone("example.com", zone_file)).toMatch(/\nOK$/);
    const again = await startNamed({ "example.com": { lines: zone_file } });
    await api.deleteDomain(admin, { path: { domainId: domain.id } });
    const back = await api.importDomain(admin, { body: { domain: "example.com", remote_nameserver: again } });
    const plain = ({ id: _i, created: _c, updated: _u, ...each }: api.DomainRecord): string => JSON.stringify(each);
    const after = await api.listDomainRecords(admin, { path: { domainId: back.id } });
    expect(after.data.map(plain).sort()).toEqual(data.map(plain).sort());
  });

  test("rejects the transfer of unknown and of closed zones", async () => {
    const { admin } = await start();
    const remote_nameserver = await startNamed({ "closed.example": { lines: lines.slice(0, 4), closed: true } });
    const importing = ["closed.example", "unknown.example"].map((domain) =>
      failure(api.importDomain(admin, { body: { domain, remote_nameserver } })),
    );
    expect((await Promise.all(importing)).map(([status]) => status)).toEqual([400, 400]);
  });
});
