import { writeFile } from "node:fs/promises";
import path from "node:path";
import { isJsonObject } from "@plumbline/kit/model";
import { bundleDescription } from "@plumbline/kit/openapi";
import { repository } from "./places.js";

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Our description as maintained: one folder per tag. */
export const ourDescription: string = path.join(repository, "spec", "openapi.yaml");

/** Our description in one JSON file, which every peer reads faster than ours. */
export async function writeBundled(file: string): Promise<Json> {
  const value = await bundleDescription({ description: ourDescription, overlays: [] });
  await writeFile(file, JSON.stringify(value, undefined, 2));
  return value;
}

/** The same without `true` and `false` as schemas, since orval reads objects only. */
export function withoutBooleanSchemas(value: Json, isSchema = false): Json {
  if (typeof value === "boolean" && isSchema) return value ? {} : { not: {} };
  if (Array.isArray(value)) return value.map((item: Json) => withoutBooleanSchemas(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => {
      if (!holdsSchemas.has(key)) return [key, withoutBooleanSchemas(child, isOneSchema.has(key))];
      return [key, mapValues(child, (each) => withoutBooleanSchemas(each, true))];
    }),
  );
}

const isOneSchema: ReadonlySet<string> = new Set(["items", "not", "if", "then", "else", "contains", "propertyNames"]);
const holdsSchemas: ReadonlySet<string> = new Set(["properties", "patternProperties", "dependentSchemas"]);

function mapValues(value: Json, change: (value: Json) => Json): Json {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, change(each)]));
}
