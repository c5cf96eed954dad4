import type { Pagination, Parameter } from "../../model/index.js";
import type { SpecNode } from "../read/spec-node.js";

/**
 * Reads `x-pagination`. An operation is paginated if it has both query parameters. An incomplete field, which the linter reports,
 * paginates nothing: clients could not find the next page.
 */
export function readPagination(
  operation: SpecNode,
  root: SpecNode,
  parameters: readonly Parameter[],
): Pagination | undefined {
  const field = operation.get("x-pagination") ?? root.get("x-pagination");
  const [page, size] = [field?.text("page"), field?.text("size")];
  const takes = (name: string) => parameters.some((each) => each.in === "query" && each.name === name);
  if (!page || !size || !takes(page) || !takes(size)) return undefined;
  const names = ["items", "page", "pages", "total"].map((key) => field?.get("envelope")?.text(key) ?? "");
  const [items = "", number = "", pages = "", total = ""] = names;
  return names.includes("") ? undefined : { page, size, envelope: { items, page: number, pages, total } };
}
