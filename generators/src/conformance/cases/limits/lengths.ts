import type { Case, Expectation, Step, Template } from "@plumbline/conformance-runtime";
import {
  collectFieldLimits,
  countOf,
  type FieldLimit,
  maxTestedLength,
  type Operation,
  type Schema,
  schemaParts,
  sizeLimits,
} from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { expectError, findOperationError } from "../../requests/expect-error.js";
import { bodySchema } from "../../requests/object-in-state.js";
import { planRequest, type RequestPlan } from "../../requests/request-plan.js";

/** Cases of combined lengths and of JSON lengths: at the limit, and one past it. */
export function lengthCases(context: ConformanceContext): readonly Case[] {
  return context.api.operations.flatMap((operation) => {
    const body = bodySchema(operation);
    if (body === undefined) return [];
    return collectFieldLimits(context.api, body).flatMap((stated) => casesOf(context, operation, stated));
  });
}

/** Longer values are not sent in tests. */
const maxTestedCharacters = 1_000_000;

function casesOf(
  context: ConformanceContext,
  operation: Operation,
  { pointer, limit, schema }: FieldLimit,
): readonly Case[] {
  const { kind, max, error, id, sources } = limit;
  const failure = findOperationError(context, operation, error);
  if (max === undefined || max > maxTestedCharacters || failure === undefined || pointer.length > 1) return [];
  const [name] = pointer;
  const plan = planRequest(context, operation, { objects: "own" });
  const configured = context.settings.errors?.[operation.name]?.[failure.id];
  const base: Template = { $merge: [plan.call.body ?? {}, configured?.passes?.body ?? {}] };
  const before = [...plan.setupSteps, ...(configured?.before ?? [])];
  const values = valuesOf(context, { kind, max, schema });
  const rejection = expectError(failure, name ?? null);
  const about: readonly (readonly [string, string, Template | undefined, Expectation | undefined])[] = [
    ["at-the-limit", `${countOf(max, "character")} ${max === 1 ? "is" : "are"} accepted`, values.atLimit, undefined],
    [
      "beyond-ascii",
      `${countOf(max, "character")} of several bytes each ${max === 1 ? "is" : "are"} accepted`,
      values.wideAtLimit,
      undefined,
    ],
    ["one-past", `${countOf(max + 1, "character")} are rejected`, values.pastLimit, rejection],
    [
      "wide-past",
      `${countOf(max + 1, "character")} of several bytes each are rejected`,
      values.widePastLimit,
      rejection,
    ],
  ];
  return about.flatMap(([what, title, value, expect]) => {
    if (value === undefined) return [];
    const body: Template = name === undefined ? value : { $merge: [base, { [name]: value }] };
    return [
      createCase(context, {
        operation,
        kind: "limits",
        idParts: ["limits", id, what],
        title: name === undefined ? title : `${name}: ${title}`,
        requirements: requirementIds([...(sources ?? []), ...failure.sources]),
        requires: plan.requires,
        exclusive: plan.exclusive,
        steps: [
          ...before,
          { ...plan.call, body, as: "sent", ...(expect === undefined ? {} : { expect }) },
          ...(name === undefined && expect === undefined ? readStoredStep(context, operation, plan) : []),
        ],
      }),
    ];
  });
}

/** A read shows the complete body that was sent. */
function readStoredStep({ api }: ConformanceContext, operation: Operation, { call }: RequestPlan): readonly Step[] {
  const readOperation = api.operations.find((each) => each.method === "GET" && each.path === operation.path);
  if (readOperation === undefined || operation.method !== "PUT") return [];
  const { by, path } = call;
  const body: Template = { const: { $get: "sent#/request/body" } };
  return [{ call: readOperation.name, by, path, expect: { body } }];
}

interface LengthValues {
  readonly atLimit?: Template | undefined;
  readonly pastLimit?: Template | undefined;
  readonly wideAtLimit?: Template | undefined;
  readonly widePastLimit?: Template | undefined;
}

function valuesOf(
  context: ConformanceContext,
  { kind, max, schema }: { readonly kind: string; readonly max: number; readonly schema: Schema },
): LengthValues {
  if (max > maxTestedLength) return {};
  if (kind === "serialized-length") {
    // `{"a":""}` itself has eight characters.
    const text = (letter: string, length: number): Template => ({ a: { $repeat: [letter, length - 8] } });
    return {
      atLimit: text("x", max),
      pastLimit: text("x", max + 1),
      wideAtLimit: text("😀", max),
      widePastLimit: text("😀", max + 1),
    };
  }
  if (kind !== "combined-length") return {};
  const atLimit = itemsOf(context, schema, max);
  const past = itemsOf(context, schema, max + 1);
  return { atLimit, pastLimit: past };
}

/** Different list items with this many characters in total. */
function itemsOf({ api }: ConformanceContext, schema: Schema, length: number): Template | undefined {
  const items = schemaParts(api, schema).find((part) => part.items !== undefined)?.items;
  if (items === undefined) return undefined;
  const parts = schemaParts(api, items);
  const formats = new Set(parts.flatMap(({ format }) => format ?? []));
  if (formats.has("ipv4")) return addresses(length);
  const isPlain = parts.every(
    ({ pattern, format, enum: values }) => pattern === undefined && format === undefined && !values,
  );
  const longest = Math.min(64, sizeLimits("characters", parts).most ?? 64);
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
