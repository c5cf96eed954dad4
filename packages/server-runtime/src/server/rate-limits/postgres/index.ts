import { maxLatenessMs } from "../sliding-window.js";
import { withAwayRule, type SharedStore, type SharedStoreOptions } from "../when-away.js";

export type { SharedStore, SharedStoreOptions, WhenAway } from "../when-away.js";

/** A pool of `pg`, or anything else that runs a statement with parameters `$1`, `$2`, …. */
export interface PostgresClient {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

export interface PostgresStoreOptions extends SharedStoreOptions {
  /**
   * The name of the table, which may have the name of a schema before it. It has to exist: `createTable` creates it.
   *
   * @defaultValue `rate_limits`
   */
  readonly table?: string;
}

/** A store in a table of PostgreSQL. */
export interface PostgresStore extends SharedStore {
  /** Creates the table if it does not exist. */
  createTable(): Promise<void>;
  /**
   * Deletes the rows whose window has passed at a time in milliseconds since 1970, at most 1000 of them. Each 500th hit does so, too.
   *
   * @returns how many there were
   */
  forget(now: number): Promise<number>;
}

/**
 * Creates a store that counts rates in PostgreSQL, for any number of processes: exact sliding windows, as those of `createMemoryStore`, by
 * the times that the server passes. One statement runs for each hit, on one row for each key.
 *
 * @param client a pool of `pg`; its owner closes it
 * @throws TypeError if the name of the table is not one of letters, digits, `_` and one `.`
 * @throws UnavailableError from `consume` while PostgreSQL is away, unless `whenAway` counts here
 *
 * @example
 * const store = createPostgresStore(new Pool({ connectionString: url }));
 * await store.createTable();
 * const server = createServer(handlers, { limits: { store } });
 */
export function createPostgresStore(
  client: PostgresClient,
  { table = "rate_limits", ...options }: PostgresStoreOptions = {},
): PostgresStore {
  if (!/^[a-z_][\w]*(\.[a-z_][\w]*)?$/i.test(table))
    throw new TypeError(`table: ${JSON.stringify(table)} is not a name of letters, digits, "_" and one ".".`);
  const statements = statementsFor(table);
  const forget = async (now: number): Promise<number> => (await client.query(statements.forget, [now])).rows.length;
  let hits = 0;
  const store = withAwayRule(
    {
      async consume({ key, max, windowSeconds, now }) {
        hits += 1;
        // A failure to clean up is none of this request, and is repeated later.
        if (hits % 500 === 0) void forget(now).catch(() => undefined);
        const window = windowSeconds * 1000;
        const { rows } = await client.query(statements.hit, [
          textOf(key),
          max,
          window,
          now,
          Math.max(window, maxLatenessMs),
        ]);
        const { is_allowed: isAllowed, remaining, reset_at: resetAt } = rows[0] as HitRow;
        return { isAllowed, remaining: Number(remaining), resetAt: Number(resetAt) };
      },
      async undo({ key, now }) {
        await client.query(statements.undo, [textOf(key), now]);
      },
      async reset(key) {
        await client.query(statements.reset, [textOf(key)]);
      },
    },
    options,
  );
  const createTable = async (): Promise<void> => {
    const create = async (): Promise<void> => void (await client.query(statements.create, []));
    // `if not exists` fails where another process creates the table at the same time. By then it exists.
    await create().catch(create);
  };
  return { ...store, createTable, forget };
}

/** A key as a text of PostgreSQL, which has no NUL and no half of a pair of UTF-16. */
function textOf(key: string): string {
  return key.replaceAll(/[\\\0\ud800-\udfff]/gu, (each) => `\\${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

interface HitRow {
  readonly is_allowed: boolean;
  readonly remaining: number | string;
  readonly reset_at: number | string;
}

/** The statements. `times` has the times of allowed hits, oldest first; `latest` the latest time that counted as now. */
function statementsFor(table: string): Readonly<Record<"create" | "hit" | "undo" | "reset" | "forget", string>> {
  return {
    create: `create table if not exists ${table} (
  key text primary key, latest bigint not null, times bigint[] not null, is_allowed boolean not null, until bigint not null)`,
    // The conflict locks the row, so that concurrent hits of a key are counted one after the other.
    hit: `insert into ${table} as r (key, latest, times, is_allowed, until)
values ($1, $4::bigint, case when $2::bigint > 0 then array[$4::bigint] else '{}' end, $2::bigint > 0, $4::bigint + $3::bigint)
on conflict (key) do update set (latest, times, is_allowed, until) = (
  select at, case when cardinality(kept) < $2::bigint then kept || at else kept end, cardinality(kept) < $2::bigint, at + $3::bigint
  from (
    select at, array(select time from unnest(earlier) with ordinality as t(time, place) where time > at - $3::bigint order by place) as kept
    from (
      select case when is_set_back then $4::bigint else greatest(r.latest, $4::bigint) end as at,
        case when is_set_back then array_fill($4::bigint, array[cardinality(r.times)]) else r.times end as earlier
      from (select r.latest - $4::bigint > $5::bigint as is_set_back) as clock
    ) as settled
  ) as counted
)
returning is_allowed, greatest(0, $2::bigint - cardinality(times)) as remaining, coalesce(times[1], latest) + $3::bigint as reset_at`,
    undo: `update ${table} set times = times[:place - 1] || times[place + 1:]
from (select min(place) as place from ${table}, unnest(times) with ordinality as t(time, place) where key = $1 and time >= $2::bigint) as found
where key = $1 and place is not null`,
    reset: `delete from ${table} where key = $1`,
    forget: `delete from ${table} where key in (select key from ${table} where until <= $1::bigint limit 1000) and until <= $1::bigint returning 1`,
  };
}
