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

/** The change of a field that the description allows. */
export interface Change {
  readonly pointer: readonly string[];
  readonly rule: "create-only" | "one-way" | "increase" | "next";
  /** For `one-way`: the only value to which the field may change. */
  readonly to?: unknown;
  /** For `next`: the operation that lists the values in their order. */
  readonly order?: string;
  readonly error?: string;
}

/** Returns the values of a field in their order, as the named operation lists them. */
export type Orders = (order: string) => readonly unknown[] | Promise<readonly unknown[]>;

/** Finds the first change that the description does not allow. */
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

/** A null parent removes its children, too. */
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

/** How to validate and normalize a change that may repeat stored values. */
export interface StoredContent {
  readonly check?: Check;
  readonly take?: Take;
}

/**
 * Validates a change against the stored object. A value that repeats the stored one is valid whatever its schema says, and stays unchanged.
 *
 * @returns the body for the handler
 */
export function judgeChange(
  sent: unknown,
  target: unknown,
  { content, unknown, faults }: { readonly content: StoredContent; readonly unknown: Unknown; readonly faults: Faults },
): unknown {
  content.check?.(sent, faults, unknown === "reject");
  // The list of faults is cut at this length, so the faults behind it are unknown and the request stays invalid.
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

/** An unknown field is never forgiven: that would reveal whether its value equals a stored one. */
function isForgiven({ path, code }: Fault, sent: unknown, target: unknown): boolean {
  return code !== "unknown" && path.some((_, index) => repeats(path.slice(0, index + 1), sent, target));
}

function repeats(path: readonly (string | number)[], sent: unknown, target: unknown): boolean {
  const given = valueAt(sent, path);
  return given !== undefined && isEqual(given, shownOf(valueAt(target, path)));
}

/** Merges a change into the stored object: objects field by field, everything else by replacement. */
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

/** The faults that a change causes: those of fields that the client sent, and those that the stored object did not have before. */
export function blamedOn(sent: unknown, faults: Faults, before: Faults): Faults {
  // The list of faults is cut at this length; those behind it may be of fields that the client sent.
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
