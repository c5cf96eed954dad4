import { Client } from "pg";
import { partitionKeyOf } from "./schema.js";
import { storedTables } from "./tables.js";

/** The server cannot distribute tables. */
export class NoCitusError extends Error {
  override readonly name = "NoCitusError";
}

/** How many tables were distributed, and how many were copied to all servers. */
export interface Distribution {
  readonly distributed: number;
  readonly copied: number;
}

/**
 * Checks that the server has Citus.
 *
 * @throws NoCitusError if it does not
 */
export function assertCitus(url: string): Promise<void> {
  return connectedTo(url, async (client) => {
    const { rowCount } = await client.query("select 1 from pg_extension where extname = 'citus'");
    if (rowCount === 0)
      throw new NoCitusError(
        "the database does not have the extension citus, so its tables cannot be distributed; nothing was changed. Create the extension, or leave out --distribute",
      );
  });
}

/** Distributes the tables of a migrated store that are not distributed yet: rows of an account have one place, and those of the platform are everywhere. */
export function distribute(url: string): Promise<Distribution> {
  return connectedTo(url, async (client) => {
    const { rows } = await client.query<{ readonly name: string }>("select table_name::text as name from citus_tables");
    const already = new Set(rows.map(({ name }) => name.replaceAll('"', "")));
    const distribution = { distributed: 0, copied: 0 };
    // Rates stay on the coordinator: the statement that counts a hit has subqueries, which Citus does not distribute in an insert.
    for (const name of storedTables.filter((each) => !already.has(each))) {
      const key = partitionKeyOf(name);
      if (key === undefined) {
        await client.query("select create_reference_table($1)", [name]);
        distribution.copied += 1;
      } else {
        await client.query("select create_distributed_table($1, $2)", [name, key]);
        distribution.distributed += 1;
      }
    }
    return distribution;
  });
}

async function connectedTo<T>(url: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
