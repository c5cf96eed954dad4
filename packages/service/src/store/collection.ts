import type { ListScope } from "@plumbline/server-runtime";
import { valueAt } from "@plumbline/server-runtime/validator";
import { sql } from "kysely";
import {
  allOf,
  anyOf,
  cell,
  hasItem,
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
import { candidatesOf, type Candidates } from "./filters/candidates.js";
import {
  conditionOf,
  isFiltered,
  orderOf,
  type FilterFields,
  type ItemSearch,
  type SentFilter,
} from "./filters/filter.js";
import { conditionsOf, isBound, visibleTo, type Where } from "./filters/where.js";
import type { Rows } from "./rows.js";
import { isSameRow } from "./same-row.js";
import { directoryOf, tables, type Table, type TableName } from "./tables.js";
import { allAccounts, type TransactionContext } from "./transaction-context.js";

export type Id<Name extends TableName> = Rows[Name]["id"];

type Row<Name extends TableName> = Rows[Name];

/** A range of many rows. */
export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

/** The query of a list. */
export interface ListQuery {
  readonly listScope?: ListScope;
  /** As `X-Filter` sends it. */
  readonly filter?: SentFilter | undefined;
  readonly filterable?: FilterFields;
  /** At least one of these has to match. */
  readonly either?: readonly Where[];
  readonly query: { readonly page: number; readonly page_size: number };
}

/** Where the row of a unique name is. */
export interface Location<Name extends TableName> {
  readonly account: string;
  readonly id: Id<Name>;
}

/**
 * The rows of one table that a transaction reaches: those of its account, or of the platform. Rows are values: `update` or `patch` write changes.
 * Every statement for rows of accounts names the account, and only this class writes these statements.
 */
export class Collection<Name extends TableName> {
  readonly #moment: TransactionContext;
  readonly #name: Name;
  readonly #table: Table;

  constructor(moment: TransactionContext, name: Name) {
    this.#moment = moment;
    this.#name = name;
    this.#table = tables[name];
  }

  async get(id: Id<Name>): Promise<Row<Name> | undefined> {
    const cells = await this.#database.first(this.#by("id"), [...this.#ownValues, cell(id)]);
    return cells && this.#rowOf(cells);
  }

  /** Finds the row of a unique name in the directory, which any transaction reaches. */
  async locate(name: string): Promise<Location<Name> | undefined> {
    const directory = this.#directory;
    const write = (): Condition => sql`select account, id from ${directory} where name = ${null}`;
    const does = `locate ${this.#name}`;
    const cells = await this.#database.first(textOf({ does, write }, this.#database), [textCell(name)]);
    if (cells === undefined) return undefined;
    const [account, id] = cells;
    // Directories have ids of their tables, and PostgreSQL returns large numbers as texts.
    return { account: String(account), id: (this.#table.id === "integer" ? Number(id) : id) as Id<Name> };
  }

  /** A row and the rows of other tables whose ids are in its columns, in one statement. Undefined if one is missing. */
  async getWith<Other extends TableName>(
    id: Id<Name>,
    others: Readonly<Record<Other, string>>,
  ): Promise<readonly [Row<Name>, { readonly [Each in Other]: Rows[Each] }] | undefined> {
    const names = Object.keys(others) as Other[];
    const account = textCell(this.#account);
    const column = (table: string, name: string): Condition => sql.ref(`${table}.${name}`);
    const isIn = (table: string): Condition => sql`${this.#database.unindexed(column(table, "account"))} = ${account}`;
    const write = (): Condition => {
      // A join costs PostgreSQL twice as much: most of it is spent on plans.
      const found = names.map(
        (table) =>
          sql`(select doc from ${sql.table(table)} where ${isIn(table)} and ${column(table, "id")} = ${column(this.#name, others[table])}) as ${sql.id(table)}`,
      );
      return sql`select ${sql.join([column(this.#name, "doc"), ...found])} from ${this.#into} where ${isIn(this.#name)} and ${column(this.#name, "id")} = ${null}`;
    };
    const text = textOf({ does: `get ${this.#name} with ${names.join()}`, write }, this.#database);
    const cells = await this.#database.first(text, [...names.map(() => account), account, cell(id)]);
    if (cells === undefined || cells.includes(null)) return undefined;
    const [doc, ...docs] = cells.map((each) => JSON.parse(String(each)) as unknown);
    // The documents are in the order of the names.
    const rows = Object.fromEntries(names.map((name, index) => [name, docs[index]]));
    return [doc as Row<Name>, rows as { readonly [Each in Other]: Rows[Each] }];
  }

  /** The row of an id that exists. */
  async getOrThrow(id: Id<Name>): Promise<Row<Name>> {
    const row = await this.get(id);
    if (row === undefined) throw new Error(`${this.#name} has no ${id}`);
    return row;
  }

  /** As `findIn`. A single id resolves without waiting if possible, since most requests start with that. */
  load(column: string, values: readonly (string | number)[]): Row<Name>[] | Promise<Row<Name>[]> {
    if (column !== "id" || values.length !== 1) return this.findIn(column, values);
    const result = this.#database.first(this.#by("id"), [...this.#ownValues, ...values.map(cell)]);
    const rowsOfOne = (cells: Cells | undefined): Row<Name>[] => (cells === undefined ? [] : [this.#rowOf(cells)]);
    return result instanceof Promise ? result.then(rowsOfOne) : rowsOfOne(result);
  }

  /** Rows whose column is one of these values, in the order of their ids. */
  async findIn(column: string, values: readonly (Cell | boolean)[]): Promise<Row<Name>[]> {
    if (values.length === 0) return [];
    if (values.length === 1)
      return this.#rowsOf(await this.#database.run(this.#by(column), [...this.#ownValues, cell(values[0])]));
    if (values.length <= maxPreparedValues) {
      const batch = padded(values);
      const write = (): Condition => sql`select doc from ${this.#from} where ${this.#isIn(column, batch)} order by id`;
      const text = textOf({ does: this.#does(`find by ${batch.length} of ${column}`), write }, this.#database);
      return this.#rowsOf(await this.#database.run(text, [...this.#ownValues, ...batch.map(cell)]));
    }
    if (values.length <= maxParameters) return this.#select(this.#isIn(column, values));
    const rows: Row<Name>[] = [];
    for (const some of slices(values)) rows.push(...(await this.#select(this.#isIn(column, some))));
    return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Rows with these values, in the order of their ids: all of them, or a range. */
  async find(where: Where = {}, range?: Slice): Promise<Row<Name>[]> {
    const prepared = range === undefined ? this.#byValues(where, "") : undefined;
    if (prepared !== undefined) return this.#rowsOf(await this.#database.run(prepared.text, prepared.parameters));
    const page = range === undefined ? sql`` : sql`limit ${range.limit} offset ${range.offset}`;
    // Without a limit, an index of a range finds fewer rows than their order.
    const isRange = range === undefined && this.#table.id === "integer";
    return this.#select(this.#conditionsOf(where), isRange ? sql`order by +id` : sql`order by id ${page}`);
  }

  /** As `find`, for many rows: other requests get a turn in between. */
  async findInTurns(where: Where): Promise<Row<Name>[]> {
    const query = sql`select id from ${this.#from} where ${this.#conditionsOf(where)} order by id`;
    const ids = (await rowsOf(query, this.#database)).map(([id]) => id ?? null);
    const rows: Row<Name>[] = [];
    for (const some of slices(ids, maxPreparedValues)) {
      if (rows.length > 0) await new Promise((resolve) => setImmediate(resolve));
      rows.push(...(await this.findIn("id", some)));
    }
    return rows;
  }

  async first(where: Where): Promise<Row<Name> | undefined> {
    const prepared = this.#byValues(where, "limit 1");
    if (prepared === undefined) return (await this.#select(this.#conditionsOf(where), sql`order by id limit 1`))[0];
    const cells = await this.#database.first(prepared.text, prepared.parameters);
    return cells && this.#rowOf(cells);
  }

  async count(where: Where = {}): Promise<number> {
    const query = sql`select count(*) from ${this.#from} where ${this.#conditionsOf(where)}`;
    const [counted] = await rowsOf(query, this.#database);
    return Number(counted?.[0]);
  }

  /** Rows with an item in one of their lists, in the order of their ids. */
  findWithItem(field: string, item: string, where: Where = {}): Promise<Row<Name>[]> {
    const place = { table: this.#name, own: this.#own(), field };
    return this.#select(allOf([this.#conditionsOf(where), hasItem(place, sql`item = ${textCell(item)}`)]));
  }

  /** One page of the rows that match the query and that the caller may see, and the number of rows on all pages. */
  async list(where: Where, listQuery: ListQuery): Promise<{ readonly items: Row<Name>[]; readonly total: number }> {
    const { listScope, filter = {}, filterable = {}, either, query } = listQuery;
    const { contains } = this.#database;
    const context = { table: this.#name, own: this.#own(), columns: this.#table.columns, filterable, contains };
    const scope = allOf([
      this.#conditionsOf(where),
      ...(listScope === undefined ? [] : [visibleTo(listScope)]),
      ...(either === undefined ? [] : [anyOf(either.map((each) => this.#conditionsOf(each)))]),
    ]);
    const conditionWith = (items: ItemSearch): Condition => allOf([scope, conditionOf(filter, { ...context, items })]);
    const condition = conditionWith("from the item");
    const order = orderOf(filter, context);
    const recurs = !isFiltered(filter) && listScope?.ids === undefined;
    const [offset, size] = [(query.page - 1) * query.page_size, query.page_size];
    if (this.#table.besides !== undefined) {
      // Mostly few rows of two tables, for which a count, ids and rows would be three plans.
      const rows = await this.#select(condition, sql`order by ${order} limit ${maxPreparedValues + 1}`, recurs);
      if (rows.length <= maxPreparedValues) return { items: rows.slice(offset, offset + size), total: rows.length };
    }
    const counter = either === undefined && !isFiltered(filter) ? this.#counter(where, listScope) : undefined;
    const from = counter === undefined ? await this.#candidates(filter, scope) : this.#from;
    const [counted] = await this.#remembered(counter ?? sql`select count(*) from ${from} where ${condition}`, recurs);
    const total = Number(counted?.[0] ?? 0);
    if (offset >= total) return { items: [], total };
    if (total > maxPreparedValues) {
      // With many matches, the first ones in order are found soon, without looking at the others.
      const many = conditionWith("from the row");
      const page = sql`order by ${order} limit ${size} offset ${offset}`;
      return { items: await this.#select(many, page, recurs), total };
    }
    // Few matches are found as for the count, and then ordered.
    const matches = sql`select id from ${from} where ${condition}`;
    const isMatch = allOf([this.#own("id"), sql`id in (${matches})`]);
    const ids = await this.#remembered(sql`select id from ${this.#from} where ${isMatch} order by ${order}`, recurs);
    const page = ids.slice(offset, offset + size).map(([id]) => id ?? null);
    const rows = new Map((await this.findIn("id", page)).map((row) => [String(row.id), row]));
    return { items: page.flatMap((id) => rows.get(String(id)) ?? []), total };
  }

  /** The query of the number of rows that are counted as they come and go, without those before a value. Undefined if other conditions apply. */
  #counter(where: Where, { owner = {}, ids, includePublic = false }: Partial<ListScope> = {}): Condition | undefined {
    const { counted = "" } = this.#table;
    const conditions: Where = { ...where, ...owner };
    const { [counted]: value, ...rest } = conditions;
    const { account } = this.#moment;
    const isOwned = typeof account === "string" && (typeof value === "string" || typeof value === "number");
    const before = Object.entries(rest).flatMap(([column, bound]) =>
      isBound(bound) && bound.gte !== undefined && Object.keys(bound).length === 1 ? [{ column, lt: bound.gte }] : [],
    );
    if (!isOwned || ids !== undefined || includePublic || before.length < Object.keys(rest).length) return undefined;
    const all = sql`select n from counts where ${this.#own()} and tbl = ${this.#name} and owner = ${String(cell(value))}`;
    const [first] = before;
    if (first === undefined) return before.length === 0 ? all : undefined;
    const earlier = this.#conditionsOf({ [counted]: value, [first.column]: { lt: first.lt } });
    return before.length > 1 ? undefined : sql`select (${all}) - (select count(*) from ${this.#from} where ${earlier})`;
  }

  /** The table, or only the rows that can match a filter, if an index of texts finds few of them. */
  async #candidates(filter: SentFilter, scope: Condition): Promise<Condition> {
    const { textIndex } = this.#database;
    const { texts } = this.#table;
    if (textIndex === undefined || texts === undefined) return this.#from;
    const find = async (text: string): Promise<Candidates> => {
      const query = textIndex.find({ table: this.#name, text, limit: maxPreparedValues + 1 });
      if (query === undefined || (await isSmall())) return undefined;
      const [found] = await this.#remembered(query);
      const ids = JSON.parse(String(found?.[0])) as number[];
      return ids.length > maxPreparedValues ? undefined : ids;
    };
    // Few rows are compared sooner than found by an index of all accounts.
    const isSmall = async (): Promise<boolean> => {
      const some = sql`select 1 from ${this.#from} where ${scope} limit ${maxCompared}`;
      const [counted] = await this.#remembered(sql`select count(*) from (${some})`);
      return Number(counted?.[0]) < maxCompared;
    };
    const ids = await candidatesOf(filter, texts, find);
    return ids === undefined ? this.#from : textIndex.rowsOf(this.#name, ids);
  }

  nextId(): Promise<number> {
    return this.#moment.nextId(this.#name);
  }

  /** Adds a row. Without an id it gets the next one. Ids are never reused. */
  async add(row: Omit<Row<Name>, "id"> & { readonly id?: Id<Name> }): Promise<Row<Name>> {
    // A row without its id plus its id is a row, which TypeScript cannot infer for a type parameter.
    const whole = { ...row, id: row.id ?? (await this.nextId()) } as unknown as Row<Name>;
    const cells = [...this.#owner, cell(whole.id), ...this.#cells(whole)];
    const write = (): Condition => {
      const columns = [...(this.#owner.length > 0 ? ["account"] : []), "id", ...this.#columns];
      return sql`insert into ${this.#into} (${sql.join(columns.map((column) => sql.id(column)))}) values (${sql.join(cells)})`;
    };
    await this.#run({ does: "add", many: 1, write }, cells);
    await this.#enter(this.#nameOf(whole), whole.id);
    await this.#addItems(whole);
    if (this.#table.counted !== undefined) this.#count(cell(storedValue(whole, this.#table.counted) as Cell), 1);
    return whole;
  }

  /** Writes an existing row. `before` is the stored row, if it is known: its items are written again only if they differ. */
  async update(row: Row<Name>, before?: Row<Name>): Promise<void> {
    const cells = [...this.#cells(row), ...this.#owner, cell(row.id)];
    const write = (): Condition => {
      const sets = this.#columns.map((column) => sql`${sql.id(column)} = ${null}`);
      return sql`update ${this.#into} set ${sql.join(sets)} where ${this.#isOwn([row.id])}`;
    };
    if (this.#table.directory !== undefined && this.#table.directory !== "id")
      await this.#rename(row, before ?? (await this.getOrThrow(row.id)));
    await this.#run({ does: "put", many: 1, write }, cells);
    if (before !== undefined && isSameRow(this.#items(before), this.#items(row))) return;
    await this.#removeItems([row.id]);
    await this.#addItems(row);
  }

  /** Changes some fields of a row, and returns the new row. */
  async patch(row: Row<Name>, fields: Partial<Row<Name>>): Promise<Row<Name>> {
    const changed = { ...row, ...fields };
    await this.update(changed, row);
    return changed;
  }

  async remove(ids: readonly Id<Name>[]): Promise<void> {
    const { counted, directory } = this.#table;
    const known = [counted, directory].flatMap((column) => (column === undefined ? [] : [sql.id(column)]));
    const returning = known.length === 0 ? sql`` : sql`returning ${sql.join(known)}`;
    for (const some of slices(ids)) {
      const write = () => sql`delete from ${this.#into} where ${this.#isOwn(some)} ${returning}`;
      const removed = await this.#run({ does: "remove", many: some.length, write }, [
        ...this.#owner,
        ...some.map(cell),
      ]);
      if (counted !== undefined) for (const [owner] of removed) this.#count(owner, -1);
      if (directory !== undefined) for (const cells of removed) await this.#leave(cells.at(-1) ?? null);
      await this.#removeItems(some);
    }
  }

  /** Deletes rows with these values, and returns them. */
  async deleteReturning(where: Where): Promise<Row<Name>[]> {
    const rows = await this.find(where);
    await this.remove(rows.map(({ id }) => id));
    return rows;
  }

  /** The account of the transaction, without which nothing reaches the rows of accounts. */
  get #account(): string {
    const { account } = this.#moment;
    if (typeof account === "string") return account;
    throw new Error(`${this.#name} has rows of accounts, and this transaction is not of one`);
  }

  /** The condition that a row is one of the account. Its only parameter are the own values. */
  #own(by?: string): Condition {
    if (this.#ownValues.length === 0 || this.#table.besides !== undefined) return allOf([]);
    const column = sql.id("account");
    return sql`${by === "id" ? this.#database.unindexed(column) : column} = ${textCell(this.#account)}`;
  }

  /** The condition that a row has one of these ids, in a statement that writes. */
  #isOwn(ids: readonly Id<Name>[]): Condition {
    const [account] = this.#owner;
    const own = account === undefined ? [] : [sql`${this.#database.unindexed(sql.id("account"))} = ${account}`];
    return allOf([...own, isOneOf("id", ids.map(cell))]);
  }

  get #ownValues(): readonly Cell[] {
    const { account } = this.#moment;
    const { of, besides } = this.#table;
    if (of === "platform" || account === allAccounts || (account === null && besides !== undefined)) return [];
    return [textCell(this.#account)];
  }

  /** The first column of a row of an account, also in statements that write. */
  get #owner(): readonly Cell[] {
    if (this.#moment.account === allAccounts) throw new Error("a survey writes nothing");
    return this.#table.of === "account" ? [textCell(this.#account)] : [];
  }

  get #into(): ReturnType<typeof sql.table> {
    return sql.table(this.#name);
  }

  /** The table, with the rows of the platform that belong to it. */
  get #from(): Condition {
    const { besides, columns } = this.#table;
    if (besides === undefined) return this.#into;
    const { account } = this.#moment;
    if (account === null) return sql.table(besides);
    const own = account === allAccounts ? sql`` : sql`where account = ${textCell(account)}`;
    const names = sql.join(["id", "doc", ...Object.keys(columns)].map((column) => sql.id(column)));
    return sql`(select account, ${names} from ${this.#into} ${own} union all select null, ${names} from ${sql.table(besides)}) as reachable`;
  }

  get #directory(): Condition {
    return sql.table(directoryOf(this.#name, this.#table.directory ?? ""));
  }

  /** The name of a row in the directory. */
  #nameOf(row: Row<Name>): Cell {
    const { directory } = this.#table;
    return directory === undefined ? null : cell(storedValue(row, directory) as Cell);
  }

  /** Enters a name in the directory. */
  async #enter(name: Cell, id: Id<Name>): Promise<void> {
    if (name === null) return;
    const cells = [name, ...this.#owner, cell(id)];
    const write = (): Condition => sql`insert into ${this.#directory} (name, account, id) values (${sql.join(cells)})`;
    await this.#run({ does: "enter", many: 1, write }, cells);
  }

  async #leave(name: Cell): Promise<void> {
    if (name === null) return;
    const write = (): Condition => sql`delete from ${this.#directory} where name = ${name}`;
    await this.#run({ does: "leave", many: 1, write }, [name]);
  }

  async #rename(row: Row<Name>, before: Row<Name>): Promise<void> {
    const [name, last] = [this.#nameOf(row), this.#nameOf(before)];
    if (name === last) return;
    await this.#leave(last);
    await this.#enter(name, row.id);
  }

  #count(owner: unknown, by: number): void {
    this.#moment.counts?.add(this.#name, String(owner), by);
  }

  /** A unique name of a prepared text, by what it does. */
  #does(what: string): string {
    const { account } = this.#moment;
    const reach = typeof account === "string" ? "" : account === null ? "of the platform" : "of all";
    return `${what} ${this.#name} ${reach}`;
  }

  #isIn(column: string, values: readonly (Cell | boolean | undefined)[]): Condition {
    return allOf([this.#own(column), isOneOf(column, values.map(cell))]);
  }

  /** Rows of a query that runs for each page of a list. */
  async #remembered(query: Condition, recurs = false): Promise<readonly Cells[]> {
    const { remember, database } = this.#moment;
    const { sql: text, parameters } = query.compile(database.writer);
    if (recurs) database.texts.keep(text);
    const sought = { tables: [this.#name], key: `${text} ${JSON.stringify(parameters)}`, most: maxLists };
    return remember(sought, () => database.run(text, parameters));
  }

  async #select(condition: Condition, rest: Condition = sql`order by id`, recurs = false): Promise<Row<Name>[]> {
    const query = sql`select doc from ${this.#from} where ${condition} ${rest}`;
    return this.#rowsOf(await rowsOf(query, this.#database, recurs));
  }

  /** SQL that finds rows by one value of a column. */
  #by(column: string): string {
    const write = (): Condition => sql`select doc from ${this.#from} where ${this.#isIn(column, [null])} order by id`;
    return textOf({ does: this.#does(`find by ${column}`), write }, this.#database);
  }

  /** SQL that finds rows by the values of columns. Undefined if a condition is more than a value. */
  #byValues(where: Where, rest: "" | "limit 1"): PreparedText | undefined {
    const parameters: Cell[] = [...this.#ownValues];
    let shape = "";
    for (const [column, value] of Object.entries(where)) {
      if (isBound(value)) return undefined;
      shape += value === null ? ` ${column} null` : ` ${column}`;
      if (value !== null) parameters.push(cell(value));
    }
    const write = (): Condition =>
      sql`select doc from ${this.#from} where ${this.#conditionsOf(where)} order by id ${sql.raw(rest)}`;
    return { text: textOf({ does: this.#does(`find${shape}, ${rest}`), write }, this.#database), parameters };
  }

  #rowsOf(results: readonly Cells[]): Row<Name>[] {
    return results.map((cells) => this.#rowOf(cells));
  }

  #rowOf([doc]: Cells): Row<Name> {
    // Only this class writes `doc`, from rows of this table.
    return JSON.parse(String(doc)) as Row<Name>;
  }

  /** Runs a statement that writes this table, or several rows of it. */
  async #run({ does, many, write }: WrittenRow, parameters: readonly unknown[]): Promise<readonly Cells[]> {
    this.#moment.onWrite(this.#name);
    const database = this.#database;
    if (many > maxPreparedTexts) return rowsOf(write(), database);
    return database.run(textOf({ does: `${does} ${this.#name} ${many}`, write }, database), parameters);
  }

  get #database(): Sql {
    return this.#moment.database;
  }

  #conditionsOf(where: Where): Condition {
    const own = this.#own();
    return allOf([own, conditionsOf(where, { table: this.#name, own })]);
  }

  /** The columns besides the key. */
  get #columns(): readonly string[] {
    return ["doc", ...Object.keys(this.#table.columns)];
  }

  /** The values of the columns. */
  #cells(row: Row<Name>): readonly Cell[] {
    if ("account" in row && this.#table.of === "account" && row.account !== this.#account)
      throw new Error(`a row of the account ${row.account} is written in ${this.#account}`);
    const cells: Cell[] = [JSON.stringify(row)];
    const { columns } = this.#table;
    for (const column in columns) {
      const value = cell(storedValue(row, column) as Cell | boolean | undefined);
      cells.push(columns[column] === "text" && value !== null ? String(value) : value);
    }
    return cells;
  }

  /** The rows of the items in the lists of a row. */
  #items(row: Row<Name>): readonly (readonly Cell[])[] {
    return (this.#table.lists ?? []).flatMap((field) =>
      [...new Set(storedValue(row, field) as readonly string[])].map((item) => [
        ...this.#owner,
        this.#name,
        field,
        textCell(item),
        cell(row.id),
      ]),
    );
  }

  async #addItems(row: Row<Name>): Promise<void> {
    const items = this.#items(row);
    if (items.length === 0) return;
    const write = (): Condition => {
      const values = items.map((cells) => sql`(${sql.join(cells)})`);
      return sql`insert into items (account, tbl, field, item, id) values ${sql.join(values)}`;
    };
    await this.#run({ does: "add items of", many: items.length, write }, items.flat());
  }

  async #removeItems(ids: readonly Id<Name>[]): Promise<void> {
    if (this.#table.lists === undefined) return;
    const write = () => sql`delete from items where ${this.#own()} and tbl = ${this.#name} and ${isOneOf("id", ids)}`;
    const parameters = [...this.#owner, this.#name, ...ids.map(cell)];
    await this.#run({ does: "remove items of", many: ids.length, write }, parameters);
  }
}

interface PreparedText {
  readonly text: string;
  readonly parameters: readonly Cell[];
}

interface WrittenRow extends Statement {
  /** The number of rows, which the text depends on. */
  readonly many: number;
}

/** As many as the longest page: some milliseconds of rows. */
const maxPreparedValues = 500;

/** As many rows are compared with a text in the time of one look-up in an index of texts. */
const maxCompared = 1000;

/** Maximum number of cached counts of a table, and of ids in a cached list. */
const maxLists = 200;

/** Texts for more rows at once than this are not cached. */
const maxPreparedTexts = 8;

/** Some databases reject more values in one statement. */
const maxParameters = 10_000;

function slices<T>(values: readonly T[], size = maxParameters): readonly (readonly T[])[] {
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, index) => values.slice(index * size, (index + 1) * size));
}

/** Repeats the last value up to a power of two, so that there are few statements for any number of values. */
function padded<T>(values: readonly T[]): readonly T[] {
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...Array<T>(length - values.length).fill(values.at(-1) as T)];
}

function storedValue(row: object, path: string): unknown {
  if (!path.includes(".")) return (row as Readonly<Record<string, unknown>>)[path];
  return valueAt(row, path.split("."));
}
