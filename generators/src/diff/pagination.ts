import type { Operation, Pagination } from "../model/api.js";
import { report, whatAt, type At } from "./comparison.js";
import { same } from "./same.js";

/** Compares the pagination of lists. */
export function pagination(
  { pagination: old }: Operation,
  { pagination: next, origin: here }: Operation,
  at: At,
): void {
  if (same(old, next)) return;
  const change = old === undefined ? "added" : next === undefined ? "removed" : "changed";
  report(at, `pagination-${change}`, { what: whatAt(at), old: old && shown(old), new: next && shown(next), here });
}

function shown({ page, size, envelope }: Pagination): string {
  const { items, page: number, pages, total } = envelope;
  return `requested by ${page} and ${size}, returned as ${[items, number, pages, total].join(", ")}`;
}
