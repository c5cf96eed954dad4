import type { Strip, Take } from "./faults.js";
import { isList, isObject, ownField, type Fields } from "./values.js";

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
  /** Every field that is described; absent where any may come. */
  readonly known?: ReadonlySet<unknown>;
}

/** Prepares an object: a new one where it differs. `rules` is called once, when the first object comes. */
export function taking(rules: () => Taking): Take {
  let made: Steps | undefined;
  return (value, strip = false) => (isObject(value) ? prepared(value, (made ??= stepsOf(rules())), strip) : value);
}

/** Prepares each item of a list. */
export function takingItems(of: () => Take): Take {
  return (value, strip) => {
    if (!isList(value)) return value;
    const take = of();
    let taken: unknown[] | undefined;
    const within = strip !== undefined && strip !== false;
    for (let index = 0; index < value.length; index += 1) {
      const now = take(value[index], within);
      if (now === value[index]) continue;
      taken ??= [...value];
      taken[index] = now;
    }
    return taken ?? value;
  };
}

/**
 * Prepares with the first, then with the others. Each knows a part of the fields only: what none of them describes is left out at the end. Without
 * `known` every field stays, here and below.
 */
export function takingAll(takes: () => readonly Take[], known?: ReadonlySet<unknown>): Take {
  return (value, strip = false) => {
    const below = strip !== false && known !== undefined ? "below" : false;
    const taken = takes().reduce((before, take) => take(before, below), value);
    return strip === true && known !== undefined && isObject(taken) ? kept(taken, { known }, true) : taken;
  };
}

/** The rules as lists: what is done for each request is not looked for each time. */
interface Steps {
  readonly rules: Taking;
  readonly defaults: readonly Step<unknown>[];
  readonly values: readonly Step<(value: unknown, fields: Fields) => unknown>[];
  readonly fields: readonly Step<Take>[];
}

interface Step<Rule> {
  readonly field: string;
  readonly rule: Rule;
  /** True for names that every object inherits. */
  readonly isInherited: boolean;
}

function stepsOf(rules: Taking): Steps {
  const { defaults = {}, values = {}, fields = {} } = rules;
  return { rules, defaults: listed(defaults), values: listed(values), fields: listed(fields) };
}

function listed<Rule>(rules: Readonly<Record<string, Rule>>): readonly Step<Rule>[] {
  return Object.entries(rules).map(([field, rule]) => ({ field, rule, isInherited: field in Object.prototype }));
}

/** Asks whether a field is the object's own only where it could be another's: that takes as long as all else here. */
function fieldOf(fields: Fields, { field, isInherited }: Step<unknown>): unknown {
  return isInherited ? ownField(fields, field) : fields[field];
}

/** Most change nothing: what is not changed is not copied. */
function prepared(value: Fields, { rules, defaults, values, fields }: Steps, strip: Strip): Fields {
  const here = strip === true;
  const left = isWhole(value, rules, here) ? value : kept(value, rules, here);
  let taken = filled(left, defaults);
  let made: unknown[] | undefined;
  for (const step of values) {
    const given = fieldOf(taken, step);
    const now = step.rule(given, taken);
    // Set later: each sees what was sent, and none what another has made of it.
    if (now !== given) (made ??= []).push(step.field, now);
  }
  if (made !== undefined) taken = changed(taken, made);
  for (const step of fields) {
    const given = fieldOf(taken, step);
    const now = step.rule(given, strip !== false);
    if (now !== given) taken = changed(taken, [step.field, now]);
  }
  return taken;
}

/** A copy with other values, listed as name and value in turns; undefined takes a field away. */
function changed(value: Fields, made: readonly unknown[]): Fields {
  const fields: Record<string, unknown> = { ...value };
  for (let index = 0; index < made.length; index += 2) {
    const field = made[index] as string;
    if (made[index + 1] === undefined) delete fields[field];
    else set(fields, field, made[index + 1]);
  }
  return fields;
}

/** True where no field has to go. */
function isWhole(value: Fields, { nulls, without }: Taking, strip: boolean): boolean {
  if (strip || without !== undefined) return false;
  // Whoever adds fields to everybody's prototype has the slow pass. This loop is five times as fast as one over the keys.
  // oxlint-disable-next-line guard-for-in
  for (const field in value) if (value[field] === null && nulls?.has(field) === true) return false;
  return true;
}

/** What is left: the value itself where that is all. */
function kept(value: Fields, { nulls, without, known }: Taking, strip: boolean): Fields {
  const isLeft = (field: string): boolean =>
    !(value[field] === null && nulls?.has(field) === true) &&
    without?.has(field) !== true &&
    !(strip && known?.has(field) === false);
  const names = Object.keys(value);
  if (names.every(isLeft)) return value;
  const left: Record<string, unknown> = {};
  for (const field of names) if (isLeft(field)) set(left, field, value[field]);
  return left;
}

/** With values for what was not sent. */
function filled(value: Fields, defaults: Steps["defaults"]): Fields {
  let missing: Record<string, unknown> | undefined;
  let isPlain = true;
  for (const step of defaults) {
    if (fieldOf(value, step) !== undefined) continue;
    const { field, rule: usual } = step;
    set((missing ??= {}), field, typeof usual === "object" ? structuredClone(usual) : usual);
    // There and undefined, of a value that was no text.
    if (Object.hasOwn(value, field)) isPlain = false;
  }
  if (missing === undefined) return value;
  // Fields that are added to a copy cost V8 several times as much as fields that are copied to what is there.
  if (isPlain && !Object.hasOwn(value, "__proto__")) return Object.assign(missing, value);
  const all: Record<string, unknown> = { ...value };
  for (const [field, usual] of Object.entries(missing)) set(all, field, usual);
  return all;
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
