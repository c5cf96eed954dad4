import { afterEach, describe, expect, it } from "vitest";
import { caller, instance, kept, makeStubs, served, type Stubs } from "./support/stubs.js";

const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

async function serving(stubs: Stubs) {
  const host = await served(stubs);
  open.push(() => host.close());
  return host.ask;
}

describe("a request", () => {
  it("is answered with what is described, and no more", async () => {
    const stubs = makeStubs();
    stubs.tables.Instance.push(kept(instance(1)));
    const ask = await serving(stubs);
    const { status, body, headers } = await ask("GET", "/v4/compute/instances/1");
    expect({ status, body }).toEqual({ status: 200, body: instance(1) });
    expect(Object.fromEntries([...headers].filter(([name]) => /^x-/.test(name)))).toEqual({
      "x-accepted-oauth-scopes": "computes:read_only",
      "x-oauth-scopes": "*",
      "x-request-id": expect.stringMatching(/^[0-9a-f]{18}$/),
    });
  });
  it("x", async () => {
    const stubs = makeStubs();
    stubs.tables.Instance.push(kept(instance(1)), kept(instance(2), { account: "b" }));
    const ask = await serving(stubs);
    const t = async (...a: Parameters<typeof ask>) => {
      const r = await ask(...a);
      console.log(
        a[0],
        a[1],
        r.status,
        JSON.stringify(r.body),
        r.headers.get("allow"),
        stubs.log.splice(0).map((e) => e.error),
      );
    };
    await t("GET", "/v4/compute/instances");
    await t("GET", "/v4beta/compute/instances/");
    await t("GET", "/v4/compute/instances/2");
    await t("GET", "/v4/compute/instances/3");
    await t("GET", "/v4/compute/instances/abc");
    await t("GET", "/v4/nothing");
    await t("PATCH", "/v4/compute/instances");
    await t("OPTIONS", "/v4/compute/instances");
    await t("HEAD", "/v4/compute/instances");
    await t("GET", "/v4/compute/instances", { token: null });
    await t("GET", "/v4/compute/instances", { token: "bad" });
    await t("POST", "/v4/compute/instances/1/boot", {});
    await t("POST", "/v4/compute/instances/1/boot", {});
    await t("PUT", "/v4/compute/instances/1", { body: { label: "x", tags: ["a"] } });
    await t("PUT", "/v4/compute/instances/1", { body: { label: "web-7", group: "" } });
    await t("POST", "/v4/compute/instances/1/clone", { body: { compute_id: 1 } });
    await t("POST", "/v4/domains", { body: { domain: "example.org", type: "master", soa_email: "a@example.org" } });
    await t("GET", "/v4/regions", { token: null });
  });
});
