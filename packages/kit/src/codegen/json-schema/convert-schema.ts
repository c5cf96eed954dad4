import { assertions, listKeywords, mapKeywords, type Json, type Schema, singleKeywords } from "../../model/index.js";
import { isBinary } from "../types/bytes.js";

/** What a schema describes: JSON, or the decoded parts of a form, among which are files. */
export type SchemaForm = "json" | "multipart";

/** A schema as JSON Schema 2020-12, and the named schemas that it refers to. */
export interface ConvertedSchema {
  readonly schema: Json;
  readonly references: ReadonlySet<string>;
}

/** Converts a schema of the model. Its references are `#/$defs/NAME`, where `nameOf` returns the name. */
export function convertSchema(
  schema: Schema,
  form: SchemaForm,
  nameOf: (reference: string) => string,
): ConvertedSchema {
  const references = new Set<string>();
  const convert = (each: Schema): Json => {
    if (each.never || each.enum?.length === 0) return false;
    const isFile = form === "multipart" && isBinary(each);
    return {
      ...reference(each),
      ...annotations(each),
      ...(isFile ? {} : { ...statements(each, convert), ...each.keywords }),
    };
  };
  const reference = ({ ref }: Schema): Readonly<Record<string, Json>> => {
    if (ref === undefined) return {};
    references.add(ref);
    return { $ref: `#/$defs/${nameOf(ref)}` };
  };
  return { schema: convert(schema), references };
}

type Convert = (schema: Schema) => Json;

const annotationNames = [
  "title",
  "description",
  "deprecated",
  "default",
  "examples",
  "contentEncoding",
  "contentMediaType",
] as const;

function annotations(schema: Schema): Readonly<Record<string, Json>> {
  const stated = annotationNames.flatMap((name) => {
    const value = schema[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(stated);
}

function statements(schema: Schema, convert: Convert): Readonly<Record<string, Json>> {
  const { types } = schema;
  const [only, ...others] = types;
  return {
    ...(only === undefined ? {} : { type: others.length === 0 ? only : types }),
    ...assertionsOf(schema),
    ...subschemasOf(schema, convert),
    ...propertiesOf(schema, convert),
  };
}

/** Keywords that have no meaning without another one. Strict validators reject them. */
const companions: Partial<Record<keyof Schema, readonly (keyof Schema)[]>> = {
  minContains: ["contains"],
  maxContains: ["contains"],
  if: ["then", "else"],
  then: ["if"],
  else: ["if"],
};

function isMeaningful(schema: Schema, name: keyof Schema): boolean {
  return companions[name]?.some((each) => schema[each] !== undefined) ?? true;
}

function assertionsOf(schema: Schema): Readonly<Record<string, Json>> {
  const stated = assertions.flatMap(({ name }) => {
    const value = schema[name];
    return value === undefined || !isMeaningful(schema, name) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(stated);
}

function subschemasOf(schema: Schema, convert: Convert): Readonly<Record<string, Json>> {
  const parts: [string, Json][] = [];
  for (const name of singleKeywords) {
    const value = schema[name];
    if (value !== undefined && isMeaningful(schema, name)) parts.push([name, convert(value)]);
  }
  for (const name of listKeywords) {
    const value = schema[name];
    if (value !== undefined && value.length > 0) parts.push([name, value.map(convert)]);
    else if (value !== undefined && name !== "allOf" && name !== "prefixItems") parts.push(["not", {}]);
  }
  for (const name of mapKeywords) {
    const value = schema[name];
    if (value !== undefined)
      parts.push([name, Object.fromEntries(Object.entries(value).map(([key, each]) => [key, convert(each)] as const))]);
  }
  return Object.fromEntries(parts);
}

function propertiesOf({ properties, required = [] }: Schema, convert: Convert): Readonly<Record<string, Json>> {
  const names = [...required, ...(properties ?? []).filter((each) => each.required).map(({ name }) => name)];
  const converted = properties?.map(({ name, schema, readOnly, writeOnly }) => {
    const each = convert(schema);
    if (typeof each === "boolean") return [name, each] as const;
    const marks = { ...(readOnly ? { readOnly } : {}), ...(writeOnly ? { writeOnly } : {}) };
    return [name, { ...(each as Readonly<Record<string, Json>>), ...marks }] as const;
  });
  return {
    ...(converted === undefined ? {} : { properties: Object.fromEntries(converted) }),
    ...(names.length === 0 ? {} : { required: [...new Set(names)] }),
  };
}
