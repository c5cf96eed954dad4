import type { Case, Expect, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, Shape } from "../model/api.js";
import { partsOf } from "../model/fields.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { planOf, type Plan } from "./plans.js";
import { failing } from "./failing.js";
import { failureOf } from "./refused.js";
import { bodyShape } from "./standing.js";
import { limitsIn, type StatedLimit } from "./stated-limits.js";

/** Cases of combined lengths and of JSON lengths: at the limit, and one past it. */
export function lengthCases(context: Context): readonly Case[] {
  return context.api.operations.flatMap((operation) => {
    const body = bodyShape(operation);
    if (body === undefined) return [];
    return limitsIn(context.api, body).flatMap((stated) => casesOf(context, operation, stated));
  });
}

/** Longer values are not sent in tests. */
const most = 1_000_000;

function casesOf(context: Context, operation: Operation, { pointer, limit, shape }: StatedLimit): readonly Case[] {
  const { kind, max, error, id, sources } = limit;
  const failure = failureOf(context, operation, error);
  if (max === undefined || max > most || failure === undefined || pointer.length > 1) return [];
  const [name] = pointer;
  const plan = planOf(context, operation, { objects: "own" });
  const configured = context.settings.errors?.[operation.name]?.[failure.id];
  const base: Template = { $merge: [plan.call.body ?? {}, configured?.passes?.body ?? {}] };
  const before = [...plan.before, ...(configured?.before ?? [])];
  const values = valuesOf(context, { kind, max, shape });
  const rejection = failing(failure, name ?? null);
  const about: readonly (readonly [string, string, Template | undefined, Expect | undefined])[] = [
    ["at-the-limit", `${max} characters are accepted`, values.atLimit, undefined],
    ["beyond-ascii", `${max} characters of several bytes each are accepted`, values.wide, undefined],
    ["one-past", `${max + 1} characters are rejected`, values.past, rejection],
    ["wide-past", `${max + 1} characters of several bytes each are rejected`, values.widePast, rejection],
  ];
  return about.flatMap(([what, title, value, expect]) => {
    if (value === undefined) return [];
    const body: Template = name === undefined ? value : { $merge: [base, { [name]: value }] };
    return [
      caseOf(context, {
        operation,
        kind: "limits",
        about: ["limits", id, what],
        title: name === undefined ? title : `${name}: ${title}`,
        requirements: requirementsOf([...(sources ?? []), ...failure.sources]),
        needs: plan.needs,
        alone: plan.alone,
        steps: [
          ...before,
          { ...plan.call, body, as: "sent", ...(expect === undefined ? {} : { expect }) },
          ...(name === undefined && expect === undefined ? keptStep(context, operation, plan) : []),
        ],
      }),
    ];
  });
}

/** A read shows the complete body that was sent. */
function keptStep({ api }: Context, operation: Operation, { call }: Plan): readonly Step[] {
  const read = api.operations.find((each) => each.method === "GET" && each.path === operation.path);
  if (read === undefined || operation.method !== "PUT") return [];
  const { by, path } = call;
  const body: Template = { const: { $get: "sent#/request/body" } };
  return [
    { call: read.name, ...(by === undefined ? {} : { by }), ...(path === undefined ? {} : { path }), expect: { body } },
  ];
}

interface Values {
  readonly atLimit?: Template;
  readonly past?: Template;
  readonly wide?: Template;
  readonly widePast?: Template;
}

function valuesOf(
  context: Context,
  { kind, max, shape }: { readonly kind: string; readonly max: number; readonly shape: Shape },
): Values {
  if (kind === "serialized-length") {
    // `{"a":""}` itself has eight characters.
    const text = (letter: string, length: number): Template => ({ a: { $repeat: [letter, length - 8] } });
    return { atLimit: text("x", max), past: text("x", max + 1), wide: text("😀", max), widePast: text("😀", max + 1) };
  }
  if (kind !== "combined-length") return {};
  const atLimit = itemsOf(context, shape, max);
  const past = itemsOf(context, shape, max + 1);
  return { ...(atLimit === undefined ? {} : { atLimit }), ...(past === undefined ? {} : { past }) };
}

/** Different list items with this many characters in total. */
function itemsOf({ api }: Context, shape: Shape, length: number): Template | undefined {
  const items = partsOf(api, shape).find((part) => part.items !== undefined)?.items;
  if (items === undefined) return undefined;
  const parts = partsOf(api, items);
  const formats = new Set(parts.flatMap(({ format }) => format ?? []));
  if (formats.has("ipv4")) return addresses(length);
  const isPlain = parts.every(
    ({ pattern, format, enum: known }) => pattern === undefined && format === undefined && !known,
  );
  const longest = Math.min(64, ...parts.flatMap(({ maxLength }) => maxLength ?? []));
  if (!isPlain || longest < 8) return undefined;
  const whole = Math.floor(length / longest);
  const rest = length - whole * longest;
  const texts = Array.from({ length: whole }, (_, index) => String(index).padStart(longest, "x"));
  return rest === 0 ? texts : [...texts, "y".repeat(rest)];
}

/** Addresses of eleven characters, and one or two more for the rest. */
function addresses(length: number): Template | undefined {
  const rest = length % 11;
  const count = Math.floor(length / 11) - (rest < 7 && rest > 0 ? 1 : 0);
  const last = rest === 0 ? [] : ends[rest < 7 ? rest + 11 : rest];
  if (last === undefined || count < 0 || count > 800) return undefined;
  const whole = Array.from(
    { length: count },
    (_, index) => `10.1.${100 + (index % 100)}.${10 + Math.floor(index / 100)}`,
  );
  return [...whole, ...last];
}

const ends: Readonly<Record<number, readonly string[]>> = {
  7: ["1.2.3.4"],
  8: ["1.2.3.40"],
  9: ["1.2.30.40"],
  10: ["1.20.30.40"],
  12: ["10.20.30.100"],
  13: ["10.20.130.100"],
  14: ["10.120.130.100"],
  15: ["110.120.130.100"],
  16: ["1.2.3.40", "1.2.3.41"],
  17: ["1.2.3.40", "1.2.30.41"],
};
