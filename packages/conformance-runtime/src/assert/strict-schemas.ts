import type { JsonSchema } from "../suite.js";
import { unescapePointerToken } from "../values/json-pointer.js";
import { isObject } from "../values/json.js";

type Node = { readonly [keyword: string]: unknown };

const valueMaps = ["properties", "patternProperties"] as const;
const valueKeys = ["items", "additionalProperties", "unevaluatedItems", "contains"] as const;
const partLists = ["allOf", "anyOf", "oneOf"] as const;
const partKeys = ["if", "then", "else", "not"] as const;
const partMaps = ["dependentSchemas", "$defs"] as const;

export interface StrictSchemaBuilder {
  /** The same schema, with its `#/$defs/…` references resolved in the suite. */
  plain(schema: JsonSchema): JsonSchema;
  /** The schema with undocumented properties rejected, also through `$ref`, `allOf`, `anyOf` and `oneOf`. */
  strict(schema: JsonSchema): JsonSchema;
  /** A named schema of the suite: strict below its root. The root stays open, since `allOf` may extend it. */
  part(schema: JsonSchema): JsonSchema;
}

export function createStrictSchemaBuilder(schemas: Readonly<Record<string, JsonSchema>>): StrictSchemaBuilder {
  return {
    plain: (schema) => copy(schema, "open"),
    strict: (schema) => copy(schema, "value"),
    part: (schema) => copy(schema, "part"),
  };

  function copy(schema: unknown, as: "open" | "value" | "part"): JsonSchema {
    if (!isObject(schema)) return schema !== false;
    const complete: Record<string, unknown> = { ...schema };
    const value = as === "open" ? "open" : "value";
    const part = as === "open" ? "open" : "part";
    if (typeof schema["$ref"] === "string") complete["$ref"] = schema["$ref"].replace(/^#/, "suite#");
    for (const key of valueMaps) if (isObject(schema[key])) complete[key] = mapped(schema[key], value);
    for (const key of valueKeys) if (isObject(schema[key])) complete[key] = copy(schema[key], value);
    if (Array.isArray(schema["prefixItems"]))
      complete["prefixItems"] = schema["prefixItems"].map((each: unknown) => copy(each, value));
    for (const key of partLists)
      if (Array.isArray(schema[key])) complete[key] = schema[key].map((each: unknown) => copy(each, part));
    for (const key of partKeys) if (isObject(schema[key])) complete[key] = copy(schema[key], part);
    for (const key of partMaps) if (isObject(schema[key])) complete[key] = mapped(schema[key], part);
    // `contains` and `not` test a condition; additional properties do not matter to them.
    if (isObject(schema["contains"])) complete["contains"] = copy(schema["contains"], "open");
    if (isObject(schema["not"])) complete["not"] = copy(schema["not"], "open");
    if (isObject(schema["if"])) complete["if"] = copy(schema["if"], "open");
    if (as === "value" && fieldsOf(schema, nothing) === "listed") complete["unevaluatedProperties"] = false;
    return complete;
  }

  function mapped(nodes: Node, as: "open" | "value" | "part"): Node {
    return Object.fromEntries(Object.entries(nodes).map(([key, each]) => [key, copy(each, as)]));
  }

  function fieldsOf(schema: unknown, visited: ReadonlySet<unknown>): PropertyListing {
    if (!isObject(schema) || visited.has(schema)) return "none";
    if (openKeys.some((key) => schema[key] !== undefined)) return "declared";
    const within = new Set([...visited, schema]);
    const target = typeof schema["$ref"] === "string" ? [resolve(schema["$ref"])] : [];
    const every = [...target, ...listOf(schema["allOf"]), schema["then"], schema["else"]];
    const all = new Set(every.map((each) => fieldsOf(each, within)));
    const some = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
    const alternatives = new Set(some.map((each) => fieldsOf(each, within)));
    if (all.has("declared") || alternatives.has("declared")) return "declared";
    if (alternatives.has("free")) return "free";
    if (isObject(schema["properties"]) || all.has("listed") || alternatives.has("listed")) return "listed";
    return all.has("free") || [schema["type"]].flat().includes("object") ? "free" : "none";
  }

  function resolve(ref: string): unknown {
    const name = /^#\/\$defs\/([^/]+)$/.exec(ref)?.[1];
    return name === undefined ? undefined : schemas[unescapePointerToken(name)];
  }
}

/**
 * How a schema lists the properties of an object. `listed`: it names properties, and says nothing of others. `declared`: it has its own rule
 * for others. `free`: it allows any. `none`: it says nothing of objects.
 */
type PropertyListing = "listed" | "declared" | "free" | "none";

const nothing: ReadonlySet<unknown> = new Set();
const openKeys = ["additionalProperties", "patternProperties", "unevaluatedProperties"] as const;

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
