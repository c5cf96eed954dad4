import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start } from "../../testing.support.js";
import { publicKeys } from "../profile/ssh-keys.support.js";

const many = (count: number, key: string): string[] => Array.from({ length: count }, () => key);
const tooMany = [400, "authorized_keys: must have at most 100 items"];

test("a profile has at most 100 keys, and more are rejected before parsing any", async () => {
  const { admin } = await start();
  const update = (authorized_keys: string[]) => api.updateProfile(admin, { body: { authorized_keys } });
  const { authorized_keys: stored } = await update(many(100, publicKeys.ed25519));
  expect(stored).toHaveLength(100);
  expect(await failure(update(many(101, publicKeys.ed25519)))).toEqual(tooMany);
  // Parsing a key would report its index.
  expect(await failure(update(many(20_000, "no key")))).toEqual(tooMany);
  expect((await api.getProfile(admin)).authorized_keys).toEqual(stored);
});

test("an instance is created with at most 100 keys", async () => {
  const { admin } = await start();
  const create = (authorized_keys: string[]) =>
    api.createInstance(admin, { body: { region: "us-east", type: "g6-nanode-1", authorized_keys } });
  expect((await create(many(100, publicKeys.ed25519))).id).toBe(1);
  expect(await failure(create(many(101, publicKeys.ed25519)))).toEqual(tooMany);
});
