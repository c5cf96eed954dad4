import { afterEach, describe, expect, it } from "vitest";
import { caller, instance, kept, lastInput, makeStubs, served, type Asked, type Stubs } from "../support/stubs.js";

const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

async function serving(stubs: Stubs) {
  const host = await served(stubs);
  open.push(() => host.close());
  return async (method: string, path: string, given?: Asked) => {
    const { status, body } = await host.ask(method, `/v4${path}`, given);
    const { errors } = body as { readonly errors?: readonly { readonly field?: string; readonly reason: string }[] };
    return errors === undefined ? status : [status, ...errors.map(({ field = "", reason }) => `${field}: ${reason}`)];
  };
}

const absent = [404, ": Not found"];

describe("an object in the path", () => {
  it("exists, belongs to the caller, and is within its parent", async () => {
    const stubs = makeStubs({ getInstanceBackup: ({ target }) => ({ status: 200, body: target }) });
    stubs.tables.Instance.push(kept(instance(1)), kept(instance(2)), kept(instance(3), { account: "b" }));
    stubs.tables.Backup.push(kept(backup(10), { parent: 1 }), kept(backup(30), { parent: 3 }));
    const ask = await serving(stubs);
    expect(await ask("GET", "/compute/instances/1/backups/10")).toBe(200);
    expect(stubs.calls[0]?.input).toMatchObject({
      path: { computeId: 1, backupId: 10 },
      target: { id: 10 },
      refs: { computeId: { id: 1 }, backupId: { id: 10 } },
    });
    expect(await ask("GET", "/compute/instances/2/backups/10")).toEqual(absent);
    expect(await ask("GET", "/compute/instances/1/backups/11")).toEqual(absent);
    expect(await ask("GET", "/compute/instances/3/backups/30")).toEqual(absent);
    expect(await ask("GET", "/compute/instances/4/backups/10")).toEqual(absent);
    expect(stubs.calls.length).toBe(1);
  });

  it("may be within something that is within it", async () => {
    const stubs = makeStubs({ getClusterNode: () => ({ status: 200, body: node }) });
    const node = { id: "1-0123456789ab", instance_id: null, status: "ready" as const };
    stubs.tables.Cluster.push(kept({ id: 1 } as never), kept({ id: 2 } as never));
    stubs.tables.Pool.push(kept({ id: 5 } as never, { parent: 1 }));
    stubs.tables.Node.push(kept(node, { parent: 5 }));
    const ask = await serving(stubs);
    expect(await ask("GET", `/kube/clusters/1/nodes/${node.id}`)).toBe(200);
    expect(await ask("GET", `/kube/clusters/2/nodes/${node.id}`)).toEqual(absent);
  });

  it("may be everybody's, and else is its owner's alone", async () => {
    const stubs = makeStubs({
      getImage: ({ target }) => ({ status: 200, body: target }),
      updateImage: ({ target }) => ({ status: 200, body: target }),
    });
    stubs.tables.Image.push(
      kept(image("compute/debian12", true), { account: "platform" }),
      kept(image("private/1", false)),
      kept(image("private/2", false), { account: "b" }),
    );
    const ask = await serving(stubs);
    expect(await ask("GET", "/images/compute/debian12", { token: null })).toBe(200);
    expect(await ask("GET", "/images/compute%2Fdebian12")).toBe(200);
    expect(await ask("GET", "/images/private/1")).toBe(200);
    expect(await ask("GET", "/images/private/1", { token: null })).toEqual(absent);
    expect(await ask("GET", "/images/private/2")).toEqual(absent);
    expect(await ask("PUT", "/images/compute/debian12", { body: { label: "mine" } })).toEqual([
      403,
      expect.stringContaining("public"),
    ]);
  });

  it("may be the one that its caller has", async () => {
    const stubs = makeStubs({ sendPhoneCode: () => ({ status: 200, body: {}, effects: [] }) });
    stubs.tables.Profile.push(
      kept({ verified_phone_number: null } as never),
      kept({ verified_phone_number: "+15550100" } as never, { user: "bob" }),
    );
    stubs.tokens.set("bob", { caller: caller({ user: "bob" }) });
    const ask = await serving(stubs);
    const body = { iso_code: "US", phone_number: "5550100123" };
    expect(await ask("POST", "/profile/phone-number", { body })).toBe(200);
    expect(await ask("POST", "/profile/phone-number", { body, token: "bob" })).toEqual([
      400,
      expect.stringMatching(/^phone_number: /),
    ]);
  });
});

describe("an object in the body", () => {
  it("is loaded in one query per kind, and reported missing at its path", async () => {
    const stubs = makeStubs({
      createTag: ({ body, refs }) => ({ status: 200, body: { label: `${body.label}-${refs.computes.size}` } }),
    });
    stubs.tables.Instance.push(kept(instance(1)), kept(instance(2)), kept(instance(3), { account: "b" }));
    const ask = await serving(stubs);
    expect(await ask("POST", "/tags", { body: { label: "web", computes: [1, 2, 1] } })).toBe(200);
    expect(stubs.loads).toEqual(["Instance id 1,2"]);
    const missing = await ask("POST", "/tags", { body: { label: "web", computes: [1, 3, 2, 4], domains: [9] } });
    const places = Array.isArray(missing) ? missing.map((each) => String(each).split(":")[0]) : missing;
    expect(places).toEqual(["400", "domains.0", "computes.1", "computes.3"]);
    expect(stubs.calls.length).toBe(1);
  });

  it("has to meet the required condition", async () => {
    const stubs = makeStubs();
    stubs.tables.Region.push(kept({ id: "us-east", capabilities: [] } as never));
    stubs.tables.InstanceType.push(kept({ id: "g6-standard-1", disk: 50 } as never));
    stubs.tables.Image.push(
      kept({ ...image("private/1", false), status: "creating", size: 10 }),
      kept({ ...image("private/2", false), size: 60 }),
    );
    const ask = await serving(stubs);
    const make = (given: object) =>
      ask("POST", "/compute/instances", { body: { region: "us-east", type: "g6-standard-1", ...given } });
    const root_pass = "aComplex-P4ssword";
    expect(await make({ image: "private/1", root_pass })).toEqual([
      400,
      expect.stringMatching(/^image: .*(created|data)/),
    ]);
    expect(await make({ image: "private/2", root_pass })).toEqual([400, expect.stringMatching(/^type: .*larger disk/)]);
    expect(await make({ image: "private/3", root_pass })).toEqual([
      400,
      expect.stringMatching(/^image: There is no image/),
    ]);
    expect(await make({ interfaces: [{ purpose: "vlan", label: "x" }] })).toEqual([
      400,
      expect.stringMatching(/^region: .*VLAN/),
    ]);
    expect(await make({})).toBe(200);
  });
});

describe("a restricted user", () => {
  const restricted = (stubs: Stubs) => stubs.tokens.set("eve", { caller: caller({ user: "eve", restricted: true }) });

  it("acts on objects with read_write, reads those with read_only, and learns of no others", async () => {
    const stubs = makeStubs();
    stubs.tables.Instance.push(kept(instance(1)), kept(instance(2)), kept(instance(3)), kept(instance(4)));
    restricted(stubs);
    stubs.grants.set("eve", {
      compute: [
        { id: 1, permissions: "read_write" },
        { id: 2, permissions: "read_only" },
        { id: 3, permissions: null },
      ],
    });
    const ask = await serving(stubs);
    const of = async (method: string, path = "") =>
      Promise.all([1, 2, 3, 4].map((id) => ask(method, `/compute/instances/${id}${path}`, { token: "eve" })));
    const denied = [403, expect.stringContaining("grant")];
    expect(await of("GET")).toEqual([200, 200, absent, absent]);
    expect(await of("POST", "/boot")).toEqual([200, denied, absent, absent]);
    expect(await ask("GET", "/compute/instances", { token: "eve" })).toBe(200);
    expect(stubs.calls.at(-1)?.input).toMatchObject({
      listScope: { owner: { account: "a" }, ids: [1, 2], includePublic: false },
    });
    expect(await ask("GET", "/compute/instances")).toBe(200);
    expect(stubs.calls.at(-1)?.input).toMatchObject({ listScope: { owner: { account: "a" }, includePublic: false } });
  });

  it("learns nothing about other objects from other errors", async () => {
    const stubs = makeStubs();
    stubs.tables.Instance.push(kept(instance(1)), kept(instance(2)));
    stubs.tables.Region.push(kept({ id: "us-east" } as never));
    stubs.tables.InstanceType.push(kept({ id: "g6-standard-1" } as never));
    stubs.tables.Image.push(kept({ ...image("private/1", false), status: "creating" }));
    restricted(stubs);
    stubs.grants.set("eve", { global: { add_computes: true }, compute: [{ id: 1, permissions: "read_write" }] });
    const ask = await serving(stubs);
    const put = (id: number) => ask("PUT", `/compute/instances/${id}`, { token: "eve", body: { label: "y" } });
    expect([await put(1), await put(2), await put(3)]).toEqual([
      [400, "label: must be 3 to 64 characters"],
      absent,
      absent,
    ]);
    const clone = (compute_id: number) =>
      ask("POST", "/compute/instances/1/clone", { token: "eve", body: { compute_id, region: "nowhere" } });
    expect(await clone(2)).toEqual(await clone(3));
    const make = (id: string) =>
      ask("POST", "/compute/instances", {
        token: "eve",
        body: { region: "us-east", type: "g6-standard-1", image: id, root_pass: "aComplex-P4ssword" },
      });
    const noImage = [400, expect.stringMatching(/^image: There is no image with this id/)];
    expect([await make("private/1"), await make("private/2")]).toEqual([noImage, noImage]);
  });

  it("changes no tags, and may send them back as they are", async () => {
    const stubs = makeStubs();
    stubs.tables.Instance.push(kept(instance(1, { tags: ["web"] })));
    restricted(stubs);
    stubs.grants.set("eve", { compute: [{ id: 1, permissions: "read_write" }] });
    const ask = await serving(stubs);
    const put = (body: object, token = "eve") => ask("PUT", "/compute/instances/1", { body, token });
    expect(await put({ label: "www", tags: ["web"] })).toBe(200);
    expect(await put({ tags: ["web", "prod"] })).toEqual([403, expect.any(String)]);
    expect(await put({ tags: ["web", "prod"] }, "all")).toBe(200);
  });

  it("may list public objects, as an anonymous caller does", async () => {
    const stubs = makeStubs({ listImages: () => ({ status: 200, body: { data: [], page: 1, pages: 1, results: 0 } }) });
    const ask = await serving(stubs);
    await ask("GET", "/images", { token: null });
    expect(stubs.calls.at(-1)?.input).toMatchObject({ listScope: { includePublic: true } });
    expect(lastInput<{ readonly listScope: object }>(stubs).listScope).not.toHaveProperty("owner");
    await ask("GET", "/images");
    expect(stubs.calls.at(-1)?.input).toMatchObject({ listScope: { owner: { account: "a" }, includePublic: true } });
  });

  it("sees the response fields that it may see, and other callers see theirs", async () => {
    const grants = { global: {} } as never;
    const stubs = makeStubs({ getGrants: () => ({ status: 200, body: grants }) }, { validateResponses: "off" });
    restricted(stubs);
    const ask = await serving(stubs);
    expect(await ask("GET", "/profile/grants", { token: "eve" })).toBe(200);
    expect(await ask("GET", "/profile/grants")).toEqual([500, ": The service failed"]);
    expect(stubs.log.map(({ message }) => message)).toEqual([
      "The handler of getGrants returned response 200, which the description does not allow: it must not be sent to this caller",
    ]);
  });
});

describe("a change", () => {
  it("may repeat stored values, even invalid ones, and no other invalid values", async () => {
    const stubs = makeStubs();
    stubs.tables.Instance.push(kept(instance(1, { tags: ["a"] })));
    const ask = await serving(stubs);
    const put = (body: object) => ask("PUT", "/compute/instances/1", { body });
    expect(await put({ label: "web-1", tags: ["a"], group: "" })).toBe(200);
    expect(stubs.calls[0]?.input).toMatchObject({ body: { label: "web-1", tags: ["a"], group: "" } });
    expect(await put({ label: "y" })).toEqual([400, "label: must be 3 to 64 characters"]);
    expect(await put({ tags: ["a", "b"] })).toEqual([400, "tags.1: must be 3 to 50 characters"]);
    expect(await ask("PUT", "/compute/instances/2", { body: { label: "y" } })).toEqual(absent);
  });

  it("goes one way, or to the next only", async () => {
    const stubs = makeStubs({
      updateCluster: ({ target, body }) => ({ status: 200, body: { ...target, label: body.label ?? target.label } }),
    });
    const cluster = {
      id: 1,
      label: "one",
      status: "ready" as const,
      created: "2026-01-01T00:00:00Z",
      updated: "2026-01-01T00:00:00Z",
      region: "us-east",
      k8s_version: "1.23",
      control_plane: { high_availability: true },
      tags: [],
    };
    stubs.tables.Cluster.push(kept(cluster));
    stubs.tables.KubeVersion.push(...["1.22", "1.23", "1.24", "1.25"].map((id) => kept({ id })));
    const ask = await serving(stubs);
    const put = (body: object) => ask("PUT", "/kube/clusters/1", { body });
    expect(await put({ k8s_version: "1.23" })).toBe(200);
    expect(await put({ k8s_version: "1.24" })).toBe(200);
    expect(await put({ k8s_version: "1.25" })).toEqual([400, expect.stringMatching(/^k8s_version: /)]);
    expect(await put({ k8s_version: "1.22" })).toEqual([400, expect.stringMatching(/^k8s_version: /)]);
    expect(await put({ control_plane: { high_availability: true } })).toBe(200);
    expect(await put({ control_plane: { high_availability: false } })).toEqual([
      400,
      expect.stringMatching(/^control_plane\.high_availability: /),
    ]);
  });

  it("is validated together with the stored fields", async () => {
    const stubs = makeStubs({ updateClusterPool: ({ target }) => ({ status: 200, body: target }) });
    stubs.tables.Cluster.push(kept({ id: 1 } as never));
    const pool = {
      id: 5,
      type: "g6-standard-1",
      count: 3,
      nodes: [],
      disks: [],
      autoscaler: { enabled: true, min: 2, max: 4 },
      tags: [],
    };
    stubs.tables.Pool.push(kept(pool, { parent: 1 }));
    const ask = await serving(stubs);
    const put = (body: object) => ask("PUT", "/kube/clusters/1/pools/5", { body });
    expect(await put({ count: 4 })).toBe(200);
    expect(await put({ count: 5 })).toEqual([400, expect.stringMatching(/^count: /)]);
    expect(await put({ count: 1 })).toEqual([400, expect.stringMatching(/^count: /)]);
    expect(await put({ autoscaler: { min: 5, max: 4 } })).toEqual([400, expect.stringMatching(/^autoscaler\.min: /)]);
    expect(await put({ count: 5, autoscaler: { min: 2, max: 5 } })).toBe(200);
  });
});

describe("values that follow", () => {
  it("from stored fields exist when the handler runs", async () => {
    const stubs = makeStubs();
    stubs.tables.Instance.push(kept(instance(1)), kept(instance(2)));
    stubs.tables.Region.push(kept({ id: "us-east" } as never));
    stubs.tables.InstanceType.push(kept({ id: "g6-standard-1" } as never));
    const ask = await serving(stubs);
    expect(await ask("POST", "/compute/instances/1/clone", { body: {} })).toBe(200);
    expect(stubs.calls.at(-1)?.input).toMatchObject({ body: { region: "us-east", type: "g6-standard-1" } });
    expect(await ask("POST", "/compute/instances/1/clone", { body: { compute_id: 2, region: "us-east" } })).toBe(200);
    expect(lastInput<{ readonly body: object }>(stubs).body).toEqual({ compute_id: 2 });
  });

  it("come from the caller, and do not exceed the caller's own", async () => {
    const stubs = makeStubs({
      createToken: ({ body }) => ({
        status: 200,
        body: {
          id: 1,
          label: "x",
          scopes: body.scopes ?? "",
          created: "2026-01-01T00:00:00Z",
          expiry: null,
          token: "0123456789abcdef".repeat(4),
        },
      }),
    });
    stubs.tokens.set("narrow", { caller: caller({ scopes: "account:read_write,computes:read_only" }) });
    const ask = await serving(stubs);
    const made = async (body: object) => {
      const status = await ask("POST", "/profile/tokens", { token: "narrow", body });
      return status === 200 ? lastInput<{ readonly body: { readonly scopes: string } }>(stubs).body.scopes : status;
    };
    expect(await made({})).toBe("account:read_write,computes:read_only");
    expect(await made({ scopes: "account:read_only" })).toBe("account:read_only");
    const exceeds = [400, expect.stringMatching(/^scopes: /)];
    expect(await made({ scopes: "computes:read_write" })).toEqual(exceeds);
    expect(await made({ scopes: "domains:read_only" })).toEqual(exceeds);
    expect(await made({ scopes: "*" })).toEqual(exceeds);
  });
});

function backup(id: number) {
  return {
    id,
    region: "us-east",
    type: "auto" as const,
    status: "successful" as const,
    available: true,
    label: null,
    configs: [],
    disks: [],
    created: "2026-01-01T00:00:00Z",
    finished: null,
    updated: "2026-01-01T00:00:00Z",
  };
}

function image(id: string, is_public: boolean) {
  return {
    id,
    label: "an image",
    description: null,
    created: "2026-01-01T00:00:00Z",
    updated: "2026-01-01T00:00:00Z",
    created_by: "ann",
    deprecated: false,
    eol: null,
    expiry: null,
    is_public,
    size: 2500,
    status: "available" as const,
    type: "manual" as const,
    vendor: null,
  };
}
