import { describe, expect, it } from "vitest";
import { OperationError } from "../errors/errors.js";
import { matchesCondition, orderItems } from "./list-items.js";
import { readListQuery } from "./list-query.js";
import type { FilterSyntax, ListSyntax } from "./list-syntax.js";

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
