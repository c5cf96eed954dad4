import { isObject } from "../../http/index.js";
import type { JsonSchema } from "../schemas.js";
import { type OlderTarget, present } from "./convert-schema.js";

/** Draft 07, where `dependencies` and lists of `items` are what 2020-12 has other keywords for. */
export const draft07: OlderTarget = { hasBooleanSchemas: true, rewrite: toDraft07 };

function toDraft07(schema: JsonSchema, loosen: () => void): JsonSchema {
  const { prefixItems, items, dependentRequired, dependentSchemas, contains, minContains, maxContains, ...rest } =
    schema;
  // Without `minContains`, one item has to match.
  if ((minContains ?? 1) !== 1 || maxContains !== undefined) loosen();
  return {
    ...rest,
    ...present({ contains: minContains === 0 ? undefined : contains }),
    ...present(prefixItems === undefined ? { items } : { items: prefixItems, additionalItems: items }),
    ...(dependentRequired === undefined && dependentSchemas === undefined
      ? {}
      : { dependencies: mergeDependencies(dependentRequired, dependentSchemas) }),
  };
}

function mergeDependencies(required: unknown, schemas: unknown): JsonSchema {
  const names = isObject(required) ? required : {};
  const converted = isObject(schemas) ? schemas : {};
  return Object.fromEntries(
    [...new Set([...Object.keys(names), ...Object.keys(converted)])].map((name) => {
      if (converted[name] === undefined) return [name, names[name]] as const;
      const schema = converted[name];
      return [name, names[name] === undefined ? schema : { allOf: [schema, { required: names[name] }] }] as const;
    }),
  );
}
