import type { Template } from "@plumbline/conformance-runtime";
import {
  evaluateSchema,
  isKnownList,
  isKnownObject,
  type PartialValue,
  type SchemaViolation,
} from "@plumbline/kit/codegen/values";
import type { Schema } from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import { evaluatePartially } from "./partial-evaluation.js";
import { unconditionalLayers, layersWithBranches } from "./schema-layers.js";

/** Validates a template. Values that are known only at run time match every schema. */
export function validateTemplate(
  context: ConformanceContext,
  schema: Schema,
  body: Template,
  nulls: "absent" | "validated",
): readonly SchemaViolation[] {
  const value = evaluatePartially(body);
  return evaluateSchema(context.api, schema, nulls === "absent" ? withoutNulls(context, schema, value) : value);
}

/** Removes nulls that count as absent. */
function withoutNulls(context: ConformanceContext, schema: Schema, value: PartialValue): PartialValue {
  if (!hasNull(value)) return value;
  if (isKnownList(value)) {
    const items = unconditionalLayers(context, schema).find((each) => each.items !== undefined)?.items;
    return items === undefined ? value : value.map((each) => withoutNulls(context, items, each));
  }
  if (!isKnownObject(value)) return value;
  const layers = layersWithBranches(context, schema);
  const entries = Object.entries(value).flatMap(([name, each]): readonly (readonly [string, PartialValue])[] => {
    const schemas = layers.flatMap(
      (layer) => layer.properties?.find((property) => property.name === name)?.schema ?? [],
    );
    const [first] = schemas;
    if (first === undefined) return [[name, each]];
    if (each === null && !schemas.some((inner) => evaluateSchema(context.api, inner, null).length === 0)) return [];
    return [[name, withoutNulls(context, first, each)]];
  });
  return Object.fromEntries(entries);
}

function hasNull(value: PartialValue): boolean {
  if (value === null) return true;
  if (isKnownList(value)) return value.some(hasNull);
  return isKnownObject(value) && Object.values(value).some(hasNull);
}
