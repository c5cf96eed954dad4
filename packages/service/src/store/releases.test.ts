import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { expanding, later, nameOf } from "../../test/support/planted.js";
import { packStores, type PackedStores, type Release } from "../../test/support/releases.js";
import { migrations, programVersion, tablesOf } from "./migrations.js";
import { sharedPostgres } from "./postgres.support.js";
import type { Store } from "./store.js";
import { tables, type Table } from "./tables.js";
import type { Transaction } from "./transaction.js";

/** A place for a store, which the stores of any release open. */
type Place = () => Promise<(stores: PackedStores) => Promise<Store>>;

const places: Readonly<Record<string, Place>> = {
  "in a file": async () => {
    const folder = mkdtempSync(join(tmpdir(), "plumbline-store-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return ({ openSqlite }) => openSqlite(folder);
  },
  "on PostgreSQL": async () => {
    const url = await sharedPostgres().emptyDatabase();
    return ({ openPostgres }) => openPostgres(url);
  },
};

const releaseOf = (version: number): Release => ({ tables: tablesOf(version), migrations: { until: version } });

/** What a planted migration does to the program before it. */
function plant(change: string, ...statements: readonly string[]): Release {
  return {
    tables,
    migrations: { add: [{ name: nameOf(change), oldest: programVersion, statements, tablesBefore: tables }] },
  };
}

/** Each migration after the first, with every release that can use the schema after it. */
const steps = migrations.slice(1).flatMap(({ name, oldest }) => {
  const version = Number.parseInt(name, 10);
  return Array.from({ length: version - oldest }, (_, index) => ({
    name: `${name}, by the program for schema ${oldest + index}`,
    before: releaseOf(oldest + index),
    after: releaseOf(version),
  }));
});

describe.each(Object.entries(places))(
  "a program uses the schema after a migration that it does not know, %s",
  (_, at) => {
    const before = releaseOf(programVersion);

    test.each([{ name: `${expanding.name}, which is planted`, before, after: later }, ...steps])(
      "$name",
      async (step) => {
        expect(await findFailures(step, await at())).toEqual([]);
      },
    );

    test.each([
      ["drops a column", plant("drop", "alter table logins drop column datetime"), "datetime"],
      ["renames a column", plant("rename", "alter table volumes rename column compute_id to instance"), "compute_id"],
      [
        "adds a column that needs a value",
        plant(
          "strict",
          "drop table preferences",
          'create table preferences (account text not null, id text not null, doc text not null, "user" text, hash text not null, primary key (account, id))',
        ),
        "hash",
      ],
      ["adds a constraint", plant("unique", "create unique index devices_of on devices (account)"), "devices"],
      ["drops a table", plant("gone", "drop table counts"), "counts"],
    ] as const)("one that %s fails the check", async (_name, after, reason) => {
      expect((await findFailures({ before, after }, await at())).join("\n")).toContain(reason);
    });
  },
);

/** Rows of each table that the releases know, as the program of one uses them before and after the migration to the other. */
async function findFailures(
  { before, after }: { readonly before: Release; readonly after: Release },
  open: Awaited<ReturnType<Place>>,
): Promise<readonly string[]> {
  const program = await packStores(before);
  const failures: string[] = [];
  const using = async (stores: PackedStores, run: (store: Store) => Promise<void>): Promise<void> => {
    const store = await open(stores);
    await run(store);
    await store.close();
  };
  const entries = Object.entries<Table>(before.tables);
  const eachTable = (run: (uses: TableUses) => Promise<void>) => async (store: Store) => {
    for (const [name, table] of entries)
      await run(new TableUses(store, name, table)).catch(
        (error: unknown) => void failures.push(`${name}: ${String(error)}`),
      );
  };
  await using(
    program,
    eachTable((uses) => uses.add(1)),
  );
  await using(await packStores(after), async () => {});
  await using(
    program,
    eachTable((uses) => uses.useAll()),
  );
  return failures;
}

/** What a program does with the rows of one table. */
class TableUses {
  readonly #store: Store;
  readonly #name: string;
  readonly #table: Table;
  readonly #account: string | null;

  constructor(store: Store, name: string, table: Table) {
    this.#store = store;
    this.#name = name;
    this.#table = table;
    this.#account = table.of === "account" ? "a" : null;
  }

  add(number: number): Promise<void> {
    return this.#write(async (rows) => void (await rows.add(this.#row(number))));
  }

  async useAll(): Promise<void> {
    const [first, second] = [this.#row(1), this.#row(2)];
    await this.add(2);
    await this.#write(async (rows) => {
      expect(await rows.find()).toEqual(expect.arrayContaining([first, second]));
      for (const column of Object.keys(this.#table.columns)) await rows.find({ [column]: valueAt(second, column) });
      for (const field of this.#table.lists ?? []) expect(await rows.findWithItem(field, "2")).toEqual([second]);
      const query = { page: 1, page_size: 25 };
      expect((await rows.list(this.#account === null ? {} : this.#counted, { query })).items).toContainEqual(second);
      await rows.update({ ...first, extra: true }, first);
      expect(await rows.get(first.id)).toEqual({ ...first, extra: true });
      await rows.remove([first.id, second.id]);
      expect(await rows.get(first.id)).toBeUndefined();
    });
  }

  /** The condition whose total is counted. */
  get #counted(): Readonly<Record<string, string>> {
    const { counted } = this.#table;
    return counted === undefined || counted === "account"
      ? {}
      : { [counted]: valueAt(this.#row(2), counted) as string };
  }

  /** A row with a value in each column. */
  #row(number: number): PlantedRow {
    const row: PlantedRow & Record<string, unknown> = {
      id: this.#table.id === "integer" ? number : `${this.#name} ${number}`,
    };
    const values = { text: `text ${number}`, integer: number, boolean: number === 1 };
    for (const [column, type] of Object.entries(this.#table.columns)) {
      const [head = "", key] = column.split(".");
      row[head] = key === undefined ? values[type] : { ...(row[head] as object | undefined), [key]: values[type] };
    }
    for (const field of this.#table.lists ?? []) row[field] = [String(number)];
    return row;
  }

  #write(run: (rows: PlantedRows) => Promise<void>): Promise<void> {
    return this.#store.write({ account: this.#account, now: 0 }, (tx) =>
      // Each collection takes rows of its table.
      run((tx as unknown as Readonly<Record<string, PlantedRows>>)[this.#name] as PlantedRows),
    );
  }
}

interface PlantedRow {
  readonly id: number | string;
}

/** A collection, whichever rows it has. */
interface PlantedRows extends Pick<Transaction["sshkeys"], "list"> {
  remove(ids: readonly PlantedRow["id"][]): Promise<void>;
  add(row: PlantedRow): Promise<unknown>;
  get(id: PlantedRow["id"]): Promise<unknown>;
  find(where?: Readonly<Record<string, unknown>>): Promise<unknown[]>;
  findWithItem(field: string, item: string): Promise<unknown[]>;
  update(row: object, before: object): Promise<void>;
}

function valueAt(row: object, column: string): unknown {
  return column.split(".").reduce<unknown>((whole, key) => (whole as Readonly<Record<string, unknown>>)[key], row);
}

test("each migration is survived by the program of the version before it", () => {
  for (const { name, oldest } of migrations.slice(1))
    expect([name, oldest < Number.parseInt(name, 10)]).toEqual([name, true]);
});
