import { instanceStatus, limits } from "@cloud-compute/server";
import { deadlineOf } from "@plumbline/server-runtime";
import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import { caller, instance, kept, makeStubs, served, start, type Stubs } from "../support/stubs.js";

const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

async function serving(stubs: Stubs) {
  const host = await served(stubs);
  open.push(() => host.close());
  return host.ask;
}

type Ask = Awaited<ReturnType<typeof serving>>;

/** The statuses of as many requests at once, each with how often it came. */
async function atOnce(count: number, ask: () => ReturnType<Ask>): Promise<Readonly<Record<number, number>>> {
  const reported = await Promise.all(Array.from({ length: count }, ask));
  const counts: Record<number, number> = {};
  for (const { status } of reported) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe("a rate", () => {
  const make = (ask: Ask, token = "all") => ask("POST", "/v4/compute/instances", { token, body: {} });

  it("lets pass as many as it allows, also of fifty at once", async () => {
    const ask = await serving(makeStubs());
    expect(await atOnce(50, () => make(ask))).toEqual({ 400: 10, 429: 40 });
  });

  it("reports the remaining requests and the time of the next ones: waiting that long is enough, and less is not", async () => {
    const stubs = makeStubs();
    const ask = await serving(stubs);
    const report = async () => {
      const { status, headers } = await make(ask);
      const of = (name: string) => headers.get(name);
      return [status, of("x-ratelimit-limit"), of("x-ratelimit-remaining"), of("x-ratelimit-reset"), of("retry-after")];
    };
    const reset = String(start / 1000 + 30);
    expect(await report()).toEqual([400, "10", "9", reset, null]);
    for (let left = 8; left >= 0; left -= 1) expect((await report())[2]).toBe(String(left));
    stubs.clock.now += 10_500;
    expect(await report()).toEqual([429, "10", "0", reset, "20"]);
    stubs.clock.now = start + 29_999;
    expect((await report())[0]).toBe(429);
    stubs.clock.now = start + 30_000;
    expect((await report())[0]).toBe(400);
  });

  it("counts for each user, with any token, but not for requests rejected without one", async () => {
    const stubs = makeStubs();
    stubs.tokens.set("second", { caller: caller({ scopes: "computes:read_write" }) });
    stubs.tokens.set("other", { caller: caller({ user: "bob" }) });
    const ask = await serving(stubs);
    expect(await atOnce(20, () => make(ask, "unknown"))).toEqual({ 401: 20 });
    expect(await atOnce(10, () => make(ask))).toEqual({ 400: 10 });
    expect((await make(ask, "second")).status).toBe(429);
    expect((await make(ask, "other")).status).toBe(400);
    expect((await ask("GET", "/v4/compute/instances")).headers.get("x-ratelimit-limit")).toBe(null);
  });

  it("holds for all requests when the operator sets it", async () => {
    const general = [{ kind: "rate", id: "general", max: 3, windowSeconds: 60 }] as const;
    const stubs = makeStubs({}, {});
    const ask = await serving(makeStubs({}, { limits: { ...limitsOf(stubs), global: general } }));
    expect(await atOnce(5, () => ask("GET", "/v4/compute/instances"))).toEqual({ 200: 3, 429: 2 });
  });
});

function limitsOf(_stubs: Stubs) {
  return {
    countInProgress: { "concurrent-clones": () => 0 },
    isTaken: { "domain-unique": () => false, "unique-cluster-label": () => false },
    onReached: { "phone-code-attempts": () => {} },
  };
}

describe("a limit of concurrency", () => {
  const clone = (ask: Ask, id = 1) =>
    ask("POST", `/v4/compute/instances/${id}/clone`, { body: { region: "us-east", type: "g6-standard-1" } });

  const cloud = async () => {
    const stubs = makeStubs();
    stubs.tables.Instance.push(kept(instance(1)), kept(instance(2)));
    stubs.tables.Region.push(kept({ id: "us-east" } as never));
    stubs.tables.InstanceType.push(kept({ id: "g6-standard-1" } as never));
    return { stubs, ask: await serving(stubs) };
  };

  it("is derived from unsettled objects: five of fifty pass", async () => {
    const { stubs, ask } = await cloud();
    expect(await atOnce(50, () => clone(ask))).toEqual({ 200: 5, 400: 45 });
    expect((await clone(ask)).body).toEqual({ errors: [{ reason: "Five clones of the source are running" }] });
    expect((await clone(ask, 2)).status).toBe(200);
    // One is settled.
    stubs.tables.Instance.splice(2, 1, kept(instance(3)));
    expect((await clone(ask)).status).toBe(200);
    expect((await clone(ask)).status).toBe(400);
  });
});

describe("uniqueness", () => {
  it("is checked for sent fields, and not for unchanged ones", async () => {
    const stubs = makeStubs({ updateCluster: ({ target }) => ({ status: 200, body: target }) });
    const cluster = (id: number, label: string) =>
      kept({
        id,
        label,
        status: "ready" as const,
        created: "2026-01-01T00:00:00Z",
        updated: "2026-01-01T00:00:00Z",
        region: "us-east",
        k8s_version: "1.24",
        control_plane: { high_availability: false },
        tags: [],
      });
    stubs.tables.Cluster.push(cluster(1, "one"), cluster(2, "two"));
    const ask = await serving(stubs);
    const rename = async (label: string) => {
      const { status, body } = await ask("PUT", "/v4/kube/clusters/1", { body: { label } });
      return status === 200 ? 200 : [status, body];
    };
    expect(await rename("one")).toBe(200);
    expect(await rename("three")).toBe(200);
    expect(await rename("two")).toEqual([
      400,
      { errors: [{ field: "label", reason: expect.stringContaining("label") }] },
    ]);
  });
});

describe("limits and states, as constants", () => {
  it("are typed, and report deadlines", () => {
    expect([limits.instanceCreates.max, limits.instanceCreates.windowSeconds]).toEqual([10, 30]);
    expect(deadlineOf(limits.deviceSession, "2026-01-01T00:00:00Z").toISOString()).toBe("2026-01-31T00:00:00.000Z");
    expect(deadlineOf(limits.eventHistory, start)).toEqual(new Date(start + 90 * 86_400_000));
  });

  it("know possible and impossible ones", () => {
    expect(instanceStatus.can("offline", "bootInstance")).toBe(true);
    expect(instanceStatus.can("running", "bootInstance")).toBe(false);
    expect(instanceStatus.next("offline", "bootInstance")).toEqual({
      to: "booting",
      then: ["running"],
      error: "instance-busy",
    });
    expect(instanceStatus.clientState("suspended")).toBe("stopped");
    expectTypeOf(instanceStatus.transition("offline", "bootInstance", "booting")).toEqualTypeOf<"booting">();
    // @ts-expect-error An instance that boots is booting, and not running yet.
    expect(() => instanceStatus.transition("offline", "bootInstance", "running")).toThrow("InstanceStatus");
    // @ts-expect-error A running instance cannot be booted.
    expect(() => instanceStatus.transition("running", "bootInstance", "booting")).toThrow("InstanceStatus");
  });
});
