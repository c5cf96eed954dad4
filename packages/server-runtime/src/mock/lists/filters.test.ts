import { describe, expect, it } from "vitest";
import { OperationError } from "../../server/index.js";
import { checkFilter, matchesFilter, orderItems } from "./filters.js";

const context = {
  parameter: "X-Filter",
  fields: {
    label: { type: "string" },
    size: { type: "number" },
    tags: { type: "array" },
    created: { type: "string" },
    "owner.name": { type: "string" },
  },
} as const;

const item = { label: "Web-1", size: 20, tags: ["a", "b"], created: "2026-01-02T03:04:05Z", owner: { name: "ann" } };

describe("a filter", () => {
  it.each([
    [{}, true],
    [{ label: "Web-1" }, true],
    [{ label: "web-1" }, false],
    [{ label: { "+contains": "WEB" } }, true],
    [{ label: { "+neq": "web-1" } }, true],
    [{ size: { "+gte": 20, "+lt": 21 } }, true],
    [{ size: { "+gt": 20 } }, false],
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
    expect(matchesFilter(item, filter, context)).toBe(expected);
  });

  it("matches null by null only", () => {
    const unset = { ...item, label: null };
    expect(
      [{ label: null }, { label: { "+gt": "a" } }, { label: { "+neq": "a" } }].map((each) =>
        matchesFilter(unset, each, context),
      ),
    ).toEqual([true, false, true]);
  });

  it.each([
    [{ color: "red" }, "Cannot filter on color"],
    [{ "+or": [{ label: "a" }, { color: "red" }] }, "Cannot filter on color"],
    [{ "+order_by": "tags" }, "Cannot filter on tags"],
    [{ label: { "+like": "a" } }, "There is no operator +like"],
    [{ tags: { "+gt": "a" } }, "A list cannot be compared with +gt"],
    [{ __proto__: 1, constructor: "a" }, "Cannot filter on constructor"],
  ])("%j is rejected, also for an empty list", (filter, reason) => {
    expect(() => checkFilter(filter, context)).toThrow(OperationError);
    try {
      checkFilter(filter, context);
    } catch (error) {
      expect((error as OperationError).detail).toEqual({ field: "X-Filter", reason });
    }
  });

  it("orders items, with those that have no value first", () => {
    const items = [{ size: 3 }, { size: null }, { size: 10 }, {}].map((each, index) => ({ ...each, index }));
    const indices = (filter: object): unknown[] => orderItems(items, filter as never).map(({ index }) => index);
    expect(indices({ "+order_by": "size" })).toEqual([1, 3, 0, 2]);
    expect(indices({ "+order_by": "size", "+order": "desc" })).toEqual([2, 0, 1, 3]);
    expect(indices({ "+order": "desc" })).toEqual([3, 2, 1, 0]);
  });
});
