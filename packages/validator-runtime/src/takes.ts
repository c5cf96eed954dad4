import type { Take } from "./faults.js";
import { isList, isObject, type Fields } from "./values.js";

/** What becomes of an object before it is handed on. */
export interface Taking {
  /** Fields of which a null counts as nothing sent. */
  readonly nulls?: ReadonlySet<unknown>;
  /** Fields that senders cannot set, and that are left out. */
  readonly without?: ReadonlySet<unknown>;
  /** Values of fields that were not sent. */
  readonly defaults?: Fields;
  /** Values that follow from what was sent; undefined for none. */
  readonly values?: Readonly<Record<string, (value: unknown, fields: Fields) => unknown>>;
  /** What becomes of objects and lists in fields. */
  readonly fields?: Readonly<Record<string, Take>>;
  /** Every field that is described. */
  readonly known?: ReadonlySet<unknown>;
}

/** Prepares an object: a new one where it differs. `rules` is called once, when the first object comes. */
export function taking(rules: () => Taking): Take {
  let made: Taking | undefined;
  return (value, strip = false) => (isObject(value) ? prepared(value, (made ??= rules()), strip) : value);
}

/** Prepares each item of a list. */
export function takingItems(of: () => Take): Take {
  return (value, strip) => {
    if (!isList(value)) return value;
    const take = of();
    return value.map((item) => take(item, strip));
  };
}

/** Prepares with the first, then with the others. */
export function takingAll(takes: () => readonly Take[]): Take {
  return (value, strip) => takes().reduce((before, take) => take(before, strip), value);
}

function prepared(value: Fields, rules: Taking, strip: boolean): Fields {
  const { defaults, values, fields } = rules;
  const taken: Record<string, unknown> = kept(value, rules, strip);
  if (defaults !== undefined)
    for (const field of Object.keys(defaults)) {
      if (taken[field] === undefined || !Object.hasOwn(taken, field))
        set(taken, field, structuredClone(defaults[field]));
    }
  if (values !== undefined) {
    const sent = { ...taken };
    for (const [field, valueOf] of Object.entries(values)) {
      const given = Object.hasOwn(sent, field) ? sent[field] : undefined;
      const now = valueOf(given, sent);
      if (now === undefined) delete taken[field];
      else if (now !== given) set(taken, field, now);
    }
  }
  if (fields !== undefined)
    for (const [field, take] of Object.entries(fields)) {
      if (Object.hasOwn(taken, field)) set(taken, field, take(taken[field], strip));
    }
  return taken;
}

/** A copy of what is left. */
function kept(value: Fields, { nulls, without, known }: Taking, strip: boolean): Record<string, unknown> {
  const isLeft = (field: string): boolean =>
    !(value[field] === null && nulls?.has(field) === true) &&
    without?.has(field) !== true &&
    !(strip && known?.has(field) === false);
  const names = Object.keys(value);
  if (names.every(isLeft)) return { ...value };
  const left: Record<string, unknown> = {};
  for (const field of names) if (isLeft(field)) set(left, field, value[field]);
  return left;
}

/** Sets a field of any name; the plain way, `__proto__` would be something else. */
function set(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
  else fields[name] = value;
}

/** The least of these that is not smaller; the greatest where there is none. A value that is no number stays. */
export function roundUp(value: unknown, to: readonly number[]): unknown {
  if (typeof value !== "number") return value;
  const larger = to.filter((each) => each >= value);
  return larger.length === 0 ? Math.max(...to) : Math.min(...larger);
}

/** The nearest of these, of two the greater. A value that is no number stays. */
export function roundNearest(value: unknown, to: readonly number[]): unknown {
  if (typeof value !== "number") return value;
  return to.reduce((best, each) => {
    const difference = Math.abs(each - value) - Math.abs(best - value);
    return difference < 0 || (difference === 0 && each > best) ? each : best;
  });
}

/** Each UTF-16 unit beyond ASCII as the six characters of its escape, `\\u00e9`. A value that is no text stays. */
export function escapeAscii(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** An object in which these fields are there: they have defaults. */
export type Filled<Object, Field extends string> = Object & {
  readonly [Each in Field & keyof Object]-?: Exclude<Object[Each], undefined>;
};
