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
): (item: Fields) => boolean {
  const tests = [...query].flatMap(([name, operand]) => {
    const [, field = "", operator = ""] = /^filter\[(\w+)\](?:\[(\w+)\])?$/.exec(name) ?? [];
    if (!fields.includes(field)) {
      if (status !== undefined) throw new SampleRejection(status);
      return [];
    }
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
