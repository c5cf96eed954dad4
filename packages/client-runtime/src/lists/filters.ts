/** The values that filter operators compare with. Other operators take a value of the field. */
interface Operands<Value> {
  readonly "+gt": NonNullable<Value>;
  readonly "+gte": NonNullable<Value>;
  readonly "+lt": NonNullable<Value>;
  readonly "+lte": NonNullable<Value>;
  readonly "+neq": Value;
  readonly "+contains": string;
}

/** The condition on a field of a list: a value that it equals, or operators that all match. */
export type FilterValue<Value, Operator extends string> =
  | Value
  | {
      readonly [Name in Operator]?: (Name extends keyof Operands<Value> ? Operands<Value>[Name] : Value) | undefined;
    };

/** Conditions on fields, all of which have to match. */
export type FilterConditions<Fields extends object> = {
  readonly [Field in keyof Fields]?: Fields[Field] | undefined;
} & {
  /** All of these have to match. */
  readonly "+and"?: readonly FilterConditions<Fields>[] | undefined;
  /** One of these has to match. */
  readonly "+or"?: readonly FilterConditions<Fields>[] | undefined;
};

/** A filter of a list, and its order: by fields that can be ordered. */
export type ListFilter<Fields extends object, Ordered extends string> = FilterConditions<Fields> &
  (
    | { readonly "+order_by"?: Ordered | undefined; readonly "+order"?: never }
    | { readonly "+order_by": Ordered; readonly "+order"?: "asc" | "desc" | undefined }
  );
