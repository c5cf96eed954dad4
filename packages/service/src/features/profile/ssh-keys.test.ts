import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start } from "../../testing.support.js";
import { publicKeys } from "./ssh-keys.support.js";

test("a key is added, renamed and removed, each with an event", async () => {
  const { admin } = await start();
  const made = await api.createSSHKey(admin, { body: { label: "My laptop", ssh_key: publicKeys.ed25519 } });
  expect(made).toEqual({
    id: 1,
    label: "My laptop",
    ssh_key: publicKeys.ed25519,
    created: expect.stringMatching(/Z$/),
  });
  const path = { sshKeyId: 1 };
  expect(await api.getSSHKey(admin, { path })).toEqual(made);
  expect(await api.listSSHKeys(admin)).toEqual({ data: [made], page: 1, pages: 1, results: 1 });
  const body = { ...made, label: "My old laptop", ssh_key: publicKeys.rsa };
  const renamed = { ...made, label: "My old laptop" };
  expect(await api.updateSSHKey(admin, { path, body })).toEqual(renamed);
  expect(await api.updateSSHKey(admin, { path, body: renamed })).toEqual(renamed);
  expect(await api.updateSSHKey(admin, { path, body: {} })).toEqual(renamed);
  expect(await api.deleteSSHKey(admin, { path })).toEqual({});
  expect((await api.listSSHKeys(admin)).results).toBe(0);
  expect(await failure(api.getSSHKey(admin, { path }))).toEqual([404, "Not found"]);
  expect(await failure(api.updateSSHKey(admin, { path, body: { label: "x" } }))).toEqual([404, "Not found"]);
  expect(await failure(api.deleteSSHKey(admin, { path }))).toEqual([404, "Not found"]);
  const { data } = await api.listEvents(admin);
  expect(data.map(({ action, entity, username }) => [action, entity, username])).toEqual([
    ["user_ssh_key_add", entityOf("My laptop"), "admin"],
    ["user_ssh_key_update", entityOf("My old laptop"), "admin"],
    ["user_ssh_key_delete", entityOf("My old laptop"), "admin"],
  ]);
});

test("accepts every type, with or without a comment, and repeated labels and keys", async () => {
  const { admin } = await start();
  const keys = [...Object.values(publicKeys), publicKeys.rsa.split(" ").slice(0, 2).join(" "), `${publicKeys.rsa}\n`];
  for (const ssh_key of keys) await api.createSSHKey(admin, { body: { label: "", ssh_key } });
  expect((await api.listSSHKeys(admin)).data.map(({ ssh_key }) => ssh_key)).toEqual(keys);
});

test("rejects a text that is not a public key", async () => {
  const { admin } = await start();
  const added = (ssh_key: string): Promise<unknown> =>
    failure(api.createSSHKey(admin, { body: { label: "x", ssh_key } }));
  const rejected = [400, "ssh_key: The SSH key is no whole public key of the format that it names"];
  expect(await added("ssh-rsa not-a-key")).toEqual(rejected);
  expect(await added(publicKeys.rsa.replace("ssh-rsa", "ssh-dss"))).toEqual(rejected);
  expect(await added(publicKeys.rsa.slice(0, 100))).toEqual(rejected);
  const malformed = [400, expect.stringMatching(/^ssh_key: /)];
  expect(
    await added("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE=\n-----END OPENSSH PRIVATE KEY-----"),
  ).toEqual(malformed);
  expect(await added(publicKeys.rsa.replace("ssh-rsa", "x509v3-ssh-rsa"))).toEqual(malformed);
  expect(await added(`${publicKeys.rsa}\n${publicKeys.ed25519}`)).toEqual(malformed);
  const longest = `${publicKeys.ed25519} `.padEnd(16_384, "x");
  expect(await added(`${longest}x`)).toEqual(malformed);
  expect((await api.createSSHKey(admin, { body: { label: "x", ssh_key: longest } })).ssh_key).toBe(longest);
});

test("a label has up to 64 characters", async () => {
  const { admin } = await start();
  const ssh_key = publicKeys.ed25519;
  const rejected = [400, expect.stringMatching(/^label: /)];
  expect(await failure(api.createSSHKey(admin, { body: { label: "x".repeat(65), ssh_key } }))).toEqual(rejected);
  const { id } = await api.createSSHKey(admin, { body: { label: "x".repeat(64), ssh_key } });
  const path = { sshKeyId: id };
  expect(await failure(api.updateSSHKey(admin, { path, body: { label: "y".repeat(65) } }))).toEqual(rejected);
  expect((await api.updateSSHKey(admin, { path, body: { label: "" } })).label).toBe("");
});

test("a user sees only their own keys", async () => {
  const { admin, user } = await start();
  const eve = await user("eve");
  await api.createSSHKey(eve, { body: { label: "Eve's", ssh_key: publicKeys.ed25519 } });
  expect((await api.listSSHKeys(admin)).results).toBe(0);
  const path = { sshKeyId: 1 };
  expect(await failure(api.getSSHKey(admin, { path }))).toEqual([404, "Not found"]);
  expect(await failure(api.updateSSHKey(admin, { path, body: { label: "mine" } }))).toEqual([404, "Not found"]);
  expect(await failure(api.deleteSSHKey(admin, { path }))).toEqual([404, "Not found"]);
  expect((await api.listSSHKeys(eve)).data.map(({ label }) => label)).toEqual(["Eve's"]);
});

test("instances can install the keys of users, and keep them when a user removes a key", async () => {
  const { admin } = await start();
  const body = {
    region: "us-east",
    type: "g6-nanode-1",
    image: "compute/debian12",
    root_pass: "aComplex-P4ssword",
    authorized_users: ["admin"],
  };
  await api.createSSHKey(admin, { body: { label: "laptop", ssh_key: publicKeys.ed25519 } });
  const { id } = await api.createInstance(admin, { body });
  await api.deleteSSHKey(admin, { path: { sshKeyId: 1 } });
  expect((await api.getInstance(admin, { path: { computeId: id } })).id).toBe(id);
});

function entityOf(label: string): object {
  return { id: 1, label, type: "user_ssh_key", url: "/v4/profile/sshkeys/1" };
}
