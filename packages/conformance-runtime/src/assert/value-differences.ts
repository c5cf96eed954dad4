import { isDeepStrictEqual } from "node:util";
import type { ErrorObject } from "ajv/dist/2020.js";
import { redactSecretValues } from "../http/secrets.js";
import type { Difference } from "../results.js";
import type { Json, JsonSchema } from "../suite.js";
import { escapePointerToken, resolvePointer } from "../values/json-pointer.js";
import { formatJson, isJsonArray, isJsonObject, isObject } from "../values/json.js";
import {
  countItems,
  countLimited,
  describeFields,
  describeItem,
  describeLimit,
  describeSchema,
  describeType,
  summarizeValue,
} from "./describe-schema.js";
import { schemasOfSameValue } from "./requirement-attribution.js";

/** A difference within a value: `at` is a JSON pointer into it. */
export type ValueDifference = Omit<Difference, "part">;

export interface DifferenceContext {
  /** The complete value. */
  readonly value: Json;
  readonly matches: (schema: JsonSchema, value: Json) => boolean;
}

/** At most this many differences of one object or array are reported. */
const maxDifferences = 5;

/** Converts an ajv error to what differs, as close to the leaves of the value as possible. */
export function differencesOfError(error: ErrorObject, context: DifferenceContext): readonly ValueDifference[] {
  const { instancePath: at, keyword, params } = error;
  const value = resolvePointer(context.value, at);
  const rule: unknown = error.schema;
  const different = (expected: string, received = summarizeAt(at, value)): readonly ValueDifference[] => [
    { at, kind: "different", expected, received },
  ];
  if (isUnexpectedProperty(error)) {
    const field = `${at}/${fieldOf(error)}`;
    const received = summarizeAt(field, resolvePointer(context.value, field));
    return [{ at: field, kind: "undocumented", expected: "no such field", received }];
  }
  if (keyword === "required") {
    const field = `${at}/${fieldOf(error)}`;
    return [{ at: field, kind: "missing", expected: describeMissing(error), received: "no such field" }];
  }
  if (keyword === "false schema") return [unexpectedValue(at, value)];
  if (keyword === "const") return valueDifferences(rule as Json, value ?? null, at).slice(0, maxDifferences);
  if (keyword === "not") return differencesOfNegation(rule, { at, value: value ?? null, context });
  if (keyword === "contains") return different(describeItem(rule), `${itemsOf(value)} without one`);
  if (keyword === "type") return different(describeType(rule));
  // The indices of two equal items.
  if (params["i"] !== undefined && params["j"] !== undefined) return different("different items", "two equal items");
  if (keyword === "unevaluatedItems") return different(`at most ${countItems(Number(params["len"]))}`, itemsOf(value));
  const limit = describeLimit(keyword, rule);
  if (limit !== undefined) return different(limit, countLimited(keyword, value) ?? summarizeAt(at, value));
  const described = describeSchema({ [keyword]: rule });
  return different(described === "any value" ? `${keyword}: ${formatJson(rule as Json, 80)}` : described);
}

/** The fields that an object may have: what an undocumented field is compared with. */
export function listDocumentedFields({ parentSchema }: ErrorObject, resolve: (ref: string) => unknown): string {
  const fields = listedFields(parentSchema, resolve, new Set());
  return fields.size === 0 ? "no fields" : `only the documented fields: ${[...fields].join(", ")}`;
}

/** True for an undocumented field. */
export function isUnexpectedProperty({ keyword }: ErrorObject): boolean {
  return keyword === "additionalProperties" || keyword === "unevaluatedProperties";
}

/** The differences between two values, each at the deepest possible location. */
function valueDifferences(expected: Json, received: Json, at: string): readonly ValueDifference[] {
  if (isDeepStrictEqual(expected, received)) return [];
  if (isJsonObject(expected) && isJsonObject(received)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(received)]);
    return [...names].flatMap((name) => {
      const field = `${at}/${escapePointerToken(name)}`;
      if (!Object.hasOwn(received, name)) return [missingValue(field, summarizeAt(field, expected[name]))];
      if (!Object.hasOwn(expected, name)) return [unexpectedValue(field, received[name])];
      return valueDifferences(expected[name] ?? null, received[name] ?? null, field);
    });
  }
  const isShort = formatJson(expected).length + formatJson(received).length <= 80;
  if (isJsonArray(expected) && isJsonArray(received) && expected.length === received.length && !isShort)
    return expected.flatMap((each, index) => valueDifferences(each, received[index] ?? null, `${at}/${index}`));
  return [{ at, kind: "different", expected: summarizeAt(at, expected), received: summarizeAt(at, received) }];
}

function missingValue(at: string, expected: string): ValueDifference {
  return { at, kind: "missing", expected, received: "no such field" };
}

function unexpectedValue(at: string, value: Json | undefined): ValueDifference {
  return { at, kind: "unexpected", expected: "no value", received: summarizeAt(at, value) };
}

interface NegatedValue {
  readonly at: string;
  readonly value: Json;
  readonly context: DifferenceContext;
}

/** What a value has that `not` forbids: as far down as the schema has only one statement. */
function differencesOfNegation(schema: unknown, { at, value, context }: NegatedValue): readonly ValueDifference[] {
  if (!isObject(schema)) return [unexpectedValue(at, value)];
  const parts = [schema["allOf"], schema["properties"], schema["contains"], schema["items"]].filter(
    (each) => each !== undefined && Object.keys(Object(each)).length > 0,
  );
  const [all] = Array.isArray(schema["allOf"]) && schema["allOf"].length === 1 ? (schema["allOf"] as unknown[]) : [];
  if (parts.length === 1 && all !== undefined) return differencesOfNegation(all, { at, value, context });
  if ("const" in schema)
    return [{ at, kind: "different", expected: "another value", received: summarizeAt(at, value) }];
  if (parts.length === 1 && isJsonArray(value) && isObject(schema["contains"]))
    return differencesOfItem(schema["contains"], { at, value, context });
  const fields = Object.entries(isObject(schema["properties"]) ? schema["properties"] : {});
  const [field] = fields;
  if (parts.length === 1 && fields.length === 1 && field !== undefined && isJsonObject(value)) {
    const [name, inner] = field;
    if (Object.hasOwn(value, name))
      return differencesOfNegation(inner, {
        at: `${at}/${escapePointerToken(name)}`,
        value: value[name] ?? null,
        context,
      });
  }
  const required: unknown = schema["required"];
  if (parts.length === 0 && Array.isArray(required) && required.length === 1) {
    const name = String(required[0]);
    return [unexpectedValue(`${at}/${escapePointerToken(name)}`, isJsonObject(value) ? value[name] : undefined)];
  }
  const object = describeFields(schema);
  const forbidden = object === undefined ? describeSchema(schema) : `an object ${object}`;
  return [{ at, kind: "different", expected: `not ${forbidden}`, received: summarizeAt(at, value) }];
}

/** The first item that an array must not have. With `not` in the schema of the item: the first that lacks something. */
function differencesOfItem(
  schema: Readonly<Record<string, unknown>>,
  { at, value, context }: NegatedValue & { readonly value: readonly Json[] },
): readonly ValueDifference[] {
  const index = value.findIndex((each) => context.matches(schema, each));
  const item = `${at}/${index}`;
  const { not: negated } = schema;
  const expected = negated === undefined ? `no ${describeItem(schema).replace(/^an /, "")}` : describeSchema(negated);
  return [{ at: item, kind: "different", expected, received: summarizeAt(item, value[index]) }];
}

function describeMissing(error: ErrorObject): string {
  const { properties } = isObject(error.parentSchema) ? error.parentSchema : {};
  const schema = isObject(properties) ? properties[String(error.params["missingProperty"])] : undefined;
  return schema === undefined ? "a value" : describeSchema(schema);
}

/** A value in a few words, with secrets redacted: its location names what it is. */
function summarizeAt(at: string, value: Json | undefined): string {
  if (value === undefined) return summarizeValue(value);
  const name = at.split("/").findLast((part) => !/^\d+$/.test(part));
  return summarizeValue(redactSecretValues(value, name));
}

function itemsOf(value: Json | undefined): string {
  return isJsonArray(value) ? countItems(value.length) : summarizeValue(value);
}

/** The missing or undocumented field, as a JSON pointer token. */
function fieldOf({ params }: ErrorObject): string {
  const name: unknown =
    params["missingProperty"] ?? params["additionalProperty"] ?? params["unevaluatedProperty"] ?? "";
  return escapePointerToken(String(name));
}

/** The fields that a schema lists, itself or through `$ref` and `allOf`. */
function listedFields(schema: unknown, resolve: (ref: string) => unknown, visited: Set<unknown>): ReadonlySet<string> {
  if (!isObject(schema) || visited.has(schema)) return new Set();
  visited.add(schema);
  const names = isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  return new Set([
    ...names,
    ...schemasOfSameValue(schema, resolve).flatMap((each) => [...listedFields(each, resolve, visited)]),
  ]);
}
