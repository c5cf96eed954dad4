import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

const plain = {
  label: "web",
  region: "us-east",
  k8s_version: "1.29",
  node_pools: [{ type: "g6-standard-2", count: 1 }],
};

const notPermitted = [403, expect.any(String)];
const outOfScope = [401, "Your OAuth token is not authorized to use this endpoint."];

/** Runs the jobs of the platform that are due, within the expected time. */
async function made(world: World, body: api.ClusterCreate = plain): Promise<api.Cluster> {
  const cluster = await api.createCluster(world.admin, { body });
  await world.settle();
  return api.getCluster(world.admin, { path: { clusterId: cluster.id } });
}

test("a cluster comes with its pools, their nodes and the instances of those, and is ready after two to five minutes", async () => {
  const world = await start();
  const { admin, advance } = world;
  const cluster = await api.createCluster(admin, {
    body: {
      ...plain,
      node_pools: [
        { type: "g6-standard-4", count: 2, autoscaler: { enabled: true, min: 1, max: 5 } },
        { type: "g6-standard-2", count: 1, disks: [{ size: 1024, type: "ext4" }], tags: ["storage"] },
      ],
      tags: ["production", "production"],
    },
  });
  expect(cluster).toEqual({
    id: 1,
    status: "not_ready",
    created: cluster.created,
    updated: cluster.created,
    label: "web",
    region: "us-east",
    k8s_version: "1.29",
    control_plane: { high_availability: false },
    tags: ["production"],
  });
  const path = { clusterId: cluster.id };
  const { data: begun } = await api.listClusterPools(admin, { path });
  expect(begun.map(({ nodes, ...pool }) => [pool, nodes.length])).toEqual([
    [{ id: 1, type: "g6-standard-4", count: 2, disks: [], autoscaler: { enabled: true, min: 1, max: 5 }, tags: [] }, 2],
    [
      {
        id: 2,
        type: "g6-standard-2",
        count: 1,
        disks: [{ size: 1024, type: "ext4" }],
        autoscaler: { enabled: false, min: 1, max: 1 },
        tags: ["storage"],
      },
      1,
    ],
  ]);
  for (const { id, nodes } of begun)
    for (const node of nodes)
      expect(node).toEqual({
        id: expect.stringMatching(`^${id}-[0-9a-f]{12}$`),
        instance_id: null,
        status: "not_ready",
      });
  expect((await api.listInstances(admin)).results).toBe(0);

  await advance("PT10S");
  const { data: instances } = await api.listInstances(admin);
  expect(instances.map(({ region, type, status }) => [region, type, status])).toEqual([
    ["us-east", "g6-standard-4", "provisioning"],
    ["us-east", "g6-standard-4", "provisioning"],
    ["us-east", "g6-standard-2", "provisioning"],
  ]);
  // A few seconds less, since a busy machine itself needs some.
  await advance("PT1M45S");
  const { data: joining } = await api.listClusterPools(admin, { path });
  expect(joining.flatMap(({ nodes }) => nodes).map(({ instance_id, status }) => [instance_id, status])).toEqual([
    [1, "not_ready"],
    [2, "not_ready"],
    [3, "not_ready"],
  ]);
  expect((await api.listEvents(admin, { headers: { "X-Filter": { action: "kube_node_create" } } })).data).toMatchObject(
    [{ status: "started" }, { status: "started" }, { status: "started" }],
  );
  // Nodes join a running API server, so clients that wait for the nodes can read the kubeconfig then.
  await advance("PT1M");
  const { data: waiting } = await api.listClusterPools(admin, { path });
  expect(waiting.flatMap(({ nodes }) => nodes).map(({ status }) => status)).toEqual(Array(3).fill("not_ready"));
  expect((await api.getCluster(admin, { path })).status).toBe("not_ready");
  await advance("PT10S");
  const { data: joined } = await api.listClusterPools(admin, { path });
  expect(joined.flatMap(({ nodes }) => nodes).map(({ status }) => status)).toEqual(["ready", "ready", "ready"]);
  const ready = await api.getCluster(admin, { path });
  expect(ready).toEqual({ ...cluster, status: "ready", updated: ready.updated });
  expect((Date.parse(ready.updated) - Date.parse(ready.created)) / 1000).toBe(180);
});

test("at pace 0, a cluster and its nodes are ready at once", async () => {
  const { admin, settle } = await start(["--pace", "0"]);
  const { id } = await api.createCluster(admin, {
    body: { ...plain, node_pools: [{ type: "g6-standard-2", count: 3 }] },
  });
  const path = { clusterId: id };
  await settle();
  expect((await api.getCluster(admin, { path })).status).toBe("ready");
  const ready = ["ready", "ready", "ready"];
  const statuses = async (): Promise<string[]> =>
    (await api.getClusterPool(admin, { path: { ...path, poolId: 1 } })).nodes.map(({ status }) => status);
  expect(await statuses()).toEqual(ready);
  await api.recycleCluster(admin, { path });
  await settle();
  expect(await statuses()).toEqual(ready);
  expect((await api.listInstances(admin)).data.map((each) => [each.id, each.status])).toEqual([
    [4, "running"],
    [5, "running"],
    [6, "running"],
  ]);
});

test("each node has an event that reports its creation and its cluster", async () => {
  const world = await start();
  const cluster = await made(world);
  const { data: pools } = await api.listClusterPools(world.admin, { path: { clusterId: cluster.id } });
  const [node] = pools[0]?.nodes ?? [];
  const { data } = await api.listEvents(world.admin, { headers: { "X-Filter": { action: "kube_node_create" } } });
  expect(data).toEqual([
    expect.objectContaining({
      status: "finished",
      duration: expect.any(Number),
      percent_complete: 100,
      username: "admin",
      entity: {
        id: node?.id,
        label: null,
        type: "kube_node",
        url: `/v4/kube/clusters/${cluster.id}/nodes/${node?.id}`,
      },
      secondary_entity: { id: cluster.id, label: "web", type: "kube", url: `/v4/kube/clusters/${cluster.id}` },
    }),
  ]);
  // Events record their start in whole seconds.
  expect(Math.floor(data[0]?.duration ?? 0)).toBe(180);
});

test("a cluster requires an existing version, region and instance type", async () => {
  const { admin } = await start();
  expect(await failure(api.createCluster(admin, { body: { ...plain, k8s_version: "1.27" } }))).toEqual([
    400,
    "k8s_version: There is no such Kubernetes version",
  ]);
  expect(await failure(api.createCluster(admin, { body: { ...plain, region: "nowhere" } }))).toEqual([
    400,
    "region: There is no such region",
  ]);
  expect(
    await failure(api.createCluster(admin, { body: { ...plain, node_pools: [{ type: "g6-huge", count: 1 }] } })),
  ).toEqual([400, "node_pools.0.type: There is no such instance type"]);
  expect((await api.listClusters(admin)).results).toBe(0);
});

test("a label is unique within an account, and other accounts may use it, too", async () => {
  const world = await start();
  const { admin, user } = world;
  const first = await api.createCluster(admin, { body: plain });
  const second = await api.createCluster(admin, { body: { ...plain, label: "db" } });
  const taken = [400, "label: Another cluster of the account has this label"];
  expect(await failure(api.createCluster(admin, { body: plain }))).toEqual(taken);
  expect(await failure(api.updateCluster(admin, { path: { clusterId: second.id }, body: { label: "web" } }))).toEqual(
    taken,
  );
  expect((await api.updateCluster(admin, { path: { clusterId: first.id }, body: { label: "web" } })).label).toBe("web");
  const other = await user("eve", { account: "other" });
  expect((await api.createCluster(other, { body: plain })).label).toBe("web");
  expect((await api.listClusters(other)).results).toBe(1);
});

test("responses show non-ASCII characters of a label as escape sequences", async () => {
  const { admin } = await start();
  const cluster = await api.createCluster(admin, { body: { ...plain, label: "café" } });
  expect(cluster.label).toBe("caf\\u00e9");
  const path = { clusterId: cluster.id };
  const long = await api.updateCluster(admin, { path, body: { label: "é".repeat(32) } });
  expect(long.label).toBe("\\u00e9".repeat(32));
  expect(await failure(api.updateCluster(admin, { path, body: { label: "é".repeat(33) } }))).toEqual([
    400,
    expect.any(String),
  ]);
  expect(await failure(api.updateCluster(admin, { path, body: { label: "😀" } }))).toEqual([400, expect.any(String)]);
  // Clients can send back what they read.
  expect(await api.updateCluster(admin, { path, body: { label: long.label } })).toEqual(long);
  expect(await failure(api.createCluster(admin, { body: { ...plain, label: "é".repeat(32) } }))).toMatchObject([
    400,
    "label: Another cluster of the account has this label",
  ]);
  const { data } = await api.listClusters(admin, { headers: { "X-Filter": { label: long.label } } });
  expect(data).toEqual([long]);
});

test("an update changes the fields it has, removes omitted tags, and has no effect without a change", async () => {
  const world = await start();
  const cluster = await made(world, { ...plain, tags: ["one", "two"].map((tag) => `${tag}-tag`) });
  const path = { clusterId: cluster.id };
  await world.advance("PT1H");
  const { label, k8s_version, control_plane, tags } = cluster;
  expect(await api.updateCluster(world.admin, { path, body: { label, k8s_version, control_plane, tags } })).toEqual(
    cluster,
  );
  const changed = await api.updateCluster(world.admin, { path, body: { label: "db", tags: ["two-tag"] } });
  expect(changed).toEqual({ ...cluster, label: "db", tags: ["two-tag"], updated: changed.updated });
  expect(Date.parse(changed.updated) - Date.parse(cluster.updated)).toBeGreaterThanOrEqual(3_600_000);
  expect(await api.getCluster(world.admin, { path })).toEqual(changed);
});

test("an upgrade goes to the next minor version only, and nodes keep their version until they are recycled", async () => {
  const world = await start();
  const { admin, settle } = world;
  const cluster = await made(world, { ...plain, k8s_version: "1.28" });
  const path = { clusterId: cluster.id };
  const images = async (): Promise<unknown[]> => (await api.listInstances(admin)).data.map(({ image }) => image);
  const notNext = [400, "k8s_version: The version is neither the current one nor the next minor version"];
  expect(await failure(api.updateCluster(admin, { path, body: { k8s_version: "1.30" } }))).toEqual(notNext);
  expect((await api.updateCluster(admin, { path, body: { k8s_version: "1.29" } })).k8s_version).toBe("1.29");
  expect(await failure(api.updateCluster(admin, { path, body: { k8s_version: "1.28" } }))).toEqual(notNext);
  await settle();
  expect(await images()).toEqual(["compute/debian12-kube-v1.28.15"]);
  await api.recycleCluster(admin, { path });
  await settle();
  expect(await images()).toEqual(["compute/debian12-kube-v1.29.10"]);
  expect((await api.updateCluster(admin, { path, body: { k8s_version: "1.30" } })).k8s_version).toBe("1.30");
  expect(await failure(api.updateCluster(admin, { path, body: { k8s_version: "1.31" } }))).toEqual(notNext);
});

test("clusters are listed by page, filtered by label, region and version", async () => {
  const { admin } = await start();
  await api.createCluster(admin, { body: plain });
  await api.createCluster(admin, { body: { ...plain, label: "db", region: "us-west" } });
  await api.createCluster(admin, { body: { ...plain, label: "old", k8s_version: "1.28" } });
  const labels = async (filter: api.ListClustersFilter): Promise<unknown[]> =>
    (await api.listClusters(admin, { headers: { "X-Filter": filter } })).data.map(({ label }) => label);
  expect(await api.listClusters(admin)).toMatchObject({ page: 1, pages: 1, results: 3 });
  expect(await labels({ region: "us-east" })).toEqual(["web", "old"]);
  expect(await labels({ k8s_version: "1.28" })).toEqual(["old"]);
  expect(await labels({ label: { "+contains": "B" } })).toEqual(["web", "db"]);
  expect(await labels({ "+order_by": "label", "+order": "desc" })).toEqual(["web", "old", "db"]);
  // @ts-expect-error -- the list has no such filter
  expect(await failure(api.listClusters(admin, { headers: { "X-Filter": { status: "ready" } } }))).toEqual([
    400,
    "X-Filter: Cannot filter on status",
  ]);
});

test("clusters require an unrestricted user of the account with the scope", async () => {
  const world = await start();
  const cluster = await made(world);
  const path = { clusterId: cluster.id };
  const restricted = await world.user("ann", { restricted: true });
  expect(await failure(api.listClusters(restricted))).toEqual(notPermitted);
  expect(await failure(api.createCluster(restricted, { body: plain }))).toEqual(notPermitted);
  expect(await failure(api.getCluster(restricted, { path }))).toEqual(notPermitted);
  expect(await failure(api.updateCluster(restricted, { path, body: {} }))).toEqual(notPermitted);
  expect(await failure(api.deleteCluster(restricted, { path }))).toEqual(notPermitted);
  const stranger = await world.user("eve", { account: "other" });
  expect(await failure(api.getCluster(stranger, { path }))).toEqual([404, "Not found"]);
  expect(await failure(api.updateCluster(stranger, { path, body: {} }))).toEqual([404, "Not found"]);
  expect(await failure(api.deleteCluster(stranger, { path }))).toEqual([404, "Not found"]);
  const reader = await world.user("bob", { scopes: "kube:read_only" });
  expect((await api.getCluster(reader, { path })).id).toBe(cluster.id);
  expect(await failure(api.updateCluster(reader, { path, body: {} }))).toEqual(outOfScope);
  expect(await failure(api.deleteCluster(reader, { path }))).toEqual(outOfScope);
});

test("deleting a cluster deletes its instances, pools and NodeBalancers, and keeps the volumes", async () => {
  const world = await start();
  const { admin, controls: client, settle } = world;
  const cluster = await made(world, { ...plain, node_pools: [{ type: "g6-standard-2", count: 2 }] });
  const path = { clusterId: cluster.id };
  const nodebalancer = { label: "kube1", region: "us-east" };
  expect(await failure(controls.createNodeBalancer(client, { body: nodebalancer }))).toEqual([400, expect.any(String)]);
  const [instance] = (await api.listInstances(admin)).data;
  const volume = await controls.createVolume(client, {
    body: { label: "data", size: 20, region: "us-east", compute_id: instance?.id ?? 0 },
  });
  expect(volume.compute_id).toBe(instance?.id);
  expect(await api.deleteCluster(admin, { path })).toEqual({});
  expect(await failure(api.getCluster(admin, { path }))).toEqual([404, "Not found"]);
  expect(await failure(api.listClusterPools(admin, { path }))).toEqual([404, "Not found"]);
  expect(await failure(api.getClusterKubeconfig(admin, { path }))).toEqual([404, "Not found"]);
  expect(await failure(api.getClusterDashboard(admin, { path }))).toEqual([404, "Not found"]);
  expect((await api.listInstances(admin)).data.map(({ status }) => status)).toEqual(["deleting", "deleting"]);
  await settle();
  expect((await api.listInstances(admin)).results).toBe(0);
  expect((await controls.createNodeBalancer(client, { body: nodebalancer })).label).toBe("kube1");
  expect((await api.createCluster(admin, { body: plain })).id).toBe(cluster.id + 1);
});

test("a cluster can be deleted during its creation, which creates nothing afterwards", async () => {
  const { admin, settle, advance } = await start();
  const { id } = await api.createCluster(admin, { body: plain });
  await advance("PT15S");
  await api.deleteCluster(admin, { path: { clusterId: id } });
  await settle();
  expect((await api.listInstances(admin)).results).toBe(0);
  expect((await api.listClusters(admin)).results).toBe(0);
  const { data } = await api.listEvents(admin, { headers: { "X-Filter": { action: "kube_node_create" } } });
  expect(data.map(({ status }) => status)).toEqual(["failed"]);
});

test("the Kubernetes versions are three minors, oldest first", async () => {
  const { admin, user } = await start();
  expect(await api.listKubeVersions(admin)).toEqual({
    data: [{ id: "1.28" }, { id: "1.29" }, { id: "1.30" }],
    page: 1,
    pages: 1,
    results: 3,
  });
  expect(await api.getKubeVersion(admin, { path: { version: "1.29" } })).toEqual({ id: "1.29" });
  expect(await failure(api.getKubeVersion(admin, { path: { version: "1.31" } }))).toEqual([404, "Not found"]);
  const restricted = await user("ann", { restricted: true });
  expect((await api.listKubeVersions(restricted)).results).toBe(3);
  expect(await failure(api.listKubeVersions(await user("eve", { scopes: "domains:read_only" })))).toEqual(outOfScope);
});
