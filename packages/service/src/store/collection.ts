import type { Visible } from "@plumbline/server-runtime";
import { sql } from "kysely";
import {
  all,
  any,
  cell,
  equals,
  hasItem,
  isOfItem,
  isOneOf,
  rowsOf,
  textCell,
  textOf,
  type Cell,
  type Cells,
  type Condition,
  type Sql,
  type Statement,
} from "./database.js";
import { conditionOf, orderOf, type FilterFields, type ItemSearch, type Sent } from "./filter.js";
import type { Rows } from "./rows.js";
import { tables, type Table, type TableName } from "./tables.js";
import type { Moment } from "./tx.js";

export type Id<Name extends TableName> = Rows[Name]["id"];
type Row<Name extends TableName> = Rows[Name];

/** Columns and what they are: a value, one of several, or at least so much; lists and an item that they have. */
export type Where = Readonly<Record<string, Cell | boolean | Bound>>;

export interface Bound {
  readonly among?: readonly (Cell | boolean)[];
  readonly atLeast?: Cell;
  readonly below?: Cell;
  readonly has?: string;
}

/** Some of many rows. */
export interface Range {
  readonly offset: number;
  readonly limit: number;
}

/** What of a list is asked for. */
export interface Wish {
  readonly visible?: Visible;
  /** As `X-Filter` sends it. */
  readonly filter?: Sent | undefined;
  readonly filterable?: FilterFields;
  /** One of these has to fit. */
  readonly either?: readonly Where[];
  readonly query: { readonly page: number; readonly page_size: number };
}

/** The rows of one table. Rows are values: what is changed is written with `put` or `change`. */
export class Collection<Name extends TableName> {
  readonly #moment: Moment;
  readonly #name: Name;
  readonly #table: Table;

  constructor(moment: Moment, name: Name) {
    this.#moment = moment;
    this.#name = name;
    this.#table = tables[name];
  }

  async get(id: Id<Name>): Promise<Row<Name> | undefined> {
    const found = await this.#database.first(this.#by("id"), [cell(id)]);
    return found && this.#rowOf(found);
  }

  /** The row of an id that is known to be there. */
  async only(id: Id<Name>): Promise<Row<Name>> {
    const row = await this.get(id);
    if (row === undefined) throw new Error(`${this.#name} has no ${id}`);
    return row;
  }

  /** As `among`; one row by its id at once where nothing has to be waited for, since most requests begin with that. */
  load(column: string, values: readonly (string | number)[]): Row<Name>[] | Promise<Row<Name>[]> {
    if (column !== "id" || values.length !== 1) return this.among(column, values);
    const found = this.#database.first(this.#by("id"), values);
    const rowsOfOne = (cells: Cells | undefined): Row<Name>[] => (cells === undefined ? [] : [this.#rowOf(cells)]);
    return found instanceof Promise ? found.then(rowsOfOne) : rowsOfOne(found);
  }

  /** Rows whose column is one of these, in the order of their ids. */
  async among(column: string, values: readonly (Cell | boolean)[]): Promise<Row<Name>[]> {
    if (values.length === 0) return [];
    if (values.length === 1) return this.#rowsOf(await this.#database.run(this.#by(column), [cell(values[0])]));
    if (values.length <= few) {
      const known = padded(values);
      const write = (): Condition => sql`select doc from ${this.#into} where ${isOneOf(column, known)} order by id`;
      const does = `find ${this.#name} by ${known.length} of ${column}`;
      return this.#rowsOf(await this.#database.run(textOf({ does, write }, this.#database), known.map(cell)));
    }
    if (values.length <= mostParameters) return this.#select(isOneOf(column, values));
    const rows: Row<Name>[] = [];
    for (const some of slices(values)) rows.push(...(await this.#select(isOneOf(column, some))));
    return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Rows with these values, in the order of their ids; all of them, or so many from a place on. */
  async find(where: Where = {}, range?: Range): Promise<Row<Name>[]> {
    const known = range === undefined ? this.#byValues(where, "") : undefined;
    if (known !== undefined) return this.#rowsOf(await this.#database.run(known.text, known.parameters));
    const page = range === undefined ? sql`` : sql`limit ${range.limit} offset ${range.offset}`;
    return this.#select(this.#conditionsOf(where), sql`order by id ${page}`);
  }

  /** As `find`, for many rows: other requests have their turn while they are read. */
  async findInTurns(where: Where): Promise<Row<Name>[]> {
    const query = sql`select id from ${this.#into} where ${this.#conditionsOf(where)} order by id`;
    const ids = (await rowsOf(query, this.#database)).map(([id]) => id ?? null);
    const rows: Row<Name>[] = [];
    for (const some of slices(ids, few)) {
      if (rows.length > 0) await new Promise((resolve) => setImmediate(resolve));
      rows.push(...(await this.among("id", some)));
    }
    return rows;
  }

  async first(where: Where): Promise<Row<Name> | undefined> {
    const known = this.#byValues(where, "limit 1");
    if (known === undefined) return (await this.#select(this.#conditionsOf(where), sql`order by id limit 1`))[0];
    const found = await this.#database.first(known.text, known.parameters);
    return found && this.#rowOf(found);
  }

  count(where: Where = {}): Promise<number> {
    return this.#count(this.#conditionsOf(where));
  }

  /** Rows that have an item in one of their lists, in the order of their ids. */
  having(field: string, item: string, where: Where = {}): Promise<Row<Name>[]> {
    return this.#select(
      all([this.#conditionsOf(where), hasItem({ table: this.#name, field }, sql`item = ${textCell(item)}`)]),
    );
  }

  /** One page of what its caller may see and asks for, and how many there are on all pages. */
  async list(where: Where, wish: Wish): Promise<{ readonly items: Row<Name>[]; readonly total: number }> {
    const { visible, filter = {}, filterable = {}, either, query } = wish;
    const { contains } = this.#database;
    const context = { table: this.#name, columns: this.#table.columns, filterable, contains };
    const conditionWith = (items: ItemSearch): Condition =>
      all([
        this.#conditionsOf(where),
        ...(visible === undefined ? [] : [seen(visible)]),
        ...(either === undefined ? [] : [any(either.map((each) => this.#conditionsOf(each)))]),
        conditionOf(filter, { ...context, items }),
      ]);
    const condition = conditionWith("from the item");
    const order = orderOf(filter, context);
    const [counted] = await this.#known(sql`select count(*) from ${this.#into} where ${condition}`);
    const total = Number(counted?.[0]);
    const [offset, size] = [(query.page - 1) * query.page_size, query.page_size];
    if (offset >= total) return { items: [], total };
    if (total > few) {
      // Among many the first ones in order are soon found, and the others are not looked at.
      const many = conditionWith("from the row");
      return { items: await this.#select(many, sql`order by ${order} limit ${size} offset ${offset}`), total };
    }
    // Few are found as they were counted, and then brought in order.
    const found = sql`select id from ${this.#into} where ${condition}`;
    const ids = await this.#known(sql`select id from ${this.#into} where id in (${found}) order by ${order}`);
    const page = ids.slice(offset, offset + size).map(([id]) => id ?? null);
    const rows = new Map((await this.among("id", page)).map((row) => [String(row.id), row]));
    return { items: page.flatMap((id) => rows.get(String(id)) ?? []), total };
  }

  nextId(): Promise<number> {
    return this.#moment.nextId(this.#name);
  }

  /** Adds a row; without an id it gets the next one. Ids are never given twice. */
  async add(row: Omit<Row<Name>, "id"> & { readonly id?: Id<Name> }): Promise<Row<Name>> {
    // The type of a row without its id and with it again is that of the row, which TypeScript cannot tell of a type parameter.
    const whole = { ...row, id: row.id ?? (await this.nextId()) } as unknown as Row<Name>;
    const cells = this.#cells(whole);
    const write = (): Condition => {
      const columns = this.#columns.map((column) => sql.id(column));
      return sql`insert into ${this.#into} (${sql.join(columns)}) values (${sql.join(cells)})`;
    };
    await this.#run({ does: "add", many: 1, write }, cells);
    await this.#addItems(whole);
    return whole;
  }

  /** Writes a row that is there. */
  async put(row: Row<Name>): Promise<void> {
    const cells = this.#cells(row);
    const id = cell(row.id);
    const write = (): Condition => {
      const sets = this.#columns.map((column) => sql`${sql.id(column)} = ${null}`);
      return sql`update ${this.#into} set ${sql.join(sets)} where id = ${id}`;
    };
    await this.#run({ does: "put", many: 1, write }, [...cells, id]);
    await this.#removeItems([row.id]);
    await this.#addItems(row);
  }

  /** Changes some fields of a row, and gives it as it is then. */
  async change(row: Row<Name>, fields: Partial<Row<Name>>): Promise<Row<Name>> {
    const changed = { ...row, ...fields };
    await this.put(changed);
    return changed;
  }

  async remove(ids: readonly Id<Name>[]): Promise<void> {
    for (const some of slices(ids)) {
      const write = () => sql`delete from ${this.#into} where ${isOneOf("id", some)}`;
      await this.#run({ does: "remove", many: some.length, write }, some.map(cell));
      await this.#removeItems(some);
    }
  }

  /** Removes rows with these values, and gives them. */
  async take(where: Where): Promise<Row<Name>[]> {
    const rows = await this.find(where);
    await this.remove(rows.map(({ id }) => id));
    return rows;
  }

  get #into(): ReturnType<typeof sql.table> {
    return sql.table(this.#name);
  }

  /** Rows of a query that is asked again for each page of a list. */
  async #known(query: Condition): Promise<readonly Cells[]> {
    const { remember, database } = this.#moment;
    const { sql: text, parameters } = query.compile(database.writer);
    const sought = { tables: [this.#name], key: `${text} ${JSON.stringify(parameters)}`, most: mostLists };
    return remember(sought, () => database.run(text, parameters));
  }

  async #select(condition: Condition, rest: Condition = sql`order by id`): Promise<Row<Name>[]> {
    const query = sql`select doc from ${this.#into} where ${condition} ${rest}`;
    return this.#rowsOf(await rowsOf(query, this.#database));
  }

  /** SQL that finds rows by one value of a column. */
  #by(column: string): string {
    const write = (): Condition => sql`select doc from ${this.#into} where ${sql.id(column)} = ${null} order by id`;
    return textOf({ does: `find ${this.#name} by ${column}`, write }, this.#database);
  }

  /** SQL that finds rows by the values of columns, and these; undefined where more than values is asked for. */
  #byValues(where: Where, rest: "" | "limit 1"): Known | undefined {
    const parameters: Cell[] = [];
    let shape = "";
    for (const [column, value] of Object.entries(where)) {
      if (isBound(value)) return undefined;
      shape += value === null ? ` ${column} null` : ` ${column}`;
      if (value !== null) parameters.push(cell(value));
    }
    const write = (): Condition =>
      sql`select doc from ${this.#into} where ${this.#conditionsOf(where)} order by id ${sql.raw(rest)}`;
    return { text: textOf({ does: `find ${this.#name}${shape}, ${rest}`, write }, this.#database), parameters };
  }

  #rowsOf(found: readonly Cells[]): Row<Name>[] {
    return found.map((cells) => this.#rowOf(cells));
  }

  #rowOf([doc]: Cells): Row<Name> {
    // Only this class writes `doc`, from rows of this table.
    return JSON.parse(String(doc)) as Row<Name>;
  }

  async #count(condition: Condition): Promise<number> {
    const [counted] = await rowsOf(sql`select count(*) from ${this.#into} where ${condition}`, this.#database);
    return Number(counted?.[0]);
  }

  /** Runs what writes this table, or so many rows of it. */
  async #run({ does, many, write }: Written, parameters: readonly unknown[]): Promise<void> {
    this.#moment.wrote(this.#name);
    const database = this.#database;
    if (many > mostKnown) await rowsOf(write(), database);
    else await database.run(textOf({ does: `${does} ${this.#name} ${many}`, write }, database), parameters);
  }

  get #database(): Sql {
    return this.#moment.database;
  }

  #conditionsOf(where: Where): Condition {
    return conditionsOf(where, this.#name);
  }

  get #columns(): readonly string[] {
    return ["id", "doc", ...Object.keys(this.#table.columns)];
  }

  /** As the columns are. */
  #cells(row: Row<Name>): readonly Cell[] {
    const cells: Cell[] = [cell(row.id), JSON.stringify(row)];
    const { columns } = this.#table;
    for (const column in columns) {
      const value = cell(valueAt(row, column) as Cell | boolean | undefined);
      cells.push(columns[column] === "text" && value !== null ? String(value) : value);
    }
    return cells;
  }

  async #addItems(row: Row<Name>): Promise<void> {
    const items = (this.#table.lists ?? []).flatMap((field) =>
      [...new Set(valueAt(row, field) as readonly string[])].map((item) => [
        this.#name,
        field,
        textCell(item),
        cell(row.id),
      ]),
    );
    if (items.length === 0) return;
    const write = (): Condition => {
      const values = items.map((cells) => sql`(${sql.join(cells)})`);
      return sql`insert into items (tbl, field, item, id) values ${sql.join(values)}`;
    };
    await this.#run({ does: "add items of", many: items.length, write }, items.flat());
  }

  async #removeItems(ids: readonly Id<Name>[]): Promise<void> {
    if (this.#table.lists === undefined) return;
    const write = () => sql`delete from items where tbl = ${this.#name} and ${isOneOf("id", ids)}`;
    await this.#run({ does: "remove items of", many: ids.length, write }, [this.#name, ...ids.map(cell)]);
  }
}

interface Known {
  readonly text: string;
  readonly parameters: readonly Cell[];
}

interface Written extends Statement {
  /** Of how many rows: with their number the text changes. */
  readonly many: number;
}

/** As many as a page may have; rows of some milliseconds. */
const few = 500;

/** So many counts, and lists of at most so few ids, are kept of a table. */
const mostLists = 200;

/** The texts for more rows than so many at once are not kept. */
const mostKnown = 8;

/** More than so many values in one statement are more than some databases take. */
const mostParameters = 10_000;

function slices<T>(values: readonly T[], size = mostParameters): readonly (readonly T[])[] {
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, index) => values.slice(index * size, (index + 1) * size));
}

/** With the last one repeated up to a power of two, so that there are few statements for any number of values. */
function padded<T>(values: readonly T[]): readonly T[] {
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...Array<T>(length - values.length).fill(values.at(-1) as T)];
}

function conditionsOf(where: Where, table: string): Condition {
  return all(
    Object.entries(where).flatMap(([column, value]) =>
      isBound(value) ? within(column, value, table) : [equals(column, value)],
    ),
  );
}

function within(column: string, { among, atLeast, below, has }: Bound, table: string): Condition[] {
  return [
    ...(has === undefined ? [] : [isOfItem({ table, field: column }, textCell(has))]),
    ...(among === undefined ? [] : [isOneOf(column, among)]),
    ...(atLeast === undefined ? [] : [sql`${sql.id(column)} >= ${cell(atLeast)}`]),
    ...(below === undefined ? [] : [sql`${sql.id(column)} < ${cell(below)}`]),
  ];
}

function isBound(value: Cell | boolean | Bound): value is Bound {
  return typeof value === "object" && value !== null;
}

/** What of a list a caller may see. */
function seen({ owner, ids, andPublic }: Visible): Condition {
  const isPublic = equals("is_public", true);
  if (owner === undefined) return andPublic ? isPublic : all([]);
  const own = Object.entries(owner).map(([column, value]) => equals(column, value));
  const theirs = all(ids === undefined ? own : [...own, isOneOf("id", ids)]);
  return andPublic ? any([theirs, isPublic]) : theirs;
}

function valueAt(row: object, path: string): unknown {
  if (!path.includes(".")) return (row as Readonly<Record<string, unknown>>)[path];
  return path
    .split(".")
    .reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name], row);
}
