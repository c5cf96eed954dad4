import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createMemoryStore, isUnavailable, type RateLimitStore } from "@plumbline/server-runtime";
import { createPostgresStore } from "@plumbline/server-runtime/limits/postgres";
import { createRedisStore, type RedisClient } from "@plumbline/server-runtime/limits/redis";
import { checkRateLimitStore } from "@plumbline/server-runtime/limits/testing";
import { Redis } from "ioredis";
import { Pool } from "pg";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort, sharedPostgres, startOwnPostgres } from "../src/store/postgres.support.js";
import { findProgram } from "../src/system-programs.support.js";

const hasRedis = findProgram("redis-server") !== undefined;
const now = 1_800_000_000_000;
const hit = { key: "reads user-1", max: 3, windowSeconds: 10, now };

test("the store of memory passes the checks that it defines", async () => {
  await checkRateLimitStore(createMemoryStore(), { seed: 7, start: now });
});

/** A busy machine may need more than the default. */
const patient = { timeoutMs: 60_000 };

describe("the checks of stores", () => {
  const memory = createMemoryStore();
  const wrong: readonly (readonly [string, RateLimitStore])[] = [
    ["counts rejected hits", { consume: (each) => memory.consume({ ...each, max: each.max + 1 }) }],
    ["forgets the window", { consume: (each) => ({ ...memory.consume(each), resetAt: each.now }) }],
    ["ignores what is undone", { ...createMemoryStore(), undo: () => undefined }],
    ["ignores resets", { ...createMemoryStore(), reset: () => undefined }],
    [
      "counts two concurrent hits as one",
      {
        consume: async (each) => {
          const store = createMemoryStore();
          await Promise.resolve();
          return each.key.endsWith("concurrent") ? store.consume(each) : memory.consume(each);
        },
        undo: memory.undo,
        reset: memory.reset,
      },
    ],
  ];
  test.each(wrong)("fail for one that %s", async (_, store) => {
    await expect(checkRateLimitStore(store, { seed: 3, start: now })).rejects.toThrow(/Expected|were allowed/);
  });
});

describe.skipIf(!hasRedis)("the store in Redis", () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterAll(() => redis.end());

  test("counts as the store of memory does, with a client of ioredis", async () => {
    const client = new Redis({ path: redis.socket });
    try {
      await checkRateLimitStore(createRedisStore(client, patient), { seed: 11, start: now });
    } finally {
      client.disconnect();
    }
  });

  test("counts as the store of memory does, with a client of node-redis", async () => {
    const client = createClient({ socket: { path: redis.socket, tls: false } });
    await client.connect();
    try {
      await checkRateLimitStore(createRedisStore(client, patient), { seed: 13, start: now });
    } finally {
      client.destroy();
    }
  });

  test("runs one command for each hit, on keys that end by themselves, below a prefix", async () => {
    const client = new Redis({ path: redis.socket });
    try {
      const sent: string[] = [];
      const counted: RedisClient = {
        call: async (command, ...args) => {
          sent.push(command);
          return client.call(command, ...args);
        },
      };
      const store = createRedisStore(counted, { prefix: "mine:", ...patient });
      await store.consume(hit);
      expect(sent.at(0)).toBe("EVALSHA");
      sent.length = 0;
      await store.consume(hit);
      expect(sent).toEqual(["EVALSHA"]);
      const keys = (await client.keys("mine:*")).toSorted();
      expect(keys).toEqual(["mine:{reads user-1}", "mine:{reads user-1}:latest"]);
      for (const key of keys) expect(await client.pttl(key)).toBeGreaterThan(hit.windowSeconds * 1000);
      await store.reset(hit.key);
      expect(await client.keys("mine:*")).toEqual([]);
    } finally {
      client.disconnect();
    }
  });

  test("several connections with clocks that differ never exceed a limit", async () => {
    const clients = Array.from({ length: 4 }, () => new Redis({ path: redis.socket }));
    try {
      expect(await allowedOf(clients.map((client) => createRedisStore(client, { prefix: "many:", ...patient })))).toBe(
        25,
      );
    } finally {
      for (const client of clients) client.disconnect();
    }
  });

  test("processes that are killed while they count never exceed a limit", async () => {
    await expectExactCounts("redis", redis.socket);
  });

  test("after a failover, as many requests more are allowed as were not replicated", async () => {
    const port = await freePort();
    const first = await RedisServer.start(["--save", "", "--port", String(port)]);
    const second = await RedisServer.start(["--save", "", "--replicaof", "127.0.0.1", String(port)]);
    const [primary, replica] = [first, second].map(({ socket }) => new Redis({ path: socket })) as [Redis, Redis];
    primary.on("error", () => undefined); // when it is killed
    try {
      const before = createRedisStore(primary, patient);
      await before.consume(hit);
      expect(await primary.wait(1, 0)).toBe(1);
      await replica.replicaof("NO", "ONE");
      expect((await before.consume(hit)).remaining).toBe(1);
      await first.kill();
      const after = createRedisStore(replica, patient);
      expect((await after.consume(hit)).remaining).toBe(1);
      expect((await after.consume(hit)).remaining).toBe(0);
      expect((await after.consume(hit)).isAllowed).toBe(false);
    } finally {
      for (const client of [primary, replica]) client.disconnect();
      for (const server of [first, second]) await server.end();
    }
  });

  test("after a restart with appendfsync always, the counts are those before", async () => {
    const own = await RedisServer.start(["--appendonly", "yes", "--appendfsync", "always"]);
    const client = new Redis({ path: own.socket, maxRetriesPerRequest: null, retryStrategy: () => 20 });
    client.on("error", () => undefined); // while it is away
    try {
      const store = createRedisStore(client, patient);
      expect((await store.consume(hit)).remaining).toBe(2);
      expect((await store.consume(hit)).remaining).toBe(1);
      await own.kill();
      await own.restart();
      expect((await store.consume(hit)).remaining).toBe(0);
      expect((await store.consume(hit)).isAllowed).toBe(false);
    } finally {
      client.disconnect();
      await own.end();
    }
  });
});

describe("the store in PostgreSQL", () => {
  let pool: Pool;
  beforeAll(async () => {
    pool = new Pool({ connectionString: await sharedPostgres().database(), max: 8 });
    await createPostgresStore(pool, patient).createTable();
  });
  afterAll(() => pool.end());

  test("counts as the store of memory does", async () => {
    await checkRateLimitStore(createPostgresStore(pool, patient), { seed: 17, start: now });
  });

  test("runs one statement for each hit, on one row for each key", async () => {
    const sent: string[] = [];
    const store = createPostgresStore(
      {
        query: async (text, values) => {
          sent.push(text);
          return pool.query<object>(text, values);
        },
      },
      patient,
    );
    for (let each = 0; each < 3; each += 1) await store.consume({ ...hit, key: "one row" });
    expect(sent).toHaveLength(3);
    const { rows } = await pool.query("select cardinality(times) as hits from rate_limits where key = 'one row'");
    expect(rows).toEqual([{ hits: 3 }]);
  });

  test("several stores with clocks that differ never exceed a limit", async () => {
    expect(await allowedOf(Array.from({ length: 4 }, () => createPostgresStore(pool, patient)))).toBe(25);
  });

  test("processes that are killed while they count never exceed a limit", async () => {
    const url = await sharedPostgres().database();
    await expectExactCounts("postgres", url);
  });

  test("after a crash of the server, the counts are those before", async () => {
    const own = await startOwnPostgres();
    try {
      const allowed = async (times: number): Promise<readonly boolean[]> => {
        const client = new Pool({ connectionString: own.url });
        client.on("error", () => undefined); // when the server stops
        const store = createPostgresStore(client, patient);
        await store.createTable();
        const results: boolean[] = [];
        while (results.length < times) results.push((await store.consume(hit)).isAllowed);
        await client.end();
        return results;
      };
      expect(await allowed(2)).toEqual([true, true]);
      await own.stop();
      await own.restart();
      expect(await allowed(2)).toEqual([true, false]);
    } finally {
      await own.close();
    }
  });

  test("forgets keys whose window has passed, and no others", async () => {
    const store = createPostgresStore(pool, { table: "forgotten", ...patient });
    await store.createTable();
    await store.createTable();
    for (const key of ["a", "b"]) await store.consume({ ...hit, key });
    await store.consume({ ...hit, key: "c", now: now + 5000 });
    expect(await store.forget(now + 9999)).toBe(0);
    expect(await store.forget(now + 10_000)).toBe(2);
    expect((await store.consume({ ...hit, key: "c", now: now + 10_000 })).remaining).toBe(1);
  });

  test("several processes create the table at the same time", async () => {
    const creating = Array.from({ length: 8 }, () =>
      createPostgresStore(pool, { table: "together", ...patient }).createTable(),
    );
    await Promise.all(creating);
    expect((await createPostgresStore(pool, { table: "together", ...patient }).consume(hit)).isAllowed).toBe(true);
  });

  test.each(["rates; drop table x", "a.b.c", "1rates", ""])("rejects the name of a table %j", (table) => {
    expect(() => createPostgresStore(pool, { table })).toThrow(/^table: /);
  });
});

describe("a store that is away", () => {
  const failing: RedisClient = { call: async () => Promise.reject(new Error("connect ECONNREFUSED")) };
  const silent: RedisClient = { call: () => new Promise(() => undefined) };

  test.each([
    ["fails", failing, undefined],
    ["does not answer", silent, 5],
  ])("that %s: a request is rejected with 503", async (_, client, timeoutMs) => {
    const store = createRedisStore(client, timeoutMs === undefined ? {} : { timeoutMs });
    const error: unknown = await Promise.resolve(store.consume(hit)).catch((thrown: unknown) => thrown);
    expect(isUnavailable(error)).toBe(true);
  });

  test("is counted here for the limits that say so", async () => {
    const whenAway = (limit: string) => (limit === "reads" ? "count-here" : "reject");
    const store = createRedisStore(failing, { whenAway });
    const tallies = [1, 2, 3, 4].map(async () => (await store.consume(hit)).isAllowed);
    expect(await Promise.all(tallies)).toEqual([true, true, true, false]);
    await expect(store.consume({ ...hit, key: "writes user-1" })).rejects.toThrow("is not available");
  });
});

/** How many of 100 hits in the same window are allowed, of which each store sends every fourth by a clock of its own. */
async function allowedOf(stores: readonly RateLimitStore[]): Promise<number> {
  const hits = Array.from({ length: 100 }, async (_, index) => {
    const late = (index % stores.length) * 700;
    return stores[index % stores.length]?.consume({ key: "many", max: 25, windowSeconds: 60, now: now + late });
  });
  return (await Promise.all(hits)).filter((each) => each?.isAllowed === true).length;
}

const hitting = fileURLToPath(new URL("support/hitting.mjs", import.meta.url));

/** Lets six processes hit one key by clocks that differ, and kills three of them at their fifth allowed hit. */
async function expectExactCounts(kind: "redis" | "postgres", place: string): Promise<void> {
  const [max, killed] = [600, 3];
  let allowed = 0;
  const processes = Array.from({ length: 6 }, (_, index) => {
    const args = [hitting, kind, place, String(max), String(now + index * 700)];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface(child.stdout);
    const ready = once(lines, "line");
    const exited = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
    let hits = 0;
    lines.on("line", (line) => {
      if (line !== "allowed") return;
      allowed += 1;
      hits += 1;
      if (index < killed && hits === 5) child.kill("SIGKILL");
    });
    return { child, ready, exited };
  });
  await Promise.all(processes.map(({ ready }) => ready));
  for (const { child } of processes) child.stdin.write("go\n");
  const ends = await Promise.all(processes.map(({ exited }) => exited));
  expect(ends.map(([code, signal]) => signal ?? code)).toEqual(["SIGKILL", "SIGKILL", "SIGKILL", 0, 0, 0]);
  // A killed process may not have reported its last hit.
  expect(allowed).toBeLessThanOrEqual(max);
  expect(allowed).toBeGreaterThanOrEqual(max - killed);
}

/** A Redis of Debian on a socket in a folder of its own. */
class RedisServer {
  readonly socket: string;
  readonly #folder: string;
  readonly #options: readonly string[];
  #process: ReturnType<typeof spawn> | undefined;

  private constructor(folder: string, options: readonly string[]) {
    this.#folder = folder;
    this.#options = options;
    this.socket = path.join(folder, "redis.sock");
  }

  static async start(options: readonly string[] = ["--save", ""]): Promise<RedisServer> {
    const server = new RedisServer(mkdtempSync(path.join(tmpdir(), "redis-")), options);
    await server.restart();
    return server;
  }

  async restart(): Promise<void> {
    const args = ["--port", "0", "--unixsocket", this.socket, "--dir", this.#folder, ...this.#options];
    const started = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] });
    this.#process = started;
    await new Promise<void>((resolve, reject) => {
      started.on("exit", () => reject(new Error("redis-server has ended")));
      started.stdout.on("data", (chunk) => {
        if (/ready to accept connections/i.test(String(chunk))) resolve();
      });
    });
  }

  /** As a crash. */
  async kill(): Promise<void> {
    await this.#stop("SIGKILL");
  }

  async end(): Promise<void> {
    await this.#stop("SIGTERM");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #stop(signal: NodeJS.Signals): Promise<void> {
    const running = this.#process;
    if (running === undefined) return;
    this.#process = undefined;
    const exited = once(running, "exit");
    running.kill(signal);
    await exited;
  }
}
