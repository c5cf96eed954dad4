import { holds, isList, ownField, type Check, type Fields } from "@plumbline/validator-runtime";

/** Who is shown something, and by which operation. */
export interface Viewer {
  /** Undefined for an anonymous caller. */
  readonly caller: unknown;
  /** The name of the operation. */
  readonly operation: string;
}

/** From what a handler gives to what is sent: for JSON a new value with what is described and may be shown; else what was given. */
export type Show = (value: unknown, viewer: Viewer) => unknown;

/** By operation, status (`200`, `4XX`, `default`) and media type. A status without types has no body. */
export type Shown = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Show>>>>>>;

/** What a caller has to be to get a reply, by operation and status. */
export type VisibleTo = Readonly<Record<string, Readonly<Record<string, Check>>>>;

/** Shows what the description leaves open: free-form values, and what is not JSON. */
export const asGiven: Show = (value) => value;

/** An object or a list stands where the description has neither. */
export class Misplaced extends Error {
  override readonly name = "Misplaced";
  readonly value: object;

  constructor(value: object) {
    super("an object or a list stands where the description has neither");
    this.value = value;
  }
}

/** True for a Misplaced, also of another copy of this package. */
export function isMisplaced(error: unknown): error is Misplaced {
  return error instanceof Error && error.name === "Misplaced" && "value" in error;
}

/** A text, number, boolean or null; also of an object that JSON writes as one. Throws a Misplaced for others: nobody described what is in them. */
export function scalar(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const written = isWriting(value) ? value.toJSON() : value;
  if (typeof written === "object" && written !== null) throw new Misplaced(value);
  return written;
}

/** The fields that an object has of its own; undefined for what is no object. */
export function fieldsOf(value: unknown): Fields | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return value as Fields;
  // Rows of a database are often more than plain objects. What they would be in JSON is what they are here.
  if (isWriting(value)) return fieldsOf(value.toJSON());
  return isList(value) ? undefined : { ...value };
}

/** Each item of a list. */
export function itemsOf(value: unknown, viewer: Viewer, show: Show): unknown {
  return isList(value) ? value.map((each) => show(each, viewer)) : scalar(value);
}

/** Items by their places; those behind them by `rest`, or not at all. */
export function placesOf(value: unknown, viewer: Viewer, places: readonly Show[], rest?: Show): unknown {
  if (!isList(value)) return scalar(value);
  const given = rest === undefined ? value.slice(0, places.length) : value;
  return given.map((each, index) => (places[index] ?? rest ?? asGiven)(each, viewer));
}

/** What is described of fields without their names. */
export interface Others {
  readonly named: ReadonlySet<unknown>;
  readonly matching?: readonly (readonly [RegExp, Show])[];
  readonly rest?: Show;
}

/** The fields that an object has beside those with names, each by the first pattern that it matches, else by `rest`. */
export function othersOf(fields: Fields, viewer: Viewer, { named, matching = [], rest }: Others): Fields {
  const entries = Object.keys(fields).flatMap((key) => {
    const show = named.has(key) ? undefined : (matching.find(([pattern]) => pattern.test(key))?.[1] ?? rest);
    return show === undefined ? [] : [[key, show(ownField(fields, key), viewer)] as const];
  });
  return Object.fromEntries(entries);
}

/** True where a condition on the caller holds. It holds for no anonymous one. */
export function isShownTo({ caller }: Viewer, check: Check): boolean {
  return caller !== undefined && caller !== null && holds(check, caller);
}

/** The first so many characters of a text; null stays, and of anything else there is nothing. */
export function first(value: unknown, characters: number): unknown {
  if (typeof value !== "string") return value === null ? null : undefined;
  return Array.from(value.slice(0, characters * 2))
    .slice(0, characters)
    .join("");
}

function isWriting(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}
