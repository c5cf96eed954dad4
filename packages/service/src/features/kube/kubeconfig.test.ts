import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as api from "@cloud-compute/client";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { findProgram } from "../../system-programs.support.js";
import { failure, start, type World } from "../../testing.support.js";

const kubectl = findProgram("kubectl");

/** A world with a cluster that is still being created. */
async function withCluster(): Promise<World & { readonly path: { readonly clusterId: number } }> {
  const world = await start();
  const { id } = await api.createCluster(world.admin, {
    body: { label: "web", region: "us-east", k8s_version: "1.30", node_pools: [] },
  });
  return { ...world, path: { clusterId: id } };
}

async function kubeconfig({ admin, path }: Awaited<ReturnType<typeof withCluster>>): Promise<string> {
  const { kubeconfig: sent } = await api.getClusterKubeconfig(admin, { path });
  return Buffer.from(sent, "base64").toString("utf8");
}

interface Config {
  readonly clusters: readonly [{ readonly cluster: Readonly<Record<string, string>> }];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}

function read(text: string): Config {
  // The tests check the content.
  return parse(text) as Config;
}

test("the endpoints and the kubeconfig are available when the cluster is ready, the dashboard at once", async () => {
  const world = await withCluster();
  const { admin, path, advance } = world;
  const notYet = async (): Promise<void> => {
    expect(await failure(api.listClusterApiEndpoints(admin, { path }))).toEqual([
      503,
      "Cluster API Endpoints are not yet available. Please try again later.",
    ]);
    expect(await failure(api.getClusterKubeconfig(admin, { path }))).toEqual([
      503,
      "Cluster kubeconfig is not yet available. Please try again later.",
    ]);
  };
  await notYet();
  expect(await api.getClusterDashboard(admin, { path })).toEqual({
    url: "https://1.dashboard.kube.cloud-compute.example",
  });
  await advance("PT2M55S");
  await notYet();
  await advance("PT5S");
  expect(await api.listClusterApiEndpoints(admin, { path })).toEqual({
    data: [
      { endpoint: "https://kube1.us-east.kube.cloud-compute.example:443" },
      { endpoint: "https://kube1.us-east.kube.cloud-compute.example:6443" },
      { endpoint: "https://198.51.100.1:443" },
      { endpoint: "https://198.51.100.1:6443" },
    ],
    page: 1,
    pages: 1,
    results: 4,
  });
  expect(await kubeconfig(world)).toMatch(/^apiVersion: v1\n/);
});

test("a kubeconfig has the address of the API server, its certificate and the user's token", async () => {
  const world = await withCluster();
  await world.settle();
  const text = await kubeconfig(world);
  expect(read(text)).toEqual({
    apiVersion: "v1",
    kind: "Config",
    preferences: {},
    clusters: [
      {
        name: "kube1",
        cluster: {
          "certificate-authority-data": expect.any(String),
          server: "https://kube1.us-east.kube.cloud-compute.example:443",
        },
      },
    ],
    users: [{ name: "kube1-admin", user: { token: expect.stringMatching(/^[0-9a-f]{64}$/) } }],
    contexts: [{ name: "kube1-ctx", context: { cluster: "kube1", namespace: "default", user: "kube1-admin" } }],
    "current-context": "kube1-ctx",
  });
  const authority = read(text).clusters[0].cluster["certificate-authority-data"] ?? "";
  const certificate = new X509Certificate(Buffer.from(authority, "base64"));
  expect([certificate.ca, certificate.subject, certificate.issuer]).toEqual([true, "CN=kubernetes", "CN=kubernetes"]);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(await kubeconfig(world)).toBe(text);
});

test.skipIf(kubectl === undefined)("kubectl reads a kubeconfig, if this machine has it", async () => {
  const world = await withCluster();
  await world.settle();
  const text = await kubeconfig(world);
  const folder = await mkdtemp(join(tmpdir(), "kubeconfig-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "config");
  await writeFile(file, text, { mode: 0o600 });
  const { stdout } = await promisify(execFile)(kubectl ?? "", [
    "config",
    "view",
    "--raw",
    "--kubeconfig",
    file,
    "--output",
    "json",
  ]);
  expect(JSON.parse(stdout)).toEqual(read(text));
});

test("a deleted kubeconfig is created again with another token", async () => {
  const world = await withCluster();
  const { admin, path, settle } = world;
  // A kubeconfig that does not exist yet can be deleted, too.
  expect(await api.deleteClusterKubeconfig(admin, { path })).toEqual({});
  await settle();
  const before = read(await kubeconfig(world));
  expect(await api.deleteClusterKubeconfig(admin, { path })).toEqual({});
  const after = read(await kubeconfig(world));
  expect(after.users[0].user.token).not.toBe(before.users[0].user.token);
  expect(after.clusters).toEqual(before.clusters);
  expect((await api.getCluster(admin, { path })).status).toBe("ready");
});

test("access requires an unrestricted user of the account, and for a kubeconfig the scope for changes", async () => {
  const { path, settle, user } = await withCluster();
  await settle();
  const all = (client: api.Client): readonly (() => Promise<unknown>)[] => [
    () => api.listClusterApiEndpoints(client, { path }),
    () => api.getClusterDashboard(client, { path }),
    () => api.getClusterKubeconfig(client, { path }),
    () => api.deleteClusterKubeconfig(client, { path }),
  ];
  for (const call of all(await user("eve", { account: "other" })))
    expect(await failure(call())).toEqual([404, "Not found"]);
  for (const call of all(await user("ann", { restricted: true })))
    expect(await failure(call())).toEqual([403, expect.any(String)]);
  const [endpoints, dashboard, ...secret] = all(await user("bob", { scopes: "kube:read_only" }));
  expect(await endpoints?.()).toMatchObject({ results: 4 });
  expect(await dashboard?.()).toMatchObject({ url: expect.any(String) });
  for (const call of secret) expect(await failure(call())).toEqual([401, expect.any(String)]);
});
