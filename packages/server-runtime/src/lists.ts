/** A field by which a list can be filtered and ordered. */
export interface FilterField {
  /** `array`: it fits when one of its items does. */
  readonly type: "string" | "number" | "boolean" | "array" | "object";
  /** Only these; without, whatever the type allows. */
  readonly operators?: readonly string[];
}
