import type { Operation, Pagination } from "../../model/index.js";
import { isDeepEqual } from "../deep-equal.js";
import { reportDifference, describeValue, type ComparisonContext } from "../description-comparison.js";

/** Compares the pagination of lists. */
export function comparePagination(
  { pagination: old }: Operation,
  { pagination: next, origin: here }: Operation,
  at: ComparisonContext,
): void {
  if (isDeepEqual(old, next)) return;
  const change = old === undefined ? "added" : next === undefined ? "removed" : "changed";
  reportDifference(at, `pagination-${change}`, {
    subject: describeValue(at),
    old: old && formatPagination(old),
    new: next && formatPagination(next),
    newOrigin: here,
  });
}

function formatPagination({ page, size, envelope }: Pagination): string {
  const { items, page: number, pages, total } = envelope;
  return `requested by ${page} and ${size}, returned as ${[items, number, pages, total].join(", ")}`;
}
