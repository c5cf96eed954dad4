/** Condition operators by what they compare with; a name that is none of these takes a value of the field. */
interface Operands<Value> {
  readonly "+gt": NonNullable<Value>;
  readonly "+gte": NonNullable<Value>;
  readonly "+lt": NonNullable<Value>;
  readonly "+lte": NonNullable<Value>;
  readonly "+neq": Value;
  readonly "+contains": string;
}

/** What a field of a list may be asked: to equal a value, or what operators say, all of which have to fit. */
export type Asked<Value, Operator extends string> =
  | Value
  | {
      readonly [Name in Operator]?: (Name extends keyof Operands<Value> ? Operands<Value>[Name] : Value) | undefined;
    };

/** Conditions on fields, all of which have to fit. */
export type Conditions<Fields extends object> = { readonly [Field in keyof Fields]?: Fields[Field] | undefined } & {
  /** All of these have to fit. */
  readonly "+and"?: readonly Conditions<Fields>[] | undefined;
  /** One of these has to fit. */
  readonly "+or"?: readonly Conditions<Fields>[] | undefined;
};

/** A filter of a list, and the order of what it lets through: of its fields, and for the order, of those that have one. */
export type ListFilter<Fields extends object, Ordered extends string> = Conditions<Fields> &
  (
    | { readonly "+order_by"?: Ordered | undefined; readonly "+order"?: never }
    | { readonly "+order_by": Ordered; readonly "+order"?: "asc" | "desc" | undefined }
  );
