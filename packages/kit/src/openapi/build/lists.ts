import {
  filterOperators,
  type CursorPages,
  type FilterSyntax,
  type Operation,
  type OrderSyntax,
  type Pagination,
  type Parameter,
} from "../../model/index.js";
import { readCursorPlace } from "../read/cursor-place.js";
import type { SpecNode } from "../read/spec-node.js";
import { filterStyles, isFilterStyle, orderStyle } from "./list-styles.js";

/** What `x-lists` states of one operation. */
export interface ListSyntax {
  readonly pagination: Operation["pagination"];
  readonly filter: Operation["filter"];
  readonly order: Operation["order"];
}

/** Reads `x-lists`. Each part of the root applies to the operations that have its parameters, unless they state that part. */
export function readLists(operation: SpecNode, root: SpecNode, parameters: readonly Parameter[]): ListSyntax {
  const part = (key: string): SpecNode | undefined =>
    operation.get("x-lists")?.get(key) ?? root.get("x-lists")?.get(key);
  const filter = readFilter(part("filter"), parameters);
  return {
    pagination: readPages(part("pages"), parameters),
    filter,
    order: readOrder(part("order"), { filter, parameters }),
  };
}

/**
 * An operation is paginated if it has the query parameters. Incomplete pages, which the linter reports, paginate nothing: clients could
 * not find the next page.
 */
function readPages(pages: SpecNode | undefined, parameters: readonly Parameter[]): Pagination | undefined {
  if (pages?.has("cursor") === true) return readCursorPages(pages, parameters);
  const [page, size] = [pages?.text("page"), pages?.text("size")];
  if (!page || !size || !isQuery(parameters, page) || !isQuery(parameters, size)) return undefined;
  const names = ["items", "page", "pages", "total"].map((key) => pages?.get("envelope")?.text(key) ?? "");
  const [items = "", number = "", count = "", total = ""] = names;
  return names.includes("") ? undefined : { page, size, envelope: { items, page: number, pages: count, total } };
}

function readCursorPages(pages: SpecNode, parameters: readonly Parameter[]): CursorPages | undefined {
  const [page, size, error] = [pages.text("cursor"), pages.text("size"), pages.text("error")];
  const next = readCursorPlace(pages.text("next") ?? "");
  if (!page || next === undefined || !isQuery(parameters, page)) return undefined;
  const items = pages.get("envelope")?.text("items");
  return {
    page,
    // A list may have a size of its own that is fixed.
    ...(size !== undefined && isQuery(parameters, size) ? { size } : {}),
    envelope: items === undefined ? {} : { items },
    next,
    ...(error === undefined ? {} : { error }),
  };
}

function readFilter(filter: SpecNode | undefined, parameters: readonly Parameter[]): FilterSyntax | undefined {
  const style = filter?.text("style");
  if (filter === undefined || !isFilterStyle(style)) return undefined;
  const usual = filterStyles[style];
  const error = filter.text("error");
  const spelled = filter.get("operators");
  const operators = Object.fromEntries(
    filterOperators.flatMap((name) => {
      const spelling = spelled === undefined ? usual.operators[name] : spelled.text(name);
      return spelling === undefined ? [] : [[name, spelling] as const];
    }),
  );
  const common = { style, operators, ...(error === undefined ? {} : { error }) };
  if (usual.parameter === undefined) return parameters.some((each) => each.in === "query") ? common : undefined;
  const name = filter.text("parameter") ?? usual.parameter;
  const parameter = parameters.find((each) => each.name === name && acceptsStyle(each, style));
  if (parameter === undefined) return undefined;
  const where = { in: parameter.in === "header" ? "header" : "query", name: parameter.name } as const;
  if (style === "brackets") return { ...common, parameter: where };
  const [all = usual.all ?? "", any = usual.any ?? ""] = [filter.text("all"), filter.text("any")];
  return { ...common, parameter: where, all, any };
}

/** JSON needs a parameter with content, in a header or the query. Brackets need the style `deepObject`. */
function acceptsStyle(parameter: Parameter, style: FilterSyntax["style"]): boolean {
  if (style === "brackets") return parameter.in === "query" && parameter.style === "deepObject";
  return (parameter.in === "header" || parameter.in === "query") && parameter.mediaType !== undefined;
}

function readOrder(
  order: SpecNode | undefined,
  { filter, parameters }: { readonly filter: FilterSyntax | undefined; readonly parameters: readonly Parameter[] },
): OrderSyntax | undefined {
  if (order === undefined) return undefined;
  const [by, direction] = [order.text("by"), order.text("direction")];
  if (by !== undefined && direction !== undefined)
    return filter?.style === "json" ? { kind: "filter", by, direction } : undefined;
  const parameter = order.text("parameter") ?? orderStyle.parameter;
  if (!isQuery(parameters, parameter)) return undefined;
  return { kind: "parameter", parameter, descending: order.text("descending") ?? orderStyle.descending };
}

function isQuery(parameters: readonly Parameter[], name: string): boolean {
  return parameters.some((each) => each.in === "query" && each.name === name);
}
