import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { sha256Hex } from "@plumbline/kit/openapi/files";

/** Caches generated values. A key contains everything that its value depends on. A lost value is generated again. */
export interface Cache {
  readonly get: (key: string) => Promise<unknown>;
  readonly put: (key: string, value: unknown) => Promise<void>;
}

export const noCache: Cache = { get: async () => undefined, put: async () => undefined };

/** A cache in memory of at most `most` values. It drops the least recently used value first. */
export function memoryCache(most = 64): Cache {
  const values = new Map<string, unknown>();
  const put = (key: string, value: unknown): void => {
    values.delete(key);
    values.set(key, value);
    for (const oldest of values.keys()) if (values.size > most) values.delete(oldest);
  };
  return {
    get: async (key) => {
      const value = values.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    put: async (key, value) => put(key, value),
  };
}

/** A cache of two layers. A value of the second layer is copied to the first when it is read. */
export function layeredCache(first: Cache, second: Cache): Cache {
  return {
    get: async (key) => {
      const near = await first.get(key);
      if (near !== undefined) return near;
      const far = await second.get(key);
      if (far !== undefined) await first.put(key, far);
      return far;
    },
    put: async (key, value) => {
      await first.put(key, value);
      await second.put(key, value);
    },
  };
}

/** Size limit of all values together, in bytes. The newest values stay. */
const maxCacheBytes: number = 256 * 2 ** 20;

/** A process prunes at first, and then now and then: to look at all files for each artifact takes as long as to generate a small one. */
const putsPerPruning = 64;
const putsByFolder = new Map<string, number>();

/**
 * A cache in a folder. Each value is one file: a line with a hash, then JSON. Writes are atomic. An unreadable or damaged file counts as
 * absent. A failed write is ignored, because a cache is optional.
 */
export function folderCache(folder: string): Cache {
  const fileOf = (key: string): string => path.join(folder, `${sha256Hex(key)}.json`);
  return {
    get: async (key) => {
      const file = fileOf(key);
      const stored = await readFile(file, "utf8").catch(() => "");
      const end = stored.indexOf("\n");
      const text = stored.slice(end + 1);
      if (end < 0 || stored.slice(0, end) !== sha256Hex(text)) return undefined;
      const now = new Date();
      await utimes(file, now, now).catch(() => undefined);
      return JSON.parse(text) as unknown;
    },
    put: async (key, value) => {
      const file = fileOf(key);
      const text = JSON.stringify(value);
      const temporary = `${file}.${process.pid}`;
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(temporary, `${sha256Hex(text)}\n${text}`);
        await rename(temporary, file);
        const puts = putsByFolder.get(folder) ?? 0;
        putsByFolder.set(folder, puts + 1);
        if (puts % putsPerPruning === 0) await prune(folder);
      } catch {
        await rm(temporary, { force: true }).catch(() => undefined);
      }
    },
  };
}

/** The cache folder in the nearest `node_modules` of the folder or its parents; undefined where there is none. */
export function findCacheFolder(from: string): string | undefined {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const modules = path.join(folder, "node_modules");
    if (existsSync(modules)) return path.join(modules, ".cache", "plumbline");
    if (path.dirname(folder) === folder) return undefined;
  }
}

async function prune(folder: string): Promise<void> {
  const names = await readdir(folder);
  const all = await Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(path.join(folder, name));
      return { name, size, mtimeMs };
    }),
  );
  let bytes = 0;
  for (const { name, size } of all.toSorted((a, b) => b.mtimeMs - a.mtimeMs)) {
    bytes += size;
    if (bytes > maxCacheBytes) await rm(path.join(folder, name), { force: true });
  }
}
