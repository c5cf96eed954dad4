import * as api from "@cloud-compute/client";
import { describe, expect, test } from "vitest";
import { failure, start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

const master = { type: "master", soa_email: "admin@example.com" } as const;

/** Creates a domain of the first user. */
function create({ admin }: World, domain = "example.com", fields: object = {}): Promise<api.Domain> {
  return api.createDomain(admin, { body: { domain, ...master, ...fields } });
}

describe("a new domain", () => {
  test("has every field, and the defaults of those that were absent", async () => {
    const world = await start();
    const domain = await create(world);
    expect(domain).toEqual({
      id: 1,
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
      retry_sec: 0,
      expire_sec: 0,
      ttl_sec: 0,
      created: domain.created,
      updated: domain.created,
      errors: "",
    });
    expect(await api.getDomain(world.admin, { path: { domainId: 1 } })).toEqual(domain);
    const { data } = await api.listEvents(world.admin);
    expect(data).toMatchObject([
      {
        action: "dns_zone_create",
        username: "admin",
        status: "notification",
        entity: { id: 1, label: "example.com", type: "domain", url: "/v4/domains/1" },
      },
    ]);
  });

  test("rounds seconds up, except 0", async () => {
    const world = await start();
    const seconds = { refresh_sec: 1, retry_sec: 300, expire_sec: 301, ttl_sec: 9_999_999 };
    expect(await create(world, "a.example", seconds)).toMatchObject({
      refresh_sec: 300,
      retry_sec: 300,
      expire_sec: 3600,
      ttl_sec: 2_419_200,
    });
  });

  test("is a master with an SOA address, or a slave with masters", async () => {
    const world = await start();
    const slave = { type: "slave", soa_email: undefined } as const;
    expect(await failure(create(world, "a.example", { soa_email: undefined }))).toEqual([
      400,
      "soa_email: is required",
    ]);
    expect((await failure(create(world, "a.example", { ...slave, master_ips: [] })))[0]).toBe(400);
    expect(await create(world, "a.example", { ...slave, master_ips: ["192.0.2.1", "2001:db8::1"] })).toMatchObject({
      type: "slave",
      soa_email: "",
      master_ips: ["192.0.2.1", "2001:db8::1"],
    });
  });

  test("has addresses of at most 1000 characters together", async () => {
    const world = await start();
    // 66 addresses of 15 characters, and one of the rest.
    const addresses = (last: string): string[] => [...Array<string>(66).fill("192.168.100.200"), last];
    expect((await create(world, "a.example", { axfr_ips: addresses("1.22.33.44") })).axfr_ips).toHaveLength(67);
    expect(await failure(create(world, "c.example", { axfr_ips: addresses("11.22.33.44") }))).toEqual([
      400,
      "axfr_ips: must be at most 1000 characters together",
    ]);
    expect(await failure(create(world, "c.example", { master_ips: addresses("11.22.33.44") }))).toEqual([
      400,
      "master_ips: must be at most 1000 characters together",
    ]);
    const change = (body: api.DomainUpdate) => api.updateDomain(world.admin, { path: { domainId: 1 }, body });
    for (const field of ["axfr_ips", "master_ips"]) {
      expect((await change({ [field]: addresses("1.22.33.45") }))[field as "axfr_ips"]).toHaveLength(67);
      expect(await failure(change({ [field]: addresses("11.22.33.44") }))).toEqual([
        400,
        `${field}: must be at most 1000 characters together`,
      ]);
    }
  });

  test("has a name that is unique across accounts, regardless of case", async () => {
    const world = await start();
    await create(world);
    const taken = [400, "domain: The name exists already, here or on another account"];
    expect(await failure(create(world, "Example.COM"))).toEqual(taken);
    const other = await world.user("other", { account: "other" });
    expect(await failure(api.createDomain(other, { body: { domain: "EXAMPLE.com", ...master } }))).toEqual(taken);
    await api.createDomain(other, { body: { domain: "www.example.com", ...master } });
    await api.deleteDomain(world.admin, { path: { domainId: 1 } });
    expect(await api.createDomain(other, { body: { domain: "Example.COM", ...master } })).toMatchObject({
      id: 3,
      domain: "Example.COM",
    });
  });

  test("is the only result of concurrent requests for one name", async () => {
    const world = await start();
    const users = await Promise.all(["a", "b", "c", "d"].map((name) => world.user(name, { account: name })));
    const outcomes = await Promise.allSettled(
      users.map((user) => api.createDomain(user, { body: { domain: "example.com", ...master } })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("creates the tags that it has", async () => {
    const world = await start();
    const domain = await create(world, "example.com", { tags: ["blue", "green", "blue"], group: "web" });
    expect(domain.tags).toEqual(["blue", "green"]);
  });
});

describe("a list of domains", () => {
  test("is filtered by name, group and tags, and ordered by them", async () => {
    const world = await start();
    await create(world, "b.example", { group: "one", tags: ["blue"] });
    await create(world, "a.example", { group: "two", tags: ["blue", "green"] });
    await create(world, "c.example", { group: "two" });
    const names = async (filter: api.ListDomainsFilter): Promise<string[]> => {
      const { data } = await api.listDomains(world.admin, { headers: { "X-Filter": filter } });
      return data.map(({ domain }) => domain);
    };
    expect(await names({})).toEqual(["b.example", "a.example", "c.example"]);
    expect(await names({ domain: "a.example" })).toEqual(["a.example"]);
    expect(await names({ domain: { "+contains": "EXAMPLE" }, group: "two" })).toEqual(["a.example", "c.example"]);
    expect(await names({ tags: "blue" })).toEqual(["b.example", "a.example"]);
    expect(await names({ "+or": [{ tags: "green" }, { group: "one" }], "+order_by": "domain" })).toEqual([
      "a.example",
      "b.example",
    ]);
    expect(await names({ "+order_by": "group", "+order": "desc" })).toEqual(["a.example", "c.example", "b.example"]);
    // @ts-expect-error -- the list has no such filter
    expect(await failure(names({ soa_email: "admin@example.com" }))).toEqual([
      400,
      "X-Filter: Cannot filter on soa_email",
    ]);
  });

  test("has pages", async () => {
    const world = await start();
    for (let index = 0; index < 26; index += 1) await create(world, `d${index}.example`);
    expect(await api.listDomains(world.admin, { query: { page: 2, page_size: 25 } })).toMatchObject({
      data: [{ domain: "d25.example" }],
      page: 2,
      pages: 2,
      results: 26,
    });
  });

  test("contains the domains of the account, and for a restricted user those with grants", async () => {
    const world = await start();
    await create(world, "a.example");
    await create(world, "b.example");
    const other = await world.user("other", { account: "other" });
    const eve = await world.user("eve", { restricted: true });
    expect((await api.listDomains(other)).results).toBe(0);
    expect((await api.listDomains(eve)).results).toBe(0);
    await controls.setGrants(world.controls, {
      path: { username: "eve" },
      body: { domain: [{ id: 2, permissions: "read_only" }] },
    });
    expect((await api.listDomains(eve)).data.map(({ id }) => id)).toEqual([2]);
    expect((await api.getDomain(eve, { path: { domainId: 2 } })).domain).toBe("b.example");
    expect(await failure(api.getDomain(eve, { path: { domainId: 1 } }))).toEqual([404, "Not found"]);
    expect(await failure(api.getDomain(other, { path: { domainId: 1 } }))).toEqual([404, "Not found"]);
    expect((await failure(api.updateDomain(eve, { path: { domainId: 2 }, body: { group: "x" } })))[0]).toBe(403);
    expect((await failure(api.deleteDomain(eve, { path: { domainId: 2 } })))[0]).toBe(403);
    const body = { domain: "c.example" };
    expect((await failure(api.cloneDomain(eve, { path: { domainId: 2 }, body })))[0]).toBe(403);
  });
});

describe("a restricted user", () => {
  test("needs add_domains to create domains, gets a grant on them, and cannot tag them", async () => {
    const world = await start();
    const eve = await world.user("eve", { restricted: true });
    const make = (fields: object = {}) =>
      api.createDomain(eve, { body: { domain: "eve.example", ...master, ...fields } });
    expect((await failure(make()))[0]).toBe(403);
    await controls.setGrants(world.controls, { path: { username: "eve" }, body: { global: { add_domains: true } } });
    expect((await failure(make({ tags: ["blue"] })))[0]).toBe(403);
    const { id } = await make();
    const path = { domainId: id };
    expect((await api.updateDomain(eve, { path, body: { description: "mine" } })).description).toBe("mine");
    expect((await failure(api.updateDomain(eve, { path, body: { tags: ["blue"] } })))[0]).toBe(403);
    const clone = await api.cloneDomain(eve, { path, body: { domain: "clone.example" } });
    await api.deleteDomain(eve, { path: { domainId: clone.id } });
    expect(await api.deleteDomain(eve, { path })).toEqual({});
  });

  test("needs the scope of the operation", async () => {
    const world = await start();
    const reader = await world.user("reader", { scopes: "domains:read_only" });
    const { id } = await create(world);
    expect((await api.getDomain(reader, { path: { domainId: id } })).id).toBe(id);
    expect((await failure(api.deleteDomain(reader, { path: { domainId: id } })))[0]).toBe(401);
  });
});

describe("an update of a domain", () => {
  test("keeps absent fields, and rounds", async () => {
    const world = await start();
    const before = await create(world, "example.com", { group: "web", ttl_sec: 300 });
    await world.advance("PT1M");
    const body = { domain: "example.net", description: "moved", tags: ["blue"], retry_sec: 400 };
    const after = await api.updateDomain(world.admin, { path: { domainId: before.id }, body });
    expect(after).toEqual({ ...before, ...body, retry_sec: 3600, updated: after.updated });
    expect(after.updated > before.updated).toBe(true);
    expect(await api.getDomain(world.admin, { path: { domainId: before.id } })).toEqual(after);
    expect((await create(world, "example.com")).id).toBe(2);
    expect((await api.listEvents(world.admin)).data.map(({ action }) => action)).toEqual([
      "dns_zone_create",
      "dns_zone_update",
      "dns_zone_create",
    ]);
  });

  test("with the values that were read changes nothing", async () => {
    const world = await start();
    const before = await create(world, "example.com", { tags: ["blue"] });
    await world.advance("PT1M");
    const path = { domainId: before.id };
    expect(await api.updateDomain(world.admin, { path, body: before })).toEqual(before);
    expect((await api.listEvents(world.admin)).results).toBe(1);
    const nulls = Object.fromEntries(Object.keys(before).map((key) => [key, null]));
    expect(await api.updateDomain(world.admin, { path, body: nulls })).toEqual(before);
  });

  test("rejects a used name, but accepts another spelling of its own", async () => {
    const world = await start();
    const { id } = await create(world, "example.com");
    await create(world, "example.net");
    const path = { domainId: id };
    expect(await failure(api.updateDomain(world.admin, { path, body: { domain: "EXAMPLE.net" } }))).toEqual([
      400,
      "domain: The name exists already, here or on another account",
    ]);
    expect((await api.updateDomain(world.admin, { path, body: { domain: "EXAMPLE.com" } })).domain).toBe("EXAMPLE.com");
  });

  test("results in a complete master or a complete slave", async () => {
    const world = await start();
    const path = { domainId: (await create(world)).id };
    expect(await failure(api.updateDomain(world.admin, { path, body: { type: "slave" } }))).toEqual([
      400,
      "master_ips: must have at least 1 item",
    ]);
    const slave = await api.updateDomain(world.admin, { path, body: { type: "slave", master_ips: ["192.0.2.1"] } });
    expect(slave).toMatchObject({ type: "slave", soa_email: "admin@example.com", master_ips: ["192.0.2.1"] });
    expect((await failure(api.updateDomain(world.admin, { path, body: { master_ips: [] } })))[0]).toBe(400);
    expect((await api.updateDomain(world.admin, { path, body: { type: "master" } })).type).toBe("master");
  });
});

describe("a deleted domain", () => {
  test("loses its records and its zone, and is not rendered again", async () => {
    const world = await start();
    const { admin, settle } = world;
    const path = { domainId: (await create(world)).id };
    await api.createDomainRecord(admin, { path, body: { type: "TXT", target: "x" } });
    expect(await api.deleteDomain(admin, { path })).toEqual({});
    expect(await settle()).toBe(0);
    for (const call of [api.getDomain, api.listDomainRecords, api.getZoneFile, api.deleteDomain])
      expect(await failure(call(admin, { path }))).toEqual([404, "Not found"]);
    const { data } = await api.listEvents(admin);
    expect(data.at(-1)).toMatchObject({ action: "dns_zone_delete", entity: { id: 1, label: "example.com" } });
  });
});

describe("a clone", () => {
  test("copies the fields and the records, with new ids", async () => {
    const world = await start();
    const { admin, advance } = world;
    const source = await create(world, "example.com", {
      status: "disabled",
      tags: ["blue"],
      group: "web",
      axfr_ips: ["192.0.2.1"],
      ttl_sec: 300,
    });
    const path = { domainId: source.id };
    await api.createDomainRecord(admin, { path, body: { type: "A", name: "www", target: "192.0.2.7" } });
    await api.createDomainRecord(admin, {
      path,
      body: { type: "SRV", service: "sip", protocol: "tcp", target: "sip", priority: 1, weight: 2, port: 3 },
    });
    await advance("PT1M");
    const clone = await api.cloneDomain(admin, { path, body: { domain: "example.net" } });
    const { created } = clone;
    expect(clone).toEqual({ ...source, id: 2, domain: "example.net", created, updated: created });
    expect(created > source.created).toBe(true);
    const before = await api.listDomainRecords(admin, { path });
    const after = await api.listDomainRecords(admin, { path: { domainId: clone.id } });
    expect(after.data).toEqual(before.data.map((each) => ({ ...each, id: each.id + 2, created, updated: created })));
    expect((await api.listEvents(admin)).data.at(-1)).toMatchObject({
      action: "dns_zone_create",
      entity: { id: 2, label: "example.net" },
    });
  });

  test("requires an unused name", async () => {
    const world = await start();
    const path = { domainId: (await create(world)).id };
    expect(await failure(api.cloneDomain(world.admin, { path, body: { domain: "example.com" } }))).toEqual([
      400,
      "domain: The name exists already, here or on another account",
    ]);
    expect(
      (await failure(api.cloneDomain(world.admin, { path: { domainId: 9 }, body: { domain: "b.example" } })))[0],
    ).toBe(404);
  });
});
