import { type SampleOptions, sampleSchema } from "@plumbline/kit/codegen/values";
import {
  type Api,
  isJsonArray,
  isJsonObject,
  itemFormat,
  type Json,
  type MediaTypeObject,
  type Property,
  type Schema,
  schemaParts,
  sizeLimits,
} from "@plumbline/kit/model";

/** Bounds the samples of schemas that contain themselves. */
const maxDepth = 8;

/** A value of a response: the example if there is one, otherwise a small value with the required properties. A stream is a text. */
export function sampleOfContent(api: Api, content: MediaTypeObject, example: Json | undefined): Json {
  const { mediaType, schema, itemSchema } = content;
  const format = itemFormat(mediaType);
  if (format === undefined || typeof example === "string") return example ?? sampleOf(api, schema);
  const items = isJsonArray(example) ? example : [example ?? sampleOf(api, itemSchema ?? schema)];
  const start = mediaType.endsWith("json-seq") ? "\u001e" : "";
  return items
    .map((item) => (format === "events" ? eventOf(api, content, item) : `${start}${JSON.stringify(item)}\n`))
    .join("");
}

/** The text of an event. Without a schema of events, the item is its data. */
function eventOf(api: Api, { itemSchema, itemData }: MediaTypeObject, item: Json): string {
  const property = itemSchema && propertiesOf(schemaParts(api, itemSchema)).find(({ name }) => name === "data");
  const fields = itemSchema === undefined || !isJsonObject(item) ? { data: item } : item;
  const event = { ...(property && { data: sampleOf(api, property.schema) }), ...fields };
  const lines = Object.entries(event).map(([name, value]) => {
    const isText = typeof value === "string" && (name !== "data" || itemData !== "json");
    const text = isText ? value : JSON.stringify(value);
    return `${name}: ${text.replaceAll("\n", `\n${name}: `)}\n`;
  });
  return `${lines.join("")}\n`;
}

/** A sample of a schema in a response. */
export function sampleOf(api: Api, schema: Schema): Json {
  return sampleSchema(api, schema, responseOptions).value;
}

/** What a client never reads is not in responses. */
export const responseOptions: SampleOptions = { without: "writeOnly" };

/** The value of a property of a new object that its creator has not stated. Undefined for an absent property. */
export function initialValue(
  api: Api,
  { schema, required, writeOnly }: Property,
  { example, depth = 0 }: { readonly example: Json | undefined; readonly depth?: number },
): Json | undefined {
  const parts = schemaParts(api, schema);
  const first = <Key extends "const" | "default">(key: Key): Json | undefined =>
    parts.find((part) => part[key] !== undefined)?.[key];
  const stated = first("const") ?? first("default");
  if (stated !== undefined) return stated;
  if (!required || writeOnly) return undefined;
  if (isNullable(parts)) return null;
  const types = parts.flatMap((part) => part.types);
  if (types.includes("array")) return (sizeLimits("items", parts).least ?? 0) > 0 ? sampleOf(api, schema) : [];
  const properties = propertiesOf(parts);
  if (properties.length > 0 && depth < maxDepth) {
    const whole = example ?? parts.flatMap((part) => part.examples ?? [])[0];
    return initialObject(api, parts, whole, depth + 1);
  }
  return example ?? sampleOf(api, schema);
}

/** The values of a new object of a schema, before anything states one. */
export function initialObject(
  api: Api,
  parts: readonly Schema[],
  example: Json | undefined,
  depth = 0,
): Readonly<Record<string, Json>> {
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  return Object.fromEntries([
    ...undescribedProperties(parts),
    ...propertiesOf(parts).flatMap((property) => {
      const propertyExample = isJsonObject(example) ? example[property.name] : undefined;
      const isRequired = property.required || required.has(property.name);
      const value = initialValue(api, { ...property, required: isRequired }, { example: propertyExample, depth });
      return value === undefined ? [] : [[property.name, value] as const];
    }),
  ]);
}

/** Properties that are required and not described may have any value. */
function undescribedProperties(parts: readonly Schema[]): readonly (readonly [string, Json])[] {
  const declared = new Set(propertiesOf(parts).map(({ name }) => name));
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  return [...required].flatMap((name) => (declared.has(name) ? [] : [[name, "text"] as const]));
}

/** The properties of a value, each name once: as the first schema states it. */
export function propertiesOf(parts: readonly Schema[]): readonly Property[] {
  const properties = new Map<string, Property>();
  for (const property of parts.flatMap((part) => part.properties ?? []))
    if (!properties.has(property.name)) properties.set(property.name, property);
  return [...properties.values()];
}

export function isNullable(parts: readonly Schema[]): boolean {
  return parts.some(
    ({ types, oneOf = [], anyOf = [] }) =>
      types.includes("null") || [...oneOf, ...anyOf].some((branch) => branch.types.includes("null")),
  );
}
