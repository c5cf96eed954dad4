import { isValid, isArray, ownField, type Check, type Fields } from "../../http/index.js";

/** The recipient of a response. */
export interface SerializationContext {
  /** Undefined for an anonymous caller. */
  readonly caller: unknown;
  /** The name of the operation. */
  readonly operation: string;
}

/** Serializes a value for JSON: returns a new value with the documented properties that the caller may see. Returns values of other types unchanged. */
export type Serializer = (value: unknown, context: SerializationContext) => unknown;

/** By operation, status (`200`, `4XX`, `default`) and media type. A status without media types has no body. */
export type Serializers = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Serializer>>>>>>;

/** The check that a caller has to satisfy to get a response, by operation and status. */
export type ResponseVisibility = Readonly<Record<string, Readonly<Record<string, Check>>>>;

/** Serializes values without a schema: free-form values, and what is not JSON. */
export const passthrough: Serializer = (value) => value;

/** The value is an object or an array, but its schema allows neither. */
export class UnexpectedStructureError extends Error {
  override readonly name = "UnexpectedStructureError";
  readonly value: object;

  constructor(value: object) {
    super("The value is an object or an array, but its schema allows neither.");
    this.value = value;
  }
}

/** Returns true for an `UnexpectedStructureError`, also for one of another copy of this package. */
export function isUnexpectedStructureError(error: unknown): error is UnexpectedStructureError {
  return error instanceof Error && error.name === "UnexpectedStructureError" && "value" in error;
}

/**
 * Serializes a string, number, boolean or null, or an object whose `toJSON` returns one.
 *
 * @throws UnexpectedStructureError for other objects and arrays, whose properties are undocumented
 */
export function serializeScalar(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const serialized = hasToJson(value) ? value.toJSON() : value;
  if (typeof serialized === "object" && serialized !== null) throw new UnexpectedStructureError(value);
  return serialized;
}

/** The own properties of an object. Undefined for other values. */
export function toRecord(value: unknown): Fields | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return value as Fields;
  // Rows of a database are often class instances. They have the properties of their JSON form.
  if (hasToJson(value)) return toRecord(value.toJSON());
  return isArray(value) ? undefined : { ...value };
}

/** Serializes each item of an array. */
export function serializeItems(value: unknown, context: SerializationContext, serialize: Serializer): unknown {
  return isArray(value) ? value.map((each) => serialize(each, context)) : serializeScalar(value);
}

/** Serializes items by position (`prefixItems`), and further ones with `rest`. Without `rest`, they are dropped. */
export function serializeTuple(
  value: unknown,
  context: SerializationContext,
  serializers: readonly Serializer[],
  rest?: Serializer,
): unknown {
  if (!isArray(value)) return serializeScalar(value);
  const items = rest === undefined ? value.slice(0, serializers.length) : value;
  return items.map((each, index) => (serializers[index] ?? rest ?? passthrough)(each, context));
}

/** Serializers of properties that the schema does not name. */
export interface AdditionalProperties {
  readonly named: ReadonlySet<unknown>;
  readonly matching?: readonly (readonly [Pick<RegExp, "test">, Serializer])[];
  readonly rest?: Serializer;
}

/** Serializes the properties that the schema does not name: by the first matching pattern (`patternProperties`), else by `rest`. */
export function serializeAdditional(
  fields: Fields,
  context: SerializationContext,
  { named, matching = [], rest }: AdditionalProperties,
): Fields {
  const entries = Object.keys(fields).flatMap((key) => {
    const serialize = named.has(key) ? undefined : (matching.find(([pattern]) => pattern.test(key))?.[1] ?? rest);
    return serialize === undefined ? [] : [[key, serialize(ownField(fields, key), context)] as const];
  });
  return Object.fromEntries(entries);
}

/** True if the caller satisfies a check. Always false for anonymous callers. */
export function isVisibleTo({ caller }: SerializationContext, check: Check): boolean {
  return caller !== undefined && caller !== null && isValid(check, caller);
}

/** Truncates a text to a number of characters. Null stays null; other values are dropped. */
export function truncate(value: unknown, characters: number): unknown {
  if (typeof value !== "string") return value === null ? null : undefined;
  return Array.from(value.slice(0, characters * 2))
    .slice(0, characters)
    .join("");
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}
