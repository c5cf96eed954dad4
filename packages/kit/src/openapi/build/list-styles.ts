import type { FilterOperator, FilterSyntax } from "../../model/index.js";

/** What a style writes where the description does not say otherwise. */
export interface FilterStyle {
  readonly parameter?: string;
  readonly operators: Readonly<Record<FilterOperator, string>>;
  readonly all?: string;
  readonly any?: string;
}

/** The styles of filters that `x-lists` names, with their usual spellings. */
export const filterStyles: Readonly<Record<FilterSyntax["style"], FilterStyle>> = {
  json: { parameter: "filter", operators: spelledWith(""), all: "and", any: "or" },
  brackets: { parameter: "filter", operators: spelledWith("") },
  query: { operators: spelledWith("_") },
  prefix: { operators: spelledWith("", ":") },
};

/** The usual parameter of an order, and what precedes the name of the field in it if the greatest comes first. */
export const orderStyle = { parameter: "sort", descending: "-" } as const;

export function isFilterStyle(name: string | undefined): name is FilterSyntax["style"] {
  return name !== undefined && Object.hasOwn(filterStyles, name);
}

function spelledWith(before: string, after = ""): FilterStyle["operators"] {
  return {
    ne: `${before}ne${after}`,
    gt: `${before}gt${after}`,
    gte: `${before}gte${after}`,
    lt: `${before}lt${after}`,
    lte: `${before}lte${after}`,
    contains: `${before}contains${after}`,
  };
}
