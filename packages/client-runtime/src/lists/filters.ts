/** The values that filter operators compare with, by the operator. */
interface Operands<Value> {
  readonly gt: NonNullable<Value>;
  readonly gte: NonNullable<Value>;
  readonly lt: NonNullable<Value>;
  readonly lte: NonNullable<Value>;
  readonly ne: Value;
  readonly contains: string;
}

/** How an API writes the operators that a field accepts: `{ gte: "gte" }`. */
export type FilterOperators = { readonly [Name in keyof Operands<unknown>]?: string };

/** The condition on a field of a list: a value that it equals, or operators that all match. */
export type FilterValue<Value, Operators extends FilterOperators> =
  | Value
  | {
      readonly [Name in keyof Operands<Value> as Name extends keyof Operators ? Operators[Name] & string : never]?:
        | Operands<Value>[Name]
        | undefined;
    };

/**
 * A filter of a list: conditions on fields, all of which have to match. `Joins` are the keys of several filters, such as `and` and `or`; the type is
 * `never` if the API has none.
 */
export type ListFilter<Fields extends object, Joins extends string = never> = {
  readonly [Field in keyof Fields]?: Fields[Field] | undefined;
} & {
  readonly [Join in Joins]?: readonly ListFilter<Fields, Joins>[] | undefined;
};

/** The order of a list inside its filter, by fields that can be ordered: the keys `By` and `Direction`. */
export type FilterOrder<By extends string, Direction extends string, Ordered extends string> =
  | ({ readonly [Key in By]?: Ordered | undefined } & { readonly [Key in Direction]?: never })
  | ({ readonly [Key in By]: Ordered } & { readonly [Key in Direction]?: "asc" | "desc" | undefined });
