/** A field by which a list can be filtered and ordered. */
export interface FilterField {
  /** `array` matches if one of its items does. */
  readonly type: "string" | "number" | "boolean" | "array" | "object";
  /** The allowed operators. Default: all operators of the type. */
  readonly operators?: readonly FilterOperator[];
}

/** The operators of filters, whatever a request calls them. Besides, a field can equal a value: `eq`, which has no name in a request. */
export type FilterOperator = "ne" | "gt" | "gte" | "lt" | "lte" | "contains";

/** How requests filter a list, as `x-lists` of the description states it. */
export interface FilterSyntax {
  /** `json`: an object in one parameter. `brackets`: `filter[size][gte]=10`. `query`: `size_gte=10`. `prefix`: `size=gte:10`. */
  readonly style: "json" | "brackets" | "query" | "prefix";
  /** The parameter with the filter. Absent in the styles `query` and `prefix`. */
  readonly parameter?: { readonly in: "headers" | "query"; readonly name: string };
  /** How each operator is written: a key, what follows the name of the field in the style `query`, or what precedes the value in `prefix`. */
  readonly operators: Readonly<Partial<Record<FilterOperator, string>>>;
  /** The key of filters that all have to match. */
  readonly all?: string;
  /** The key of filters one of which has to match. */
  readonly any?: string;
  /** The id of the error for what the list cannot be filtered or ordered by. Absent: such a condition is ignored. */
  readonly error?: string;
}

/**
 * How requests order a list. `filter`: by two keys of the JSON filter, for the field and for its direction, `asc` or `desc`. `parameter`: by a query
 * parameter with the name of the field, which follows `descending` for the other direction.
 */
export type OrderSyntax =
  | { readonly kind: "filter"; readonly by: string; readonly direction: string }
  | { readonly kind: "parameter"; readonly parameter: string; readonly descending: string };

/** How requests select a page: by its number, or by the cursor of the page before it. */
export interface PageSyntax {
  /** The query parameter with the number or the cursor. */
  readonly page: string;
  /** The query parameter with the size of a page. */
  readonly size?: string;
  readonly isCursor?: true;
  /** The id of the error for a cursor that no page had. Absent: the first page is sent. */
  readonly error?: string;
}

/** How requests filter, order and page one list. */
export interface ListSyntax {
  readonly filter?: FilterSyntax;
  readonly order?: OrderSyntax;
  readonly pages?: PageSyntax;
  /** The fields by which the list can be filtered and ordered. */
  readonly filterFields: Readonly<Record<string, FilterField>>;
}

/** A condition on the items of a list. */
export type ListCondition<Field extends string = string> =
  | { readonly all: readonly ListCondition<Field>[] }
  | { readonly any: readonly ListCondition<Field>[] }
  | { readonly field: Field; readonly operator: FilterOperator | "eq"; readonly operand: unknown };

/** The order of a list. Without a field, it is the usual one, or its reverse. */
export interface ListOrder<Field extends string = string> {
  readonly by?: Field;
  readonly isDescending: boolean;
}

/** The page that a request selects. */
export interface ListPage {
  /** The number of the page, from 1. Absent: the first page, or the one after `after`. */
  readonly number?: number;
  /** The number of items. Absent: the request does not say, and the description has no default. */
  readonly size?: number;
  /** The position of the last item of the page before. Absent: the first page. */
  readonly after?: CursorPosition;
}

/** The parts of a request that filter, order and page a list, decoded. */
export interface ListRequest {
  readonly query?: unknown;
  readonly headers?: unknown;
}

/** What a request asks of a list. */
export interface ListQuery<Field extends string = string> {
  /** Absent: every item. */
  readonly where?: ListCondition<Field>;
  readonly order?: ListOrder<Field>;
  readonly page: ListPage;
}

/** The position of an item: its value in the order, and what identifies it. */
export interface CursorPosition {
  readonly value: unknown;
  readonly key: string | number;
}
