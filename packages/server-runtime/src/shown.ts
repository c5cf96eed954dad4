import { holds, isList, ownField, type Check, type Fields } from "@plumbline/validator-runtime";

/** The recipient of a response. */
export interface Viewer {
  /** Undefined for an anonymous caller. */
  readonly caller: unknown;
  /** The name of the operation. */
  readonly operation: string;
}

/** Serializes a value for JSON: returns a new value with the documented properties that the caller may see. Returns values of other types unchanged. */
export type Show = (value: unknown, viewer: Viewer) => unknown;

/** By operation, status (`200`, `4XX`, `default`) and media type. A status without media types has no body. */
export type Shown = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Show>>>>>>;

/** The check that a caller has to satisfy to get a response, by operation and status. */
export type VisibleTo = Readonly<Record<string, Readonly<Record<string, Check>>>>;

/** Serializes values without a schema: free-form values, and what is not JSON. */
export const asGiven: Show = (value) => value;

/** The value is an object or an array, but its schema allows neither. */
export class Misplaced extends Error {
  override readonly name = "Misplaced";
  readonly value: object;

  constructor(value: object) {
    super("The value is an object or an array, but its schema allows neither.");
    this.value = value;
  }
}

/** Returns true for a `Misplaced`, also for one of another copy of this package. */
export function isMisplaced(error: unknown): error is Misplaced {
  return error instanceof Error && error.name === "Misplaced" && "value" in error;
}

/**
 * Serializes a string, number, boolean or null, or an object whose `toJSON` returns one.
 *
 * @throws Misplaced for other objects and arrays, whose properties are undocumented
 */
export function scalar(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const written = isWriting(value) ? value.toJSON() : value;
  if (typeof written === "object" && written !== null) throw new Misplaced(value);
  return written;
}

/** The own properties of an object. Undefined for other values. */
export function fieldsOf(value: unknown): Fields | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return value as Fields;
  // Rows of a database are often class instances. They have the properties of their JSON form.
  if (isWriting(value)) return fieldsOf(value.toJSON());
  return isList(value) ? undefined : { ...value };
}

/** Serializes each item of an array. */
export function itemsOf(value: unknown, viewer: Viewer, show: Show): unknown {
  return isList(value) ? value.map((each) => show(each, viewer)) : scalar(value);
}

/** Serializes items by position (`prefixItems`), and further ones with `rest`. Without `rest`, they are dropped. */
export function placesOf(value: unknown, viewer: Viewer, places: readonly Show[], rest?: Show): unknown {
  if (!isList(value)) return scalar(value);
  const given = rest === undefined ? value.slice(0, places.length) : value;
  return given.map((each, index) => (places[index] ?? rest ?? asGiven)(each, viewer));
}

/** Serializers of properties that the schema does not name. */
export interface Others {
  readonly named: ReadonlySet<unknown>;
  readonly matching?: readonly (readonly [RegExp, Show])[];
  readonly rest?: Show;
}

/** Serializes the properties that the schema does not name: by the first matching pattern (`patternProperties`), else by `rest`. */
export function othersOf(fields: Fields, viewer: Viewer, { named, matching = [], rest }: Others): Fields {
  const entries = Object.keys(fields).flatMap((key) => {
    const show = named.has(key) ? undefined : (matching.find(([pattern]) => pattern.test(key))?.[1] ?? rest);
    return show === undefined ? [] : [[key, show(ownField(fields, key), viewer)] as const];
  });
  return Object.fromEntries(entries);
}

/** True if the caller satisfies a check. Always false for anonymous callers. */
export function isShownTo({ caller }: Viewer, check: Check): boolean {
  return caller !== undefined && caller !== null && holds(check, caller);
}

/** Truncates a text to a number of characters. Null stays null; other values are dropped. */
export function first(value: unknown, characters: number): unknown {
  if (typeof value !== "string") return value === null ? null : undefined;
  return Array.from(value.slice(0, characters * 2))
    .slice(0, characters)
    .join("");
}

function isWriting(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}
