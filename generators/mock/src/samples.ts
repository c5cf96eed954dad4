import { patternSamples } from "@plumbline/codegen/patterns";
import {
  type Api,
  createExampleValue,
  isJsonArray,
  isJsonObject,
  isOfJsonType,
  itemFormat,
  type Json,
  matchesPattern,
  type MediaTypeObject,
  type Property,
  type Schema,
  schemaParts,
  sizeLimits,
} from "@plumbline/model";

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

/** A sample of a schema: an example that fits its type, otherwise a small value that meets its bounds. */
export function sampleOf(api: Api, schema: Schema, depth = 0): Json {
  const parts = schemaParts(api, schema);
  const stated = statedValue(parts);
  if (stated !== undefined) return stated;
  const [choice] = parts.flatMap(({ oneOf, anyOf }) => oneOf ?? anyOf ?? []);
  const properties = propertiesOf(parts);
  if (properties.length > 0) {
    if (depth >= maxDepth) return {};
    const required = new Set(parts.flatMap((part) => part.required ?? []));
    return Object.fromEntries([
      ...undescribedProperties(parts),
      ...properties
        .filter(({ name, required: isRequired, writeOnly }) => (isRequired || required.has(name)) && !writeOnly)
        .map((property) => [property.name, sampleOf(api, property.schema, depth + 1)] as const),
    ]);
  }
  if (choice !== undefined && depth < maxDepth) return sampleOf(api, choice, depth + 1);
  const types = new Set(parts.flatMap((part) => part.types));
  if (types.has("array")) return arrayOf(api, parts, depth);
  if (types.has("string")) return textOf(parts);
  if (types.has("integer") || types.has("number")) return numberOf(parts);
  return createExampleValue(api, schema);
}

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
  if (types.includes("array")) return (sizeLimits("items", parts).least ?? 0) > 0 ? arrayOf(api, parts, depth) : [];
  const properties = propertiesOf(parts);
  if (properties.length > 0 && depth < maxDepth) {
    const whole = example ?? parts.flatMap((part) => part.examples ?? [])[0];
    return initialObject(api, parts, whole, depth + 1);
  }
  return example ?? sampleOf(api, schema, depth);
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
      const own = isJsonObject(example) ? example[property.name] : undefined;
      const isRequired = property.required || required.has(property.name);
      const value = initialValue(api, { ...property, required: isRequired }, { example: own, depth });
      return value === undefined ? [] : [[property.name, value] as const];
    }),
  ]);
}

/** Properties that are required and not described may have any value. */
function undescribedProperties(parts: readonly Schema[]): readonly (readonly [string, Json])[] {
  const known = new Set(propertiesOf(parts).map(({ name }) => name));
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  return [...required].flatMap((name) => (known.has(name) ? [] : [[name, "text"] as const]));
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

/** Examples of descriptions are not always of the stated type. */
function statedValue(parts: readonly Schema[]): Json | undefined {
  const types = parts.find((part) => part.types.length > 0)?.types ?? [];
  const isFit = (value: Json): boolean =>
    (types.length === 0 || types.some((type) => isOfJsonType(value, type))) &&
    parts.every(({ enum: allowed, pattern }) => {
      const isAllowed = allowed === undefined || allowed.some((each) => JSON.stringify(each) === JSON.stringify(value));
      return isAllowed && (pattern === undefined || typeof value !== "string" || matchesPattern(pattern, value));
    }) &&
    !(isJsonArray(value) && value.length === 0 && (sizeLimits("items", parts).least ?? 0) > 0);
  const constant = parts.find((part) => part.const !== undefined)?.const;
  if (constant !== undefined) return constant;
  const examples = parts.flatMap((part) => part.examples ?? []);
  const known = [
    ...examples,
    ...parts.flatMap((part) => part.default ?? []),
    ...parts.flatMap((part) => part.enum ?? []),
  ];
  return known.find((value) => value !== null && isFit(value));
}

function arrayOf(api: Api, parts: readonly Schema[], depth: number): Json {
  const items = parts.find((part) => part.items !== undefined)?.items;
  const { least = 0 } = sizeLimits("items", parts);
  const prefix = parts.flatMap(({ prefixItems }) => prefixItems ?? []);
  if (prefix.length > 0 && depth < maxDepth) return prefix.map((each) => sampleOf(api, each, depth + 1));
  return items === undefined || depth >= maxDepth
    ? []
    : Array.from({ length: Math.min(least, 10) }, () => sampleOf(api, items, depth + 1));
}

function numberOf(parts: readonly Schema[]): number {
  const { least = -Infinity, most = Infinity } = sizeLimits("number", parts);
  const { least: above = -Infinity, most: below = Infinity } = sizeLimits("exclusiveNumber", parts);
  const step = parts.find((part) => part.multipleOf !== undefined)?.multipleOf;
  const low = Math.max(least, above + 1);
  const value = Math.min(Math.max(1, low), Math.max(low, Math.min(most, below - 1)));
  return step === undefined ? value : Math.ceil(value / step) * step;
}

function textOf(parts: readonly Schema[]): string {
  const format = parts.find((part) => part.format !== undefined)?.format ?? "";
  const { least = 0, most = Infinity } = sizeLimits("characters", parts);
  const patterns = parts.flatMap((part) => part.pattern ?? []);
  const isFit = (text: string): boolean =>
    text.length >= least && text.length <= most && patterns.every((each) => matchesPattern(each, text));
  const candidates = [formatSamples[format] ?? "text", "text", "a", "1", "a1", "x".repeat(Math.min(least, 1000))];
  const fitting = candidates.find(isFit);
  return (
    fitting ?? patterns.flatMap((each) => patternSamples(each, { least, most })).find(isFit) ?? candidates[0] ?? ""
  );
}

const formatSamples: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  email: "ann@example.com",
  hostname: "host.example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  time: "12:00:00Z",
  uri: "https://example.com/",
  url: "https://example.com/",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
};
