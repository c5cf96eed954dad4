import {
  isEqual,
  isList,
  isObject,
  mostFaults,
  ownField,
  type Check,
  type Fault,
  type Faults,
  type Take,
} from "@plumbline/validator-runtime";
import { differs, shownOf } from "./conditions.js";

/** Which way a field may be changed. */
export interface Change {
  readonly pointer: readonly string[];
  readonly rule: "create-only" | "one-way" | "increase" | "next";
  /** The value to which it may be changed, of `one-way`. */
  readonly to?: unknown;
  /** The operation that lists the values in their order, of `next`. */
  readonly order?: string;
  readonly error?: string;
}

/** The values of a field in their order, by the operation that lists them. */
export type Orders = (order: string) => readonly unknown[] | Promise<readonly unknown[]>;

/** The first field that is changed in a way that it may not be. */
export async function wrongChange(
  changes: readonly Change[],
  { body, target }: { readonly body: unknown; readonly target: unknown },
  orders: Orders,
): Promise<Change | undefined> {
  for (const change of changes) {
    const sent = sentAt(body, change.pointer);
    const stored = shownOf(valueAt(target, change.pointer));
    if (!differs(sent, stored) || (sent === null && stored === undefined)) continue;
    if (!(await mayBecome(change, stored, { sent, orders }))) return change;
  }
  return undefined;
}

/** What lies in null is taken away with it. */
function sentAt(body: unknown, [token, ...rest]: readonly string[]): unknown {
  if (token === undefined || body === null) return body;
  return isObject(body) ? sentAt(ownField(body, token), rest) : undefined;
}

async function mayBecome(
  { rule, to, order }: Change,
  stored: unknown,
  { sent, orders }: { readonly sent: unknown; readonly orders: Orders },
): Promise<boolean> {
  switch (rule) {
    case "create-only":
      return false;
    case "one-way":
      return isEqual(sent, to);
    case "increase":
      return typeof sent === "number" && (typeof stored !== "number" || sent >= stored);
    case "next": {
      const values = await orders(order ?? "");
      const index = values.findIndex((each) => isEqual(each, stored));
      return index !== -1 && index + 1 < values.length && isEqual(values[index + 1], sent);
    }
  }
}

/** What judges and prepares a change of which a value may repeat the stored one. */
export interface StoredContent {
  readonly check?: Check;
  readonly take?: Take;
}

/**
 * Judges a change against what is stored: a value that repeats the stored one is accepted whatever is said of values, and stays as it is.
 * Gives the body to hand on.
 */
export function judgeChange(
  sent: unknown,
  target: unknown,
  { content, unknown, faults }: { readonly content: StoredContent; readonly unknown: Unknown; readonly faults: Faults },
): unknown {
  content.check?.(sent, faults, unknown === "reject");
  // Whatever is behind so many faults was not told, and may be wrong.
  if (faults.length < mostFaults) {
    const left = faults.filter((fault) => !isForgiven(fault, sent, target));
    faults.splice(0, faults.length, ...left);
  }
  if (faults.length > 0 || content.take === undefined) return sent;
  const taken = content.take(sent, unknown === "strip");
  if (!isObject(taken) || !isObject(sent) || !isObject(target)) return taken;
  const kept = Object.entries(sent).filter(
    ([field, value]) =>
      Object.hasOwn(taken, field) && value !== null && isEqual(value, shownOf(ownField(target, field))),
  );
  return kept.length === 0 ? taken : { ...taken, ...Object.fromEntries(kept) };
}

type Unknown = "ignore" | "strip" | "reject";

/** Of a field that nobody described, nothing is told of what is stored: not even whether it is the same. */
function isForgiven({ path, code }: Fault, sent: unknown, target: unknown): boolean {
  return code !== "unknown" && path.some((_, index) => repeats(path.slice(0, index + 1), sent, target));
}

function repeats(path: readonly (string | number)[], sent: unknown, target: unknown): boolean {
  const given = valueAt(sent, path);
  return given !== undefined && isEqual(given, shownOf(valueAt(target, path)));
}

/** The stored object with a change on top: objects field by field, and all else as a whole. */
export function merged(stored: unknown, change: unknown): unknown {
  if (change === undefined) return shownOf(stored);
  if (!isObject(stored) || !isObject(change)) return change;
  const all: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(stored)) set(all, field, shownOf(value));
  for (const [field, value] of Object.entries(change)) set(all, field, merged(ownField(stored, field), value));
  return all;
}

function set(fields: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Leaves those faults that a change can be blamed for: of fields that were sent, or that were not there before it. */
export function blamedOn(sent: unknown, faults: Faults, before: Faults): Faults {
  // Whatever is behind so many was not told, and may be of what was sent.
  if (faults.length >= mostFaults) return faults;
  const known = new Set(before.map(textOf));
  return faults.filter((fault) => isSent(sent, fault.path[0]) || !known.has(textOf(fault)));
}

function textOf({ path, code }: Fault): string {
  return JSON.stringify([code, ...path]);
}

function isSent(sent: unknown, field: string | number | undefined): boolean {
  return field === undefined || (isObject(sent) && Object.hasOwn(sent, String(field)));
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value;
  for (const token of path) {
    if (isList(found)) found = found[Number(token)];
    else if (isObject(found)) found = ownField(found, String(token));
    else return undefined;
  }
  return found;
}
