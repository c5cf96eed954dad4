import type { Template } from "@plumbline/conformance-runtime";
import { intersectSchemas, type SampleOptions, sampleSchema } from "@plumbline/kit/codegen/values";
import {
  isJsonArray,
  type Json,
  type MediaTypeObject,
  type Schema,
  schemaParts,
  sizeLimits,
} from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import { validateTemplate } from "./template-validation.js";
import { uniqueNumber, uniqueText } from "./unique-samples.js";

/** A small value of a schema, with required fields only. A unique field is a template. */
export function schemaSample(context: ConformanceContext, schema: Schema): Template {
  return sampleSchema(context.api, schema, optionsOf(context)).value;
}

function optionsOf(context: ConformanceContext): SampleOptions {
  const options = optionsByContext.get(context) ?? createOptions(context);
  optionsByContext.set(context, options);
  return options;
}

const optionsByContext = new WeakMap<ConformanceContext, SampleOptions>();

function createOptions(context: ConformanceContext): SampleOptions {
  return {
    without: "readOnly",
    anything: "text",
    stated: (schema) => (isUnique(context, schema) ? uniqueSample(context, schema) : undefined),
    literal: toLiteral,
    isValid: (schema, value) => isAccepted(context, schema, value),
  };
}

function isUnique({ api }: ConformanceContext, schema: Schema): boolean {
  return schemaParts(api, schema).some(({ limits = [] }) =>
    limits.some(({ kind, within }) => kind === "unique" && within !== "array"),
  );
}

/** A new value for each use. Undefined for a value that is neither a text nor a whole number. */
export function uniqueSample(context: ConformanceContext, schema: Schema): Template | undefined {
  const parts = schemaParts(context.api, schema);
  const types = typesOf(parts);
  if (types.includes("integer")) return uniqueNumber(sizeLimits("number", parts).most);
  if (!types.includes("string")) return undefined;
  const { least = 0, most = Infinity } = sizeLimits("characters", parts);
  return uniqueText({
    format: parts.find((part) => part.format !== undefined)?.format,
    expression: parts.find((part) => part.pattern !== undefined)?.pattern,
    least,
    most,
    isValid: (text) => validateTemplate(context, schema, text, "validated").length === 0,
  });
}

/** A sample of a body: its example if it is valid, else the smallest value. */
export function bodySample(context: ConformanceContext, { schema, example }: MediaTypeObject): Template {
  return example !== undefined && isAccepted(context, schema, toLiteral(example))
    ? toLiteral(example)
    : schemaSample(context, schema);
}

/** The value of a parameter. An empty array or object would not be sent. */
export function parameterSample(context: ConformanceContext, schema: Schema): Template {
  const sample = schemaSample(context, schema);
  const isEmpty = ["[]", "{}"].includes(JSON.stringify(sample));
  const filled: Schema = { types: [], minItems: 1, minProperties: 1, origin: schema.origin };
  return isEmpty ? schemaSample(context, intersectSchemas([schema, filled])) : sample;
}

function isAccepted(context: ConformanceContext, schema: Schema, value: Template): boolean {
  return validateTemplate(context, schema, value, "validated").length === 0;
}

/** A literal value, with any keys. */
export function toLiteral(value: Json): Template {
  return hasDollarKey(value) ? { $literal: value } : value;
}

function hasDollarKey(value: Template): boolean {
  if (value === null || typeof value !== "object") return false;
  if (isJsonArray(value)) return value.some(hasDollarKey);
  const keys = Object.keys(value);
  return (keys.length === 1 && keys[0]?.startsWith("$") === true) || Object.values(value).some(hasDollarKey);
}

function typesOf(parts: readonly Schema[]): readonly string[] {
  return parts.flatMap(({ types }) => types).filter((type) => type !== "null");
}
