import { createPostgresStore } from "@plumbline/server-runtime/limits/postgres";
import { createRedisStore } from "@plumbline/server-runtime/limits/redis";
import { Redis } from "ioredis";
import { Pool } from "pg";

/** Hits one key until a hit is rejected, from the first line of its input on. It reports each allowed hit before the next one. */
const [kind, place, max, now] = process.argv.slice(2);
const options = { timeoutMs: 60_000 };
const store =
  kind === "redis"
    ? createRedisStore(new Redis({ path: place }), options)
    : createPostgresStore(new Pool({ connectionString: place, max: 1 }), options);
const hit = { key: "killed", max: Number(max), windowSeconds: 3600, now: Number(now) };
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
while ((await store.consume(hit)).isAllowed) process.stdout.write("allowed\n");
process.exit(0);
