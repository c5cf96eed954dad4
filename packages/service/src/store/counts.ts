import { sql } from "kysely";
import { textCell, textOf, type Sql } from "./database.js";

/** How many rows come and go in a transaction. They are written together at its end. */
export class CountChanges {
  readonly #changes = new Map<string, Change>();

  add(table: string, owner: string, by: number): void {
    const key = `${table} ${owner}`;
    const change = this.#changes.get(key) ?? { table, owner, by: 0 };
    this.#changes.set(key, { ...change, by: change.by + by });
  }

  /** Writes the changes so far. */
  async write(account: string, database: Sql): Promise<void> {
    const changes = [...this.#changes.values()].filter(({ by }) => by !== 0);
    this.#changes.clear();
    if (changes.length === 0) return;
    const rows = changes.map(({ table, owner, by }) => [textCell(account), table, owner, by]);
    const write = () => {
      const values = rows.map((cells) => sql`(${sql.join(cells)})`);
      return sql`insert into counts (account, tbl, owner, n) values ${sql.join(values)} on conflict (account, tbl, owner) do update set n = counts.n + excluded.n`;
    };
    await database.run(textOf({ does: `count ${rows.length}`, write }, database), rows.flat());
  }
}

interface Change {
  readonly table: string;
  readonly owner: string;
  readonly by: number;
}
