import { SampleRejection, type Fields } from "./sample-api.js";

type Comparison = (value: unknown, operand: string) => boolean;

const comparisons: Readonly<Record<string, Comparison>> = {
  "": (value, operand) => String(value) === operand,
  not: (value, operand) => String(value) !== operand,
  gt: (value, operand) => Number(value) > Number(operand),
  gte: (value, operand) => Number(value) >= Number(operand),
  lt: (value, operand) => Number(value) < Number(operand),
  lte: (value, operand) => Number(value) <= Number(operand),
  like: (value, operand) => String(value).toLowerCase().includes(operand.toLowerCase()),
};

/** The test of `filter[places][gte]=100`. Other fields than these are rejected with the status, unless there is none. */
export function bracketFilter(
  query: URLSearchParams,
  fields: readonly string[],
  status: number | undefined,
  numbers: readonly string[] = [],
): (item: Fields) => boolean {
  const tests = [...query].flatMap(([name, operand]) => {
    if (name === "order") return [];
    const [, field = "", operator = ""] = /^filter\[(\w+)\](?:\[(\w+)\])?$/.exec(name) ?? [];
    if (!fields.includes(field)) {
      if (status !== undefined) throw new SampleRejection(status);
      return [];
    }
    // `gt` and its like compare numbers.
    const isNumber = numbers.includes(field) || /^[gl]te?$/.test(operator);
    if (isNumber && Number.isNaN(Number(operand)) && status !== undefined) throw new SampleRejection(status);
    return [(item: Fields) => comparisons[operator]?.(item[field], operand) ?? true];
  });
  return (item) => tests.every((matches) => matches(item));
}

const suffixes = { "": "", _from: "gte", _to: "lte", _like: "like" } as const;

/** The test of `slot_from=10&urgent=true`. */
export function queryFilter(query: URLSearchParams, fields: readonly string[]): (item: Fields) => boolean {
  const tests = fields.flatMap((field) =>
    Object.entries(suffixes).flatMap(([suffix, operator]) => {
      const operand = query.get(`${field}${suffix}`);
      return operand === null ? [] : [(item: Fields) => comparisons[operator]?.(item[field], operand) ?? true];
    }),
  );
  return (item) => tests.every((matches) => matches(item));
}

const prefixes = { "gte:": "gte", "lte:": "lte", "not:": "not", "like:": "like" } as const;

/** The test of `pages=gte:100&title=Emma`. */
export function prefixFilter(
  query: URLSearchParams,
  fields: Readonly<Record<string, "text" | "number">>,
): (item: Fields) => boolean {
  const tests = Object.entries(fields).flatMap(([field, type]) =>
    query.getAll(field).map((text) => {
      const [prefix, operator] = Object.entries(prefixes).find(([each]) => text.startsWith(each)) ?? ["", ""];
      const operand = text.slice(prefix.length);
      if (type === "number" && !/^\d+$/.test(operand)) throw new SampleRejection(400, field);
      return (item: Fields) => comparisons[operator]?.(item[field], operand) ?? true;
    }),
  );
  return (item) => tests.every((matches) => matches(item));
}

/** Where a page begins: after an item with this value of the order and this id, or at an offset. */
type Position = readonly [value: string | number | null, id: number];

/** A page of items in the order of `sort=-pages`, and the cursor of the next one. */
export function pageByCursor<Item extends Fields & { readonly id: number }>(
  items: readonly Item[],
  { sort, after, size, isOffset }: { sort: string; after: Position | undefined; size: number; isOffset: boolean },
): { readonly page: readonly Item[]; readonly next: string | undefined } {
  const field = sort.replace(/^-/, "");
  const sign = sort.startsWith("-") ? -1 : 1;
  const positionOf = (item: Item): Position => {
    const value = item[field];
    return [typeof value === "string" || typeof value === "number" ? value : null, item.id];
  };
  const compare = ([a, id]: Position, [b, other]: Position): number => sign * compareValues(a, b) || id - other;
  const all = items.toSorted((a, b) => compare(positionOf(a), positionOf(b)));
  const start =
    after === undefined ? 0 : isOffset ? after[1] : all.filter((item) => compare(positionOf(item), after) <= 0).length;
  const page = all.slice(start, start + size);
  const last = page.at(-1);
  const next = isOffset ? [null, start + size] : last && positionOf(last);
  return {
    page,
    next: start + size < all.length ? Buffer.from(JSON.stringify(next)).toString("base64url") : undefined,
  };
}

function compareValues(a: Position[0], b: Position[0]): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The position of a cursor, or `undefined` for a text that is none. */
export function positionOfCursor(cursor: string): Position | undefined {
  const text = Buffer.from(cursor, "base64url").toString();
  return /^\[(null|\d+|"[^"]*"),\d+\]$/.test(text) ? (JSON.parse(text) as Position) : undefined;
}

/** The items in the order of `sort=-slot`. */
export function sorted<Item extends Fields>(items: readonly Item[], sort: string | null): readonly Item[] {
  if (sort === null) return items;
  const field = sort.replace(/^-/, "");
  const ascending = items.toSorted((a, b) => Number(a[field]) - Number(b[field]));
  return sort.startsWith("-") ? ascending.toReversed() : ascending;
}

/** Rejects parameters that are sent twice, or whose values have another form. */
export function checkQuery(query: URLSearchParams, forms: Readonly<Record<string, RegExp>>): void {
  for (const [name, form] of Object.entries(forms)) {
    const values = query.getAll(name);
    if (values.length > 1 || values.some((value) => !form.test(value))) throw new SampleRejection(400, name);
  }
}

/** What a JSON filter can have wrong with it, and how its words are read. */
export interface JsonFilterRules {
  /** Absent: all. */
  readonly fields: readonly string[] | undefined;
  readonly isLenient: boolean;
  readonly ignoresOperators: boolean;
  readonly ignoresDirections: boolean;
  readonly ignoresInner: boolean;
  readonly all: "every" | "some";
  readonly any: "every" | "some";
  /** In place of the usual ones. */
  readonly comparisons: Readonly<Record<string, JsonComparison>>;
}

type JsonComparison = (value: unknown, operand: unknown) => boolean;

type Matches = (item: Fields) => boolean;

const jsonComparisons: Readonly<Record<string, JsonComparison>> = {
  from: (value, operand) => value !== undefined && Number(value) >= Number(operand),
  not: (value, operand) => value !== operand,
  has: (value, operand) => String(value).toLowerCase().includes(String(operand).toLowerCase()),
};

/** The test and the order of `{"stars": {"from": 3}, "any": [{"mood": "glad"}], "sort": "stars", "direction": "desc"}`. */
export function jsonFilter(
  text: string,
  rules: JsonFilterRules,
): { readonly matches: Matches; readonly by: string | undefined; readonly isDescending: boolean } {
  const filter = parseFilter(text, rules.isLenient);
  const { sort, direction = "asc", ...conditions } = filter;
  const isKnown = direction === "asc" || direction === "desc";
  if (!isKnown && !rules.ignoresDirections) throw new SampleRejection(400, "filter");
  const by = typeof sort === "string" ? sort : undefined;
  if (sort !== by || (by !== undefined && rules.fields?.includes(by) === false))
    throw new SampleRejection(400, "filter");
  return {
    matches: readJsonConditions(conditions, rules),
    by,
    isDescending: direction === "desc",
  };
}

function parseFilter(text: string, isLenient: boolean): Fields {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    if (isLenient) return {};
  }
  throw new SampleRejection(400, "filter");
}

function readJsonConditions(filter: Fields, rules: JsonFilterRules): Matches {
  const tests = Object.entries(filter).map(([name, value]): Matches => {
    if (name === "all" || name === "any") return readJoined(value, rules[name], rules);
    if (rules.fields?.includes(name) === false) throw new SampleRejection(400, "filter");
    if (typeof value !== "object" || value === null) return (item) => item[name] === value;
    return readOperators(name, value as Fields, rules);
  });
  return (item) => tests.every((matches) => matches(item));
}

function readJoined(value: unknown, how: "every" | "some", rules: JsonFilterRules): Matches {
  if (!Array.isArray(value)) throw new SampleRejection(400, "filter");
  const inner = value.map((each) => readJsonConditions(each as Fields, rules));
  return (item) => rules.ignoresInner || inner[how]((matches) => matches(item));
}

function readOperators(name: string, value: Fields, rules: JsonFilterRules): Matches {
  const tests = Object.entries(value).flatMap(([operator, operand]): readonly Matches[] => {
    const compare = rules.comparisons[operator] ?? jsonComparisons[operator];
    if (compare === undefined && !rules.ignoresOperators) throw new SampleRejection(400, "filter");
    return compare === undefined ? [] : [(item) => compare(item[name], operand)];
  });
  return (item) => tests.every((matches) => matches(item));
}
