import { isArray, isObject } from "../../http/index.js";
import type { Describe, StandardJsonSchema } from "./standard-schema.js";

/** Creates the converter of a schema to the drafts of JSON Schema that libraries ask for. */
export function createJsonSchemaTargets(describe: Describe): StandardJsonSchema {
  const convert: StandardJsonSchema["input"] = ({ target }) => {
    if (target === "draft-2020-12") return { $schema: "https://json-schema.org/draft/2020-12/schema", ...describe() };
    if (target === "draft-07")
      return { $schema: "http://json-schema.org/draft-07/schema#", ...(toDraft07(describe()) as object) };
    throw new Error(`Unsupported target "${target}". Use draft-2020-12 or draft-07.`);
  };
  return { input: convert, output: convert };
}

/** Keywords that hold values, not schemas. So do custom keywords. */
const plainKeywords: ReadonlySet<string> = new Set(["const", "default", "enum", "examples", "required"]);

/** Keywords whose members are named schemas. */
const mapKeywords: ReadonlySet<string> = new Set(["$defs", "properties", "patternProperties"]);

function toDraft07(schema: unknown): unknown {
  if (isArray(schema)) return schema.map(toDraft07);
  if (!isObject(schema)) return schema;
  const { $ref, prefixItems, items, dependentRequired, dependentSchemas, minContains = 1, ...rest } = schema;
  // One matching item is what `contains` means alone.
  const later = minContains === 1 ? Object.keys(rest) : [...Object.keys(rest), "minContains"];
  for (const keyword of later)
    if (/^unevaluated|^m(in|ax)Contains$/.test(keyword))
      throw new Error(`Draft 07 has no keyword ${keyword}. Ask for draft-2020-12.`);
  const converted: Record<string, unknown> = Object.fromEntries(
    Object.entries(rest).map(([keyword, value]) => [keyword, convertValue(keyword, value)] as const),
  );
  if (prefixItems !== undefined) {
    converted["items"] = toDraft07(prefixItems);
    if (items !== undefined) converted["additionalItems"] = toDraft07(items);
  } else if (items !== undefined) converted["items"] = toDraft07(items);
  if (dependentRequired !== undefined || dependentSchemas !== undefined)
    converted["dependencies"] = mergeDependencies(dependentRequired, dependentSchemas);
  if ($ref === undefined) return converted;
  // Draft 07 ignores keywords beside a reference.
  if (Object.keys(converted).every((keyword) => keyword === "$defs")) return { $ref, ...converted };
  const { allOf, ...beside } = converted;
  return { ...beside, allOf: [{ $ref }, ...(isArray(allOf) ? allOf : [])] };
}

function convertValue(keyword: string, value: unknown): unknown {
  if (plainKeywords.has(keyword) || keyword.startsWith("x-")) return value;
  if (!mapKeywords.has(keyword) || !isObject(value)) return toDraft07(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toDraft07(each)] as const));
}

function mergeDependencies(required: unknown, schemas: unknown): Readonly<Record<string, unknown>> {
  const names = isObject(required) ? required : {};
  const converted = isObject(schemas) ? schemas : {};
  return Object.fromEntries(
    [...new Set([...Object.keys(names), ...Object.keys(converted)])].map((name) => {
      if (converted[name] === undefined) return [name, names[name]] as const;
      const schema = toDraft07(converted[name]);
      return [name, names[name] === undefined ? schema : { allOf: [schema, { required: names[name] }] }] as const;
    }),
  );
}
