/** A field by which a list can be filtered and ordered. */
export interface FilterField {
  /** `array` matches if one of its items does. */
  readonly type: "string" | "number" | "boolean" | "array" | "object";
  /** The allowed operators. Default: all operators of the type. */
  readonly operators?: readonly FilterOperator[];
}

/** The operators of filters, whatever a request calls them. */
export type FilterOperator = "ne" | "gt" | "gte" | "lt" | "lte" | "contains";

/** How requests filter a list, as `x-lists` of the description states it. */
export interface FilterSyntax {
  /** `json`: an object in one parameter. `brackets`: `filter[size][gte]=10`. `query`: `size_gte=10`. */
  readonly style: "json" | "brackets" | "query";
  /** The parameter with the filter. Absent in the style `query`. */
  readonly parameter?: { readonly in: "headers" | "query"; readonly name: string };
  /** How each operator is written: a key, or in the style `query` what follows the name of the field. */
  readonly operators: Readonly<Partial<Record<FilterOperator, string>>>;
  /** The key of filters that all have to match. */
  readonly all?: string;
  /** The key of filters one of which has to match. */
  readonly any?: string;
  /** The id of the error for a field that the list cannot be filtered by. Absent: such a condition is ignored. */
  readonly error?: string;
}

/** How requests order a list: by two keys of a JSON filter, or by a query parameter with the name of the field. */
export type OrderSyntax =
  | { readonly kind: "filter"; readonly by: string; readonly direction: string }
  | { readonly kind: "parameter"; readonly parameter: string; readonly descending: string };

/** A condition on the items of a list. */
export type ListCondition =
  | { readonly all: readonly ListCondition[] }
  | { readonly any: readonly ListCondition[] }
  | { readonly field: string; readonly operator: FilterOperator | "eq"; readonly operand: unknown };

/** The order of a list. Without a field, it is the usual one, or its reverse. */
export interface ListOrder {
  readonly by?: string;
  readonly isDescending: boolean;
}
