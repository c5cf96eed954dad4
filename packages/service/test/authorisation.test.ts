import * as api from "@cloud-compute/client";
import { beforeAll, describe, expect, test } from "vitest";
import { operations } from "../../../test/operations.js";
import { bodies, missing } from "../src/operations.support.js";
import { optionsOf } from "../src/options.js";
import { startService, type Service } from "../src/service.js";
import * as controls from "../src/testing/index.js";

const token = "0123456789abcdef".repeat(4);
const sshKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIL5Fm5R8Jb3dRvVx1T8QZ8u9kJm0u4m3rjJrZ8QH6m2B test";

let service: Service;
/** The identifiers of existing objects, by the names of path parameters. */
let there: Readonly<Record<string, string>>;

beforeAll(async () => {
  const args = ["--data", ":memory:", "--port", "0", "--controls-port", "0", "--log", "error", "--pace", "0"];
  service = await startService(optionsOf(args, { CLOUD_COMPUTE_TOKEN: token }));
  const admin = api.createClient({ baseUrl: service.url, token });
  const control = controls.createClient({ baseUrl: service.controls ?? "" });
  const deployed = {
    region: "us-east",
    type: "g6-nanode-1",
    image: "compute/debian12",
    root_pass: "correct Horse 7 battery",
    backups_enabled: true,
    tags: ["a-tag"],
  };
  const { id: computeId } = await api.createInstance(admin, { body: deployed });
  await controls.settle(control);
  const { id: backupId } = await api.createInstanceSnapshot(admin, {
    path: { computeId },
    body: { label: "a snapshot" },
  });
  await controls.settle(control);
  const { data: disks } = await controls.listInstanceDisks(control, { path: { id: computeId } });
  const image = await api.createImage(admin, { body: { disk_id: disks[0]?.id ?? 0, label: "an image" } });
  await controls.settle(control);
  const pool = { type: "g6-standard-1", count: 1 };
  const cluster = await api.createCluster(admin, {
    body: { label: "a-cluster", region: "us-east", k8s_version: "1.29", node_pools: [pool] },
  });
  await controls.settle(control);
  const { data: pools } = await api.listClusterPools(admin, { path: { clusterId: cluster.id } });
  const app = await controls.createApp(control, { body: { label: "an app", scopes: "domains:read_only" } });
  const device = await controls.createDevice(control, { body: { user_agent: "a browser" } });
  const login = await controls.createLogin(control, { body: { ip: "192.0.2.1" } });
  const key = await api.createSSHKey(admin, { body: { label: "a key", ssh_key: sshKey } });
  const made = await api.createToken(admin, { body: { label: "a token", scopes: "domains:read_only" } });
  const domain = await api.createDomain(admin, {
    body: { domain: "a.example.com", type: "master", soa_email: "a@example.com" },
  });
  const record = await api.createDomainRecord(admin, {
    path: { domainId: domain.id },
    body: { type: "A", name: "a", target: "192.0.2.1" },
  });
  const { data: events } = await api.listEvents(admin);
  there = Object.fromEntries(
    Object.entries({
      computeId,
      backupId,
      imageId: image.id,
      label: "a-tag",
      clusterId: cluster.id,
      nodeId: pools[0]?.nodes[0]?.id,
      poolId: pools[0]?.id,
      appId: app.id,
      deviceId: device.id,
      loginId: login.id,
      sshKeyId: key.id,
      tokenId: made.id,
      domainId: domain.id,
      recordId: record.id,
      eventId: events[0]?.id,
    }).map(([name, id]) => [name, String(id)]),
  );
  return () => service.close();
});

interface Answer {
  readonly status: number;
  readonly body: string;
}

async function ask(call: string, ids: Readonly<Record<string, string>>, as: string): Promise<Answer> {
  const [method = "", path = ""] = call.split(" ");
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? there[name] ?? "us-east");
  const body = bodies[call];
  const response = await fetch(`${service.url}${target}`, {
    method,
    headers: { authorization: `Bearer ${as}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.text() };
}

async function tokenOf(
  user: { readonly username: string; readonly account?: string; readonly restricted?: boolean },
  scopes = "*",
): Promise<string> {
  const control = controls.createClient({ baseUrl: service.controls ?? "" });
  await controls.createUser(control, { body: user });
  const made = await controls.createUserToken(control, { path: { username: user.username }, body: { scopes } });
  return made.token;
}

/** Operations on objects with an owner, and the names of their path parameters. */
const owned = [...operations.map(({ call }) => call), "GET /account/events/{eventId}"]
  .map((call) => ({
    call,
    names: [...call.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).filter((name) => name in missing),
  }))
  .filter(({ names }) => names.length > 0);

/** All responses about these objects to their owner. */
async function seen(): Promise<string> {
  const texts: string[] = [];
  for (const { call } of owned.filter(({ call: each }) => each.startsWith("GET "))) {
    const { status, body } = await ask(call, there, token);
    texts.push(`${call}: ${status} ${body}`);
  }
  return texts.join("\n");
}

/** Requests existing and missing objects, each path parameter in turn. Returns where the responses differ, or where access is granted. */
async function findLeaks(as: string, but: readonly string[] = []): Promise<string[]> {
  const found: string[] = [];
  for (const { call, names } of owned.filter((each) => !but.includes(each.call))) {
    const known = await ask(call, there, as);
    if (known.status < 400) found.push(`${call}: ${known.status}`);
    for (const name of names) {
      const unknown = await ask(call, { [name]: missing[name] ?? "" }, as);
      if (unknown.status !== known.status || unknown.body !== known.body)
        found.push(`${call}: ${known.status} ${known.body}, and without ${name} ${unknown.status} ${unknown.body}`);
    }
  }
  return found;
}

describe("an owned object", () => {
  test("is readable for its owner", async () => {
    for (const line of (await seen()).split("\n")) expect(line).toMatch(/: 20\d /);
    expect(owned.length).toBeGreaterThan(55);
  });

  test.each([
    ["another account", { username: "other", account: "another" }, []],
    ["a restricted user of another account", { username: "less", account: "a-third", restricted: true }, []],
    // Tags belong to the account. All its users see them, with the objects that they may see.
    ["a restricted user without grants", { username: "restricted", restricted: true }, ["GET /tags/{label}"]],
  ])("looks like a missing one to %s", async (_who, user, but) => {
    const as = await tokenOf(user);
    const before = await seen();
    expect(await findLeaks(as, but)).toEqual([]);
    expect(await seen()).toBe(before);
  });

  test("looks like a missing one to other users of the account, if it belongs to a user", async () => {
    const as = await tokenOf({ username: "colleague" });
    const before = await seen();
    const personal = /\/profile\/(apps|devices|logins|sshkeys|tokens)\//;
    const found = await findLeaks(as);
    expect(found.filter((each) => personal.test(each))).toEqual([]);
    expect(await seen()).not.toBe(before);
  });
});

describe("every operation", () => {
  test.each(operations.filter(({ needs }) => needs.includes(":")))("$call requires $needs", async ({ call, needs }) => {
    const wanted = needs.split(/ and | or /).filter((scope) => scope.includes(":"));
    const areas = ["account", "computes", "domains", "events", "images", "kube"];
    const withoutOne = wanted.map((lacking) => [
      ...areas.filter((area) => !lacking.startsWith(`${area}:`)).map((area) => `${area}:read_write`),
      ...(lacking.endsWith(":read_write") ? [lacking.replace(":read_write", ":read_only")] : []),
    ]);
    const username = `scoped-${operations.findIndex((each) => each.call === call)}`;
    const control = controls.createClient({ baseUrl: service.controls ?? "" });
    await controls.createUser(control, { body: { username, account: "another-yet" } });
    for (const scopes of withoutOne) {
      const { token: made } = await controls.createUserToken(control, {
        path: { username },
        body: { scopes: scopes.join(",") },
      });
      for (const ids of [there, missing]) {
        const { status, body } = await ask(call, ids, made);
        expect({ status, body }).toEqual({
          status: 401,
          body: JSON.stringify({ errors: [{ reason: "Your OAuth token is not authorized to use this endpoint." }] }),
        });
      }
    }
    const { token: exact } = await controls.createUserToken(control, {
      path: { username },
      body: { scopes: wanted.join(",") },
    });
    expect((await ask(call, missing, exact)).status).not.toBe(401);
  });
});
