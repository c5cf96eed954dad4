import { describe, expect, it } from "vitest";
import { OperationError } from "../errors/errors.js";
import { decodeCursor, encodeCursor } from "./cursors.js";
import { cursorPage, matchesCondition, orderItems, selectItems } from "./list-items.js";
import { readListQuery } from "./list-query.js";
import type { FilterSyntax, ListOrder, ListPage, ListSyntax } from "./list-syntax.js";

const filterFields = {
  label: { type: "string" },
  size: { type: "number" },
  is_new: { type: "boolean" },
  tags: { type: "array" },
  created: { type: "string" },
  "owner.name": { type: "string" },
} as const;

const operators = { gt: "+gt", gte: "+gte", lt: "+lt", lte: "+lte", ne: "+neq", contains: "+contains" };
const json: ListSyntax = {
  filter: {
    style: "json",
    parameter: { in: "headers", name: "X-Filter" },
    operators,
    all: "+and",
    any: "+or",
    error: "not-filterable",
  },
  order: { kind: "filter", by: "+order_by", direction: "+order" },
  filterFields,
};

const item = {
  label: "Web-1",
  size: 20,
  is_new: true,
  tags: ["a", "b"],
  created: "2026-01-02T03:04:05Z",
  owner: { name: "ann" },
};

function matches(language: ListSyntax, input: object, values: object = item): boolean {
  const { where } = readListQuery({ ...input }, language);
  return where === undefined || matchesCondition(values, where);
}

const sent = (filter: unknown) => ({ headers: { "X-Filter": filter } });

describe("a JSON filter", () => {
  it.each([
    [{}, true],
    [{ label: "Web-1" }, true],
    [{ label: "web-1" }, false],
    [{ label: { "+contains": "WEB" } }, true],
    [{ label: { "+neq": "web-1" } }, true],
    [{ size: { "+gte": 20, "+lt": 21 } }, true],
    [{ size: { "+gt": 20 } }, false],
    [{ size: { "+lte": 20 } }, true],
    [{ size: "20" }, true],
    [{ tags: "b" }, true],
    [{ tags: { "+neq": "b" } }, false],
    [{ tags: { "+contains": "B" } }, true],
    [{ created: { "+gt": "2026-01-02T03:04:04" } }, true],
    [{ "owner.name": "ann" }, true],
    [{ "+or": [{ size: 1 }, { label: "Web-1" }] }, true],
    [{ "+and": [{ size: 20 }, { label: "other" }] }, false],
    [{ "+order_by": "size", "+order": "desc" }, true],
  ])("%j matches: %s", (filter, expected) => {
    expect(matches(json, sent(filter))).toBe(expected);
  });

  it("matches null by null only", () => {
    const filters = [{ label: null }, { label: { "+gt": "a" } }, { label: { "+neq": "a" } }];
    expect(filters.map((each) => matches(json, sent(each), { ...item, label: null }))).toEqual([true, false, true]);
  });

  it.each([
    [{ color: "red" }, "Cannot filter on color"],
    [{ "+or": [{ label: "a" }, { color: "red" }] }, "Cannot filter on color"],
    [{ "+order_by": "tags" }, "Cannot filter on tags"],
    [{ label: { "+like": "a" } }, "There is no operator +like"],
    [{ tags: { "+gt": "a" } }, "A list cannot be compared with +gt"],
    [{ __proto__: 1, constructor: "a" }, "Cannot filter on constructor"],
    [{ "+and": {} }, "+and takes a list of filters"],
    [{ "+or": [3] }, "+or takes a list of filters"],
    [{ "+order_by": "size", "+order": "up" }, "A direction is asc or desc"],
  ])("%j is rejected, also for an empty list", (filter, reason) => {
    const read = () => readListQuery(sent(filter), json);
    expect(read).toThrow(OperationError);
    try {
      read();
    } catch (error) {
      expect(error).toMatchObject({ id: "not-filterable", detail: { field: "X-Filter", reason } });
    }
  });
});

const without = { headers: {}, query: {} };

describe("a filter in brackets", () => {
  const filter: FilterSyntax = {
    style: "brackets",
    parameter: { in: "query", name: "filter" },
    operators: { gte: "min", ne: "not" },
  };
  const brackets: ListSyntax = { filter, filterFields };

  it.each([
    [{ size: "20" }, true],
    [{ size: { min: "21" } }, false],
    [{ size: { not: "20" } }, false],
    [{ is_new: "true", label: { not: "Web-2" } }, true],
    [{ is_new: { not: "true" } }, false],
    [{ color: "red" }, true],
  ])("%j matches: %s", (sentFilter, expected) => {
    expect(matches(brackets, { query: { filter: sentFilter } })).toBe(expected);
  });

  it("rejects other fields only with the error that the description states", () => {
    const strict = { ...brackets, filter: { ...filter, error: "no-such-field" } };
    expect(() => readListQuery({ query: { filter: { color: "red" } } }, strict)).toThrow("no-such-field");
    expect(readListQuery(without, strict)).toEqual({ page: {} });
  });
});

describe("filters that are parameters of their own", () => {
  const query: ListSyntax = {
    filter: { style: "query", operators: { gte: "_from", contains: "_like" } },
    order: { kind: "parameter", parameter: "sort", descending: "-" },
    filterFields: { ...filterFields, label: { type: "string", operators: ["contains"] } },
  };

  it.each([
    [{ size: 20, label_like: "web" }, true],
    [{ size_from: "21" }, false],
    [{ label_from: "Z" }, true],
    [{ is_new: false }, false],
    [{ other: "red" }, true],
  ])("%j matches: %s", (parameters, expected) => {
    expect(matches(query, { query: parameters })).toBe(expected);
  });

  it("are ordered by another one", () => {
    const order = (sort: string) => readListQuery({ query: { sort } }, query).order;
    expect([order("size"), order("-size"), order("tags"), order("color")]).toEqual([
      { by: "size", isDescending: false },
      { by: "size", isDescending: true },
      undefined,
      undefined,
    ]);
  });
});

it("orders items, with those that have no value first", () => {
  const items = [{ size: 3 }, { size: null }, { size: 10 }, {}].map((each, index) => ({ ...each, index }));
  const indices = (filter: object): unknown[] => {
    const { order } = readListQuery(sent(filter), json);
    return (order === undefined ? items : orderItems(items, order)).map(({ index }) => index);
  };
  expect(indices({ "+order_by": "size" })).toEqual([1, 3, 0, 2]);
  expect(indices({ "+order_by": "size", "+order": "desc" })).toEqual([2, 0, 1, 3]);
  expect(indices({ "+order": "desc" })).toEqual([3, 2, 1, 0]);
});

describe("filters with the operator before the value", () => {
  const filter: FilterSyntax = { style: "prefix", operators: { gte: "gte:", ne: "not:" }, error: "not-filterable" };
  const prefix: ListSyntax = {
    filter,
    filterFields: { ...filterFields, label: { type: "string", operators: ["ne"] } },
  };

  it.each([
    [{ size: "20" }, true],
    [{ size: "gte:20" }, true],
    [{ size: "gte:21" }, false],
    [{ size: ["gte:20", "not:20"] }, false],
    [{ size: ["gte:20", "not:21"] }, true],
    [{ label: "gte:Web-1" }, false],
    [{ label: "not:Web-2", is_new: "true" }, true],
    [{ created: "gte:2026-01-02T03:04:05Z" }, true],
    [{ color: "red" }, true],
  ])("%j matches: %s", (query, expected) => {
    expect(matches(prefix, { query })).toBe(expected);
  });

  it.each([
    [{ size: "gte:many" }, "size"],
    [{ is_new: "not:maybe" }, "is_new"],
  ])("%j is rejected", (query, field) => {
    expect(() => readListQuery({ query }, prefix)).toThrow(`not-filterable (${field})`);
  });
});

describe("pages", () => {
  const numbered: ListSyntax = { pages: { page: "page", size: "size" }, filterFields };
  const byCursor: ListSyntax = {
    pages: { page: "after", size: "size", isCursor: true, error: "no-cursor" },
    filterFields,
  };

  it("have numbers and sizes", () => {
    expect(readListQuery({ query: { page: 2, size: 5 } }, numbered).page).toEqual({ number: 2, size: 5 });
    expect(readListQuery({ query: {} }, numbered).page).toEqual({});
  });

  it.each([3, "a", "ß 🙂"])("have a cursor with the key %j", (key) => {
    const after = encodeCursor({ value: "é", key });
    expect(after).toMatch(/^[\w-]+$/);
    expect(readListQuery({ query: { after, size: 5 } }, byCursor).page).toEqual({
      after: { value: "é", key },
      size: 5,
    });
  });

  it.each(["", "x", "bm9uZQ", 7, btoa('{"key":1}')])("reject the cursor %j", (after) => {
    expect(() => readListQuery({ query: { after } }, byCursor)).toThrow("no-cursor (after)");
  });
});

describe("a page with a cursor", () => {
  const boxes = [5, 5, 1, 9, 5, null].map((size, id) => ({ id, size }));
  const walk = (sort: ListOrder | undefined, change: (all: typeof boxes) => typeof boxes = (all) => all): number[] => {
    const ids: number[] = [];
    let [all, page] = [boxes, { size: 2 } as ListPage];
    for (;;) {
      const items = selectItems(all, { ...(sort && { order: sort }) });
      const { items: some, next } = cursorPage(items, { order: sort, page }, ({ id }) => id);
      ids.push(...some.map(({ id }) => id));
      if (next === undefined) return ids;
      const after = decodeCursor(next);
      page = { size: 2, ...(after && { after }) };
      all = change(all);
    }
  };

  it.each([
    [undefined, [0, 1, 2, 3, 4, 5]],
    [{ isDescending: true }, [5, 4, 3, 2, 1, 0]],
    [{ by: "size", isDescending: false }, [5, 2, 0, 1, 4, 3]],
    [{ by: "size", isDescending: true }, [3, 0, 1, 4, 2, 5]],
  ])("has every item once, in the order %j", (order, expected) => {
    expect(walk(order)).toEqual(expected);
  });

  it("continues where it was, whatever is created or deleted", () => {
    const order = { by: "size", isDescending: false };
    expect(walk(order, (all) => all.filter(({ id }) => id !== 2))).toEqual([5, 2, 0, 1, 4, 3]);
    expect(walk(order, (all) => [{ id: 9, size: 0 }, ...all])).toEqual([5, 2, 0, 1, 4, 3]);
  });
});
