import { mkdir, readFile, readdir, truncate, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { withFixtureFolder } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { findCacheFolder, folderCache, layeredCache, memoryCache } from "./cache.js";

test("a folder cache returns the value of a key", async () => {
  await withFixtureFolder({}, async (folder) => {
    await folderCache(path.join(folder, "deep", "er")).put("a", { text: "é\n", list: [1, null] });
    const cache = folderCache(path.join(folder, "deep", "er"));
    expect(await cache.get("a")).toEqual({ text: "é\n", list: [1, null] });
    expect(await cache.get("b")).toBeUndefined();
  });
});

test("a truncated, altered or invalid value counts as absent, and is written again", async () => {
  await withFixtureFolder({}, async (folder) => {
    const cache = folderCache(folder);
    await cache.put("a", "value");
    const [name = ""] = await readdir(folder);
    const stored = await readFile(path.join(folder, name), "utf8");
    for (const damaged of [stored.slice(0, -1), stored.replace("value", "other"), "", "{}"]) {
      await writeFile(path.join(folder, name), damaged);
      expect(await cache.get("a")).toBeUndefined();
    }
    await cache.put("a", "value");
    expect(await cache.get("a")).toBe("value");
    expect(await readdir(folder)).toEqual([name]);
  });
});

test("a folder that is not writable caches nothing, without an error", async () => {
  await withFixtureFolder({ file: "" }, async (folder) => {
    const cache = folderCache(path.join(folder, "file"));
    await cache.put("a", "value");
    expect(await cache.get("a")).toBeUndefined();
  });
});

test("a full folder cache keeps the newest values", async () => {
  await withFixtureFolder({}, async (folder) => {
    const old = path.join(folder, "old.json");
    await writeFile(old, "");
    await truncate(old, 256 * 2 ** 20);
    await utimes(old, new Date("2020-01-01"), new Date("2020-01-01"));
    await folderCache(folder).put("a", "value");
    expect(await readdir(folder)).not.toContain("old.json");
    expect(await folderCache(folder).get("a")).toBe("value");
  });
});

test("a memory cache keeps the most recently used values", async () => {
  const cache = memoryCache(2);
  await cache.put("a", 1);
  await cache.put("b", 2);
  await cache.get("a");
  await cache.put("c", 3);
  expect([await cache.get("a"), await cache.get("b"), await cache.get("c")]).toEqual([1, undefined, 3]);
});

test("a layered cache copies values to the first layer", async () => {
  const [near, far] = [memoryCache(), memoryCache()];
  const cache = layeredCache(near, far);
  await far.put("a", 1);
  expect([await cache.get("a"), await near.get("a")]).toEqual([1, 1]);
  await cache.put("b", 2);
  expect([await near.get("b"), await far.get("b")]).toEqual([2, 2]);
});

test("the cache folder is in the nearest parent node_modules", async () => {
  await withFixtureFolder({}, async (folder) => {
    await mkdir(path.join(folder, "node_modules"));
    await mkdir(path.join(folder, "a", "spec"), { recursive: true });
    const found = path.join(folder, "node_modules", ".cache", "plumbline");
    expect(findCacheFolder(path.join(folder, "a", "spec"))).toBe(found);
    await mkdir(path.join(folder, "a", "node_modules"));
    expect(findCacheFolder(path.join(folder, "a", "spec"))).toBe(
      path.join(folder, "a", "node_modules", ".cache", "plumbline"),
    );
  });
});
