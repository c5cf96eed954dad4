import { assertions, isJsonObject, type Json, type Schema } from "@plumbline/kit/model";
import type { MutantKind } from "./mutant.js";
import { hasType } from "./validation.js";

/** A keyword of a schema that a value may violate. */
export interface Violable {
  readonly keyword: string;
  /** The kinds of its mutants in responses and in requests, without the message: `type`, `bound`. */
  readonly kind: "type" | "null" | "enum" | "bound" | "pattern" | "format";
  /** True when a value violates it. Formats are not checked: false. */
  readonly isViolatedBy: (value: Json) => boolean;
  /** Returns a value that violates it, made from a valid one. Undefined if there is none. */
  readonly violate: (value: Json) => Json | undefined;
}

export const responseKinds = {
  type: "response type",
  null: "response null",
  enum: "response enum",
  bound: "response bound",
  pattern: "response pattern",
  format: "response format",
} as const satisfies Record<Violable["kind"], MutantKind>;

export const requestKinds = {
  type: "request type",
  null: "request null",
  enum: "request enum",
  bound: "request bound",
  pattern: "request pattern",
  format: "request format",
} as const satisfies Record<Violable["kind"], MutantKind>;

/** The keywords of a schema that a single value may violate. */
export function violableKeywords(schema: Schema): readonly Violable[] {
  const ofAssertions = assertions.flatMap(({ name, testOf }): Violable[] => {
    const test = testOf?.(schema);
    const kind = kindsByKeyword[name] ?? "bound";
    const violate = violations[name];
    if (violate === undefined || schema[name] === undefined) return [];
    return [
      {
        keyword: name,
        kind,
        isViolatedBy: (value) => test?.(value) === false,
        violate: (value) => violate(schema, value),
      },
    ];
  });
  return [...typeKeywords(schema), ...ofAssertions];
}

const kindsByKeyword: Readonly<Record<string, Violable["kind"]>> = {
  enum: "enum",
  const: "enum",
  pattern: "pattern",
  format: "format",
};

function typeKeywords(schema: Schema): readonly Violable[] {
  if (schema.types.length === 0) return [];
  const isOther = (value: Json): boolean => value !== null && !hasType(schema, value);
  const type: Violable = {
    keyword: "type",
    kind: "type",
    isViolatedBy: isOther,
    violate: (value) => (value === null ? undefined : otherTypes.find((each) => !hasType(schema, each))),
  };
  if (schema.types.includes("null")) return [type];
  return [type, { keyword: "null", kind: "null", isViolatedBy: (value) => value === null, violate: () => null }];
}

const otherTypes: readonly Json[] = ["text", 7, true, [], {}];

/** For each keyword a value that violates it, made from a valid one. */
const violations: Readonly<Record<string, (schema: Schema, value: Json) => Json | undefined>> = {
  enum: (_, value) => (typeof value === "string" ? "not-listed" : typeof value === "number" ? -77 : undefined),
  const: (_, value) => (typeof value === "string" ? "not-listed" : typeof value === "boolean" ? !value : undefined),
  format: ({ format = "" }, value) =>
    typeof value === "string" ? (wrongFormats[format] ?? "!") : typeof value === "number" ? 2 ** 70 : undefined,
  pattern: ({ pattern = "" }, value) => {
    if (typeof value !== "string") return undefined;
    return [`${value}!`, "!", " ", "", `\n${value}`].find((each) => !matches(pattern, each));
  },
  minLength: ({ minLength = 0 }, value) =>
    typeof value === "string" && minLength > 0 ? [...value].slice(0, minLength - 1).join("") : undefined,
  maxLength: ({ maxLength = 0 }, value) =>
    typeof value === "string" ? value.padEnd(maxLength + 1, value === "" ? "x" : value) : undefined,
  minimum: ({ minimum = 0 }, value) => (typeof value === "number" ? minimum - 1 : undefined),
  maximum: ({ maximum = 0 }, value) => (typeof value === "number" ? maximum + 1 : undefined),
  exclusiveMinimum: ({ exclusiveMinimum }, value) => (typeof value === "number" ? exclusiveMinimum : undefined),
  exclusiveMaximum: ({ exclusiveMaximum }, value) => (typeof value === "number" ? exclusiveMaximum : undefined),
  multipleOf: (_, value) => (typeof value === "number" ? value + 0.123 : undefined),
  minItems: ({ minItems = 0 }, value) =>
    Array.isArray(value) && minItems > 0 ? value.slice(0, minItems - 1) : undefined,
  maxItems: ({ maxItems = 0 }, value) =>
    Array.isArray(value) && value.length > 0
      ? Array.from({ length: maxItems + 1 }, (_, index) => (value as readonly Json[])[index % value.length] ?? null)
      : undefined,
  uniqueItems: (_, value) =>
    Array.isArray(value) && value.length > 0 ? [...(value as Json[]), value[0] as Json] : undefined,
  minProperties: (_, value) => (isJsonObject(value) ? {} : undefined),
  maxContains: ({ maxContains = 1, contains }, value) => {
    if (!Array.isArray(value) || contains?.pattern === undefined) return undefined;
    const matching = (value as readonly Json[]).find(
      (each) => typeof each === "string" && matches(contains.pattern ?? "", each),
    );
    return matching === undefined
      ? undefined
      : [...(value as Json[]), ...Array.from({ length: maxContains }, () => matching)];
  },
};

const wrongFormats: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31 12:00",
  date: "31.01.2026",
  ipv4: "192.0.2.256",
  ipv6: "2001:db8::1::2",
  email: "nobody",
  uuid: "123e4567",
  uri: "no uri",
};

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true;
  }
}

/** Another value that a schema probably allows. Undefined if there is none. */
export function anotherValue(schema: Schema, value: Json): Json | undefined {
  const listed = schema.enum?.find((each) => each !== null && each !== value);
  if (listed !== undefined) return listed;
  if (schema.enum !== undefined) return undefined;
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1 <= (schema.maximum ?? Infinity) ? value + 1 : value - 1;
  if (typeof value === "string")
    return value.length < (schema.maxLength ?? Infinity) ? `${value}x` : `${value.slice(0, -1)}~`;
  if (Array.isArray(value)) return value.length > 0 ? value.slice(1) : ["another"];
  if (value === null) return valuesOfTypes.find((each) => hasType(schema, each));
  return undefined;
}

const valuesOfTypes: readonly Json[] = [true, 1, "x", []];
