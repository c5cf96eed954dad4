import type { FilterSyntax, Operation, OrderSyntax, Pagination } from "../../model/index.js";
import { reportDifference, describeValue, type ComparisonContext } from "../description-comparison.js";
import { joinValues } from "../shorten.js";

/** Compares the pagination of lists. */
export function comparePagination(old: Operation, next: Operation, at: ComparisonContext): void {
  compareTexts("pagination", [formatPagination(old.pagination), formatPagination(next.pagination)], { next, at });
}

/** Compares how requests filter a list. */
export function compareFilterSyntax(old: Operation, next: Operation, at: ComparisonContext): void {
  compareTexts("list-syntax", [formatFilter(old.filter), formatFilter(next.filter)], { next, at });
}

/** Compares how requests order a list. */
export function compareOrderSyntax(old: Operation, next: Operation, at: ComparisonContext): void {
  compareTexts("list-syntax", [formatOrder(old.order), formatOrder(next.order)], { next, at });
}

function compareTexts(
  subject: "pagination" | "list-syntax",
  [old, next]: readonly [old: string | undefined, next: string | undefined],
  { next: { origin }, at }: { readonly next: Operation; readonly at: ComparisonContext },
): void {
  if (old === next) return;
  const change = old === undefined ? "added" : next === undefined ? "removed" : "changed";
  reportDifference(at, `${subject}-${change}`, { subject: describeValue(at), old, new: next, newOrigin: origin });
}

function formatPagination(pages: Pagination | undefined): string | undefined {
  if (pages === undefined) return undefined;
  const { page: parameter, size, next, envelope, error } = pages;
  if (next !== undefined) {
    const where = `${next.in === "header" ? next.name : next.pointer.join(".")} in the ${next.in}`;
    const of = envelope.items === undefined ? "" : `, with the items in ${envelope.items}`;
    return `requested by the cursor ${parameter}${size === undefined ? "" : ` and ${size}`}, continued by ${where}${of}${formatError(error, "cursors")}`;
  }
  const { items, page, pages: count, total } = envelope;
  return `requested by ${parameter} and ${size}, returned as ${[items, page, count, total].join(", ")}`;
}

function formatFilter(filter: FilterSyntax | undefined): string | undefined {
  if (filter === undefined) return undefined;
  const { style, parameter, operators, all, any, error } = filter;
  const spellings = Object.entries({ ...operators, all, any }).flatMap(([name, spelling]) =>
    spelling === undefined ? [] : [name === spelling ? name : `${spelling} for ${name}`],
  );
  const by = parameter === undefined ? "" : ` by ${parameter.name} in the ${parameter.in}`;
  return `filtered in the style ${style}${by}, with ${joinValues(spellings)}${formatError(error, "fields")}`;
}

function formatError(error: string | undefined, of: "cursors" | "fields"): string {
  return error === undefined ? "" : `, with the error ${error} for other ${of}`;
}

function formatOrder(order: OrderSyntax | undefined): string | undefined {
  if (order === undefined) return undefined;
  return order.kind === "filter"
    ? `ordered by ${order.by} and ${order.direction} of its ${order.kind}`
    : `ordered by the ${order.kind} ${order.parameter}, with ${order.descending} for the greatest first`;
}
