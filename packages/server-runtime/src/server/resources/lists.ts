/** A field by which a list can be filtered and ordered. */
export interface FilterField {
  /** `array` matches if one of its items does. */
  readonly type: "string" | "number" | "boolean" | "array" | "object";
  /** The allowed operators. Default: all operators of the type. */
  readonly operators?: readonly string[];
}
