import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { start } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

test("an unrestricted user gets 204 instead of grants", async () => {
  const { admin } = await start();
  const seen: number[] = [];
  const grants = await api.getGrants(admin, {}, { onResponse: ({ status }) => void seen.push(status) });
  expect([grants, seen]).toEqual([undefined, [204]]);
});

test("a restricted user starts without grants, and any token may read them", async () => {
  const { user } = await start();
  const eve = await user("eve", { restricted: true, scopes: "domains:read_only" });
  expect(await api.getGrants(eve)).toEqual({ global: nothing, ...noEntities });
});

test("grants have the current labels of their entities, and disappear with them", async () => {
  const { admin, user, controls: client, settle } = await start();
  const eve = await user("eve", { restricted: true });
  const { id } = await api.createInstance(admin, { body: { region: "us-east", type: "g6-nanode-1", label: "web-1" } });
  const volume = await controls.createVolume(client, { body: { label: "data", size: 10, region: "us-east" } });
  const balancer = await controls.createNodeBalancer(client, { body: { label: "front", region: "us-east" } });
  const script = await controls.createStackScript(client, { body: { label: "setup", images: ["compute/debian12"] } });
  const set = await controls.setGrants(client, {
    path: { username: "eve" },
    body: {
      global: { add_computes: true, account_access: "read_only" },
      compute: [{ id, permissions: "read_only" }],
      volume: [{ id: volume.id, permissions: "read_write" }],
      nodebalancer: [{ id: balancer.id, permissions: "read_only" }],
      stackscript: [{ id: script.id, permissions: "read_only" }],
      domain: [{ id: 99, permissions: "read_write" }],
    },
  });
  const grants = {
    global: { ...nothing, add_computes: true, account_access: "read_only" },
    ...noEntities,
    compute: [{ id, label: "web-1", permissions: "read_only" }],
    volume: [{ id: volume.id, label: "data", permissions: "read_write" }],
    nodebalancer: [{ id: balancer.id, label: "front", permissions: "read_only" }],
    stackscript: [{ id: script.id, label: "setup", permissions: "read_only" }],
  };
  // A grant on a missing domain is dropped.
  expect(set).toEqual(grants);
  expect(await api.getGrants(eve)).toEqual(grants);
  await api.updateInstance(admin, { path: { computeId: id }, body: { label: "web-2" } });
  expect((await api.getGrants(eve))?.compute).toEqual([{ id, label: "web-2", permissions: "read_only" }]);
  await api.deleteInstance(admin, { path: { computeId: id } });
  await settle();
  expect(await api.getGrants(eve)).toEqual({ ...grants, compute: [] });
});

test("the creator of an entity sees the grant on it", async () => {
  const { user, controls: client } = await start();
  const eve = await user("eve", { restricted: true });
  await controls.setGrants(client, { path: { username: "eve" }, body: { global: { add_computes: true } } });
  const { id } = await api.createInstance(eve, { body: { region: "us-east", type: "g6-nanode-1", label: "own" } });
  expect((await api.getGrants(eve))?.compute).toEqual([{ id, label: "own", permissions: "read_write" }]);
});

const nothing = {
  account_access: null,
  add_databases: false,
  add_domains: false,
  add_firewalls: false,
  add_images: false,
  add_computes: false,
  add_longview: false,
  add_nodebalancers: false,
  add_stackscripts: false,
  add_volumes: false,
  cancel_account: false,
  longview_subscription: false,
};
const noEntities = { domain: [], image: [], compute: [], longview: [], nodebalancer: [], stackscript: [], volume: [] };
