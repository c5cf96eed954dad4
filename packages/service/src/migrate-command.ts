import { defineCommand, flag, UsageError, type Command } from "@plumbline/command-line";
import { defaultDataFolder } from "./options.js";
import { readVariable, serveOptions } from "./serve-options.js";
import type { Store } from "./store/store.js";

const { data, databaseUrl, acceptLoss } = serveOptions;

/** The options of `cloud-compute migrate`. Those of the store are the options of `serve`. */
const migrateOptions = {
  data,
  databaseUrl,
  acceptLoss,
  distribute: flag("distribute the tables by account, on PostgreSQL with the extension citus (off)"),
};

/** `cloud-compute migrate`: brings a store to the schema of this version, as a step before the first replica starts. */
export const migrateCommand: Command<Pick<NodeJS.Process, "stdout" | "stderr">> = defineCommand({
  options: migrateOptions,
  text: "Brings a store to the schema of this version. A start does the same.",
  notes:
    "With --distribute, tables that are distributed already stay as they are, so that the command can be repeated.",
  examples: [
    "cloud-compute migrate --database-url postgres://localhost/cloud",
    "cloud-compute migrate --database-url postgres://localhost/cloud --distribute",
  ],
  variables: () => (name) => readVariable(name, process.env),
  run: async ({ data: folder, databaseUrl: url, acceptLoss: accepts, distribute: isDistributed }, { stdout }) => {
    if (url === undefined) {
      if (isDistributed) throw new UsageError("--distribute needs --database-url.");
      const { openSqlite } = await import("./store/sqlite.js");
      const store = await openSqlite(folder ?? defaultDataFolder(process.env), {
        acceptLoss: accepts ? () => {} : undefined,
      });
      stdout.write(await closeAndDescribe(store));
      return 0;
    }
    const { assertCitus, distribute } = await import("./store/distribute.js");
    if (isDistributed) await assertCitus(url);
    const { openPostgres } = await import("./store/postgres.js");
    stdout.write(await closeAndDescribe(await openPostgres(url)));
    if (!isDistributed) return 0;
    const { distributed, copied } = await distribute(url);
    stdout.write(`${distributed} tables were distributed, and ${copied} copied to all servers.\n`);
    return 0;
  },
});

async function closeAndDescribe(store: Store): Promise<string> {
  const { readStoreState } = await import("./store/statements.js");
  const { schema } = await readStoreState(store, Date.now());
  await store.close();
  return `The store has schema ${schema.version}. Programs for schema ${schema.oldest} or later can use it.\n`;
}
