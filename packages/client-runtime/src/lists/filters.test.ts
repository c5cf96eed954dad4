import { expectTypeOf, test } from "vitest";
import type { FilterOrder, FilterValue, ListFilter } from "./filters.js";

type Things = ListFilter<
  {
    readonly size: FilterValue<number, { gt: "+gt"; lt: "+lt" }>;
    readonly label: FilterValue<string | null, { ne: "+neq"; contains: "+contains" }>;
    readonly tags: FilterValue<string, { contains: "+contains" }>;
    readonly "of.kind": "cat" | "dog";
  },
  "+and" | "+or"
> &
  FilterOrder<"+order_by", "+order", "size" | "label">;

test("a filter has fields, values and operators", () => {
  expectTypeOf({ size: 3, "of.kind": "cat" as const }).toExtend<Things>();
  expectTypeOf({ size: { "+gt": 3, "+lt": 9 }, label: null, tags: { "+contains": "a" } }).toExtend<Things>();
  expectTypeOf({ label: { "+neq": null } }).toExtend<Things>();
  expectTypeOf({ label: undefined, "+or": [{ size: 1 }, { "+and": [{ tags: "b" }] }] }).toExtend<Things>();
  expectTypeOf({ "+order_by": "size" as const, "+order": "desc" as const, size: 1 }).toExtend<Things>();
});

test("a filter has nothing else", () => {
  // @ts-expect-error unknown field
  void ({ colour: "red" } satisfies Things);
  // @ts-expect-error nor within another filter
  void ({ "+or": [{ colour: "red" }] } satisfies Things);
  // @ts-expect-error it has another type
  void ({ size: "large" } satisfies Things);
  // @ts-expect-error it has no such operator
  void ({ size: { "+contains": 3 } } satisfies Things);
  // @ts-expect-error nothing is greater than null
  void ({ size: { "+gt": null } } satisfies Things);
  // @ts-expect-error lists have no order
  void ({ "+order_by": "tags" } satisfies Things);
  // @ts-expect-error an order is of something
  void ({ "+order": "desc" } satisfies Things);
  // @ts-expect-error an order stands in the outermost object
  void ({ "+and": [{ "+order_by": "size" }] } satisfies Things);
});

test("a filter without other filters in it", () => {
  type Plain = ListFilter<{ readonly size: FilterValue<number, { gte: "min" }> }>;
  expectTypeOf({ size: { min: 3 } }).toExtend<Plain>();
  // @ts-expect-error it has no filters in it
  void ({ and: [{ size: 3 }] } satisfies Plain);
  // @ts-expect-error the API writes the operator otherwise
  void ({ size: { gte: 3 } } satisfies Plain);
});
