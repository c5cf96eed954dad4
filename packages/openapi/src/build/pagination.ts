import type { Pagination, Parameter } from "@plumbline/model";
import type { SpecNode } from "../read/spec-node.js";

/** Reads `x-pagination`. An operation is paginated if it has both query parameters. */
export function readPagination(
  operation: SpecNode,
  root: SpecNode,
  parameters: readonly Parameter[],
): Pagination | undefined {
  const place = operation.get("x-pagination") ?? root.get("x-pagination");
  const envelope = place?.get("envelope");
  const text = (from: SpecNode | undefined, key: string) => from?.text(key) ?? "";
  const [page, size] = [text(place, "page"), text(place, "size")];
  const takes = (name: string) => parameters.some((each) => each.in === "query" && each.name === name);
  if (place === undefined || !takes(page) || !takes(size)) return undefined;
  const total = text(envelope, "total");
  return {
    page,
    size,
    envelope: { items: text(envelope, "items"), page: text(envelope, "page"), pages: text(envelope, "pages"), total },
  };
}
