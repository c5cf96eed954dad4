import { sql } from "kysely";
import type { TextIndex } from "../database.js";
import type { Table, Tables } from "../tables.js";
import { bothCases } from "./contains.js";

/** Indexes of the trigrams in texts, for SQLite: a table of FTS5 for each table with texts. Triggers keep them equal to their tables. */
export const trigramIndex: TextIndex = {
  find: ({ table, text, limit }) => {
    const query = trigramQuery(text);
    if (query === undefined) return undefined;
    const index = sql.table(indexOf(table));
    const matches = sql`select rowid as id from ${index} where ${sql.ref(indexOf(table))} match ${query} limit ${limit}`;
    return sql`select json_group_array(id) from (select id from (${matches}) union all select id from ${sql.table(writtenOf(table))})`;
  },
  // SQLite has no statistics, and would prefer the index of an account. Without indexes it still finds rows by their numbers, which are the ids.
  rowsOf: (table, ids) => {
    const name = sql.table(table);
    const listed = sql`select value from json_each(${JSON.stringify(ids)})`;
    return sql`(select * from ${name} not indexed where id in (${listed})) as ${name}`;
  },
};

/**
 * Writes the query of FTS5 for texts with all trigrams of a text in lower case. Each letter outside ASCII is searched in both cases, since FTS5
 * folds by its own version of Unicode. Undefined if the text is shorter than a trigram.
 */
export function trigramQuery(text: string): string | undefined {
  const letters = Array.from(text, (letter) => (letter < "\u0080" ? [letter] : bothCases(letter)));
  const trigrams = new Set<string>();
  for (const [index, third] of letters.entries()) {
    const [first, second] = [letters[index - 2], letters[index - 1]];
    if (first === undefined || second === undefined) continue;
    const spellings = first.flatMap((a) =>
      second.flatMap((b) => third.map((c) => `"${`${a}${b}${c}`.replaceAll('"', '""')}"`)),
    );
    trigrams.add(`(${spellings.join(" OR ")})`);
  }
  return trigrams.size === 0 ? undefined : [...trigrams].slice(-maxTrigrams).join(" AND ");
}

/** Some are enough to find few rows, and each is looked up. */
const maxTrigrams = 24;

/**
 * Creates the indexes, and fills them from existing rows. Adding a row to an index costs as much as a tenth of a request, and adding many at once
 * little more. So triggers only note the ids of written rows, and add all of them when there are some.
 */
export function trigramStatements(tables: Tables): readonly string[] {
  return Object.entries<Table>(tables).flatMap(([name, { texts = [] }]) => {
    if (texts.length === 0) return [];
    const index = `"${indexOf(name)}"`;
    const written = `"${writtenOf(name)}"`;
    const columns = texts.map((text) => `"${text}"`).join(", ");
    const old = texts.map((text) => `old."${text}"`).join(", ");
    const isChanged = texts.map((text) => `old."${text}" is not new."${text}"`).join(" or ");
    const remove = `insert into ${index} (${index}, rowid, ${columns}) select 'delete', old.id, ${old} where old.id not in (select id from ${written});`;
    const add = `insert into ${index} (rowid, ${columns}) select id, ${columns} from "${name}" where id in (select id from ${written});`;
    return [
      // Only trigrams and the ids of their rows, which takes the least time to write. The texts are in the table itself.
      `create virtual table ${index} using fts5 (${columns}, tokenize = 'trigram', content = '${name}', content_rowid = 'id', detail = none, columnsize = 0)`,
      `insert into ${index} (${index}) values ('rebuild')`,
      `create table ${written} (id integer primary key)`,
      `create trigger "${name}_inserted" after insert on "${name}" begin insert into ${written} values (new.id); end`,
      `create trigger "${name}_updated" after update on "${name}" when ${isChanged} begin ${remove} insert or ignore into ${written} values (new.id); end`,
      `create trigger "${name}_deleted" after delete on "${name}" begin ${remove} delete from ${written} where id = old.id; end`,
      `create trigger "${writtenOf(name)}_full" after insert on ${written} when (select count(*) from ${written}) >= ${maxWritten} begin ${add} delete from ${written}; end`,
    ];
  });
}

/** Rows that a query compares because they are not in the index yet. */
const maxWritten = 100;

function indexOf(table: string): string {
  return `${table}_trigrams`;
}

/** The table of the ids of rows that are not in the index. */
function writtenOf(table: string): string {
  return `${table}_written`;
}
