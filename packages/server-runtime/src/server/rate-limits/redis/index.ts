import { maxLatenessMs } from "../sliding-window.js";
import { withAwayRule, type SharedStore, type SharedStoreOptions } from "../when-away.js";

export type { SharedStore, SharedStoreOptions, WhenAway } from "../when-away.js";

/** A connected client of `ioredis`, or of `redis` (node-redis), for Redis or Valkey. */
export type RedisClient =
  | { call(command: string, ...args: string[]): Promise<unknown> }
  | { sendCommand(args: string[]): Promise<unknown> };

export interface RedisStoreOptions extends SharedStoreOptions {
  /**
   * The beginning of all keys.
   *
   * @defaultValue `rate:`
   */
  readonly prefix?: string;
}

/**
 * Creates a store that counts rates in Redis or Valkey, for any number of processes: exact sliding windows, as those of `createMemoryStore`,
 * by the times that the server passes. One script runs for each hit.
 *
 * A key stays for an hour after its window, so a clock that stands still for longer forgets hits. What a failover of Redis does not
 * replicate is lost; with `appendfsync always`, a restart loses nothing.
 *
 * @param client a connected client of `ioredis` or `redis`; its owner closes it
 * @throws UnavailableError from `consume` while Redis is away, unless `whenAway` counts here
 *
 * @example
 * const server = createServer(handlers, { limits: { store: createRedisStore(new Redis(url)) } });
 */
export function createRedisStore(
  client: RedisClient,
  { prefix = "rate:", ...options }: RedisStoreOptions = {},
): SharedStore {
  const send = (command: string, ...args: string[]): Promise<unknown> =>
    "call" in client ? client.call(command, ...args) : client.sendCommand([command, ...args]);
  const hashes = new Map<string, Promise<string>>();
  const run = async (script: string, key: string, ...args: readonly number[]): Promise<unknown> => {
    const name = `${prefix}{${key}}`;
    const rest = ["2", name, `${name}:latest`, ...args.map(String)];
    const hash = hashes.get(script) ?? sha1(script);
    hashes.set(script, hash);
    try {
      return await send("EVALSHA", await hash, ...rest);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
      return send("EVAL", script, ...rest);
    }
  };
  return withAwayRule(
    {
      async consume({ key, max, windowSeconds, now }) {
        const counted = await run(hitScript, key, max, windowSeconds * 1000, now, maxLatenessMs);
        const [isAllowed, remaining, resetAt] = (counted as readonly unknown[]).map(Number);
        return { isAllowed: isAllowed === 1, remaining: remaining ?? 0, resetAt: resetAt ?? now };
      },
      async undo({ key, now }) {
        await run(undoScript, key, now);
      },
      async reset(key) {
        await run(resetScript, key);
      },
    },
    options,
  );
}

async function sha1(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** `SlidingWindow.hit` on a list of times, oldest first, and the latest time that counted as now. */
const hitScript = `
local max, window, now, lateness = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local function text(time) return string.format('%.0f', time) end
local latest = tonumber(redis.call('GET', KEYS[2]))
if latest and latest - now > math.max(window, lateness) then
  for index = 0, redis.call('LLEN', KEYS[1]) - 1 do redis.call('LSET', KEYS[1], index, text(now)) end
  latest = now
end
local at = math.max(latest or now, now)
local oldest = tonumber(redis.call('LINDEX', KEYS[1], 0))
while oldest and oldest <= at - window do
  redis.call('LPOP', KEYS[1])
  oldest = tonumber(redis.call('LINDEX', KEYS[1], 0))
end
local count = redis.call('LLEN', KEYS[1])
local isAllowed = 0
if count < max then
  redis.call('RPUSH', KEYS[1], text(at))
  count, isAllowed = count + 1, 1
end
redis.call('SET', KEYS[2], text(at))
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, text(window + 3600000)) end
return {isAllowed, math.max(0, max - count), text((oldest or at) + window)}
`;

/** `SlidingWindow.undo`: removes the oldest hit of this time or later. */
const undoScript = `
for index, time in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if tonumber(time) >= tonumber(ARGV[1]) then
    redis.call('LSET', KEYS[1], index - 1, 'undone')
    redis.call('LREM', KEYS[1], 1, 'undone')
    return 1
  end
end
return 0
`;

const resetScript = `return redis.call('DEL', KEYS[1], KEYS[2])`;
