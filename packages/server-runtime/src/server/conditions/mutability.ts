import {
  isObject,
  maxIssues,
  ownField,
  safeAssign,
  valueAt,
  type Check,
  type Issue,
  type Issues,
  type Normalizer,
} from "../../http/index.js";
import { isEqual } from "../../validator/index.js";
import { isChanged, toWireValue } from "./conditions.js";

/** The change of a field that the description allows. */
export interface MutabilityRule {
  readonly pointer: readonly string[];
  readonly rule: "immutable" | "one-way" | "increase" | "next";
  /** For `one-way`: the only value to which the field may change. */
  readonly to?: unknown;
  /** For `next`: the operation that lists the values in their order. */
  readonly order?: string;
  readonly error?: string;
}

/** Returns the values of a field in their order, as the named operation lists them. */
export type OrderedValuesOf = (order: string) => readonly unknown[] | Promise<readonly unknown[]>;

/** Finds the first change that the description does not allow. */
export async function findMutabilityViolation(
  changes: readonly MutabilityRule[],
  { body, target }: { readonly body: unknown; readonly target: unknown },
  orders: OrderedValuesOf,
): Promise<MutabilityRule | undefined> {
  for (const change of changes) {
    const sent = sentValueAt(body, change.pointer);
    const stored = toWireValue(valueAt(target, change.pointer));
    if (!isChanged(sent, stored) || (sent === null && stored === undefined)) continue;
    if (!(await isAllowedChange(change, stored, { sent, orders }))) return change;
  }
  return undefined;
}

/** A null parent removes its children, too. */
function sentValueAt(body: unknown, [token, ...rest]: readonly string[]): unknown {
  if (token === undefined || body === null) return body;
  return isObject(body) ? sentValueAt(ownField(body, token), rest) : undefined;
}

async function isAllowedChange(
  { rule, to, order }: MutabilityRule,
  stored: unknown,
  { sent, orders }: { readonly sent: unknown; readonly orders: OrderedValuesOf },
): Promise<boolean> {
  switch (rule) {
    case "immutable":
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
export interface ChangeContent {
  readonly check?: Check;
  readonly normalize?: Normalizer;
}

/**
 * Validates a change against the stored object. A value that repeats the stored one is valid whatever its schema says, and stays unchanged.
 *
 * @returns the body for the handler
 */
export function validateChange(
  sent: unknown,
  target: unknown,
  { content, unknown, issues }: { readonly content: ChangeContent; readonly unknown: Unknown; readonly issues: Issues },
): unknown {
  content.check?.(sent, issues, unknown === "reject");
  // The list of issues is cut at this length, so the issues behind it are unknown and the request stays invalid.
  if (issues.length < maxIssues) {
    const remaining = issues.filter((issue) => !repeatsStoredValue(issue, sent, target));
    issues.splice(0, issues.length, ...remaining);
  }
  if (issues.length > 0 || content.normalize === undefined) return sent;
  const normalized = content.normalize(sent, unknown === "strip");
  if (!isObject(normalized) || !isObject(sent) || !isObject(target)) return normalized;
  const unchanged = Object.entries(sent).filter(
    ([field, value]) =>
      Object.hasOwn(normalized, field) && value !== null && isEqual(value, toWireValue(ownField(target, field))),
  );
  return unchanged.length === 0 ? normalized : { ...normalized, ...Object.fromEntries(unchanged) };
}

type Unknown = "ignore" | "strip" | "reject";

/** An unknown field is never forgiven: that would reveal whether its value equals a stored one. */
function repeatsStoredValue({ path, code }: Issue, sent: unknown, target: unknown): boolean {
  return code !== "unknown" && path.some((_, index) => repeatsAt(path.slice(0, index + 1), sent, target));
}

function repeatsAt(path: readonly (string | number)[], sent: unknown, target: unknown): boolean {
  const value = valueAt(sent, path);
  return value !== undefined && isEqual(value, toWireValue(valueAt(target, path)));
}

/** Merges a change into the stored object: objects field by field, everything else by replacement. */
export function mergeChange(stored: unknown, change: unknown): unknown {
  if (change === undefined) return toWireValue(stored);
  if (!isObject(stored) || !isObject(change)) return change;
  const all: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(stored)) safeAssign(all, field, toWireValue(value));
  for (const [field, value] of Object.entries(change))
    safeAssign(all, field, mergeChange(ownField(stored, field), value));
  return all;
}

/** The issues that a change causes: those of fields that the client sent, and those that the stored object did not have before. */
export function newIssues(sent: unknown, issues: Issues, before: Issues): Issues {
  // The list of issues is cut at this length; those behind it may be of fields that the client sent.
  if (issues.length >= maxIssues) return issues;
  const earlierKeys = new Set(before.map(issueKey));
  return issues.filter((issue) => isSent(sent, issue.path[0]) || !earlierKeys.has(issueKey(issue)));
}

function issueKey({ path, code }: Issue): string {
  return JSON.stringify([code, ...path]);
}

function isSent(sent: unknown, field: string | number | undefined): boolean {
  return field === undefined || (isObject(sent) && Object.hasOwn(sent, String(field)));
}
