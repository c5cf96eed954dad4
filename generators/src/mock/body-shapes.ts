import { type Code, jsonLiteral } from "@plumbline/kit/codegen";
import {
  type Api,
  callersOf,
  isJsonObject,
  itemFormat,
  type Json,
  type MediaTypeObject,
  ownValue,
  type Schema,
  schemaParts,
  sizeLimits,
} from "@plumbline/kit/model";
import type { BodyData, BodyShape, ItemData, ItemVariant, SecretField } from "@plumbline/server-runtime/mock";
import { findOperation, isResource } from "./lookups.js";
import { isNullable, propertiesOf, sampleOf, sampleOfContent } from "./samples.js";
import { plainJson } from "./short-literals.js";

/** Bounds the search for resources in schemas that contain each other. */
const maxDepth = 5;

/** How the body of a response is composed: where it contains resources, and samples of everything else. */
export function bodyShape(api: Api, content: MediaTypeObject): BodyShape {
  const sample = sampleOfContent(api, content, content.example);
  if (itemFormat(content.mediaType) !== undefined) return { kind: "value", sample, secrets: [] };
  return shapeOf(api, content.schema, { sample, depth: 0 });
}

/** How a shape is printed: without the samples, which are those of the example. Undefined for the example itself. */
export function bodyData(shape: BodyShape): Code | undefined {
  const data = shortShape(shape);
  return data === undefined ? undefined : jsonLiteral(plainJson(data));
}

function shortShape(shape: BodyShape): BodyData | undefined {
  switch (shape.kind) {
    case "object":
      return shape.isNullable ? { nullable: shape.resource } : shape.resource;
    case "objects":
      return { items: shape.variants.map(itemData) };
    case "fields":
      return { fields: mapFields(shape.fields) };
    case "grants":
      return { grants: true };
    case "address":
      return { address: shape.operation };
    case "value": {
      const { secrets, echoed, isEcho } = shape;
      if (secrets.length === 0 && echoed === undefined && isEcho === undefined) return undefined;
      return {
        value: {
          ...(secrets.length > 0 && { secrets: secretLengths(secrets) }),
          ...(echoed && { echoed }),
          ...(isEcho && { isEcho }),
        },
      };
    }
  }
}

function itemData({ resource, within }: ItemVariant): ItemData {
  return within === undefined ? resource : { resource, within: within.field, sample: within.sample };
}

function mapFields(fields: Readonly<Record<string, BodyShape>>): Readonly<Record<string, BodyData>> {
  const entries = Object.entries(fields).flatMap(([name, shape]) => {
    const data = shortShape(shape);
    return data === undefined ? [] : [[name, data] as const];
  });
  return Object.fromEntries(entries);
}

/** The lengths of secret texts, by their fields. */
export function secretLengths(secrets: readonly SecretField[]): Readonly<Record<string, number>> {
  return Object.fromEntries(secrets.map(({ pointer: [field = ""], length }) => [field, length] as const));
}

interface ShapeContext {
  readonly sample: Json;
  readonly depth: number;
}

function shapeOf(api: Api, schema: Schema, { sample, depth }: ShapeContext): BodyShape {
  const parts = schemaParts(api, schema);
  const resource = resourceIn(api, parts);
  if (resource !== undefined)
    return { kind: "object", resource, ...(isNullable([schema]) || depth > 1 ? { isNullable: true } : {}) };
  const operation = parts.flatMap(({ reference }) => reference?.to ?? [])[0];
  if (operation !== undefined && findOperation(api, operation)?.path === "") return { kind: "address", operation };
  const items = parts.find((part) => part.items !== undefined)?.items;
  const variants = items === undefined ? [] : itemVariants(api, items);
  if (variants.length > 0) return { kind: "objects", variants };
  if (isGrants(api, parts)) return { kind: "grants", sample };
  const fields = depth >= maxDepth ? {} : resourceFields(api, parts, { sample, depth });
  if (Object.keys(fields).length > 0) return { kind: "fields", sample, fields };
  return { kind: "value", sample, secrets: secretFields(api, parts) };
}

function resourceFields(
  api: Api,
  parts: readonly Schema[],
  { sample, depth }: ShapeContext,
): Readonly<Record<string, BodyShape>> {
  return Object.fromEntries(
    propertiesOf(parts).flatMap(({ name, schema }) => {
      const fieldSample = isJsonObject(sample) ? (ownValue(sample, name) ?? null) : null;
      const shape = shapeOf(api, schema, { sample: fieldSample, depth: depth + 1 });
      return shape.kind === "value" ? [] : [[name, shape] as const];
    }),
  );
}

/** The resources that items of a list are, or contain. */
export function itemVariants(api: Api, items: Schema): readonly ItemVariant[] {
  const parts = schemaParts(api, items);
  const resource = resourceIn(api, parts.slice(0, items.ref === undefined ? 1 : 2)) ?? allOfResource(api, items);
  if (resource !== undefined) return [{ resource }];
  const branches = parts.flatMap(({ oneOf, anyOf }) => oneOf ?? anyOf ?? []);
  if (branches.length > 0) return branches.flatMap((branch) => itemVariants(api, branch));
  for (const { name, schema } of propertiesOf(parts)) {
    const inner = resourceIn(api, schemaParts(api, schema).slice(0, 1));
    if (inner !== undefined) return [{ resource: inner, within: { field: name, sample: sampleOf(api, items) } }];
  }
  return [];
}

/** The resource that a schema refers to, directly. */
function resourceIn(api: Api, parts: readonly Schema[]): string | undefined {
  return parts.flatMap(({ ref }) => (ref === undefined ? [] : [ref])).find((ref) => isResource(api, ref));
}

function allOfResource(api: Api, { allOf = [] }: Schema): string | undefined {
  return resourceIn(api, allOf);
}

/** The grants of a user: an object with the list of every resource that has grants. */
function isGrants(api: Api, parts: readonly Schema[]): boolean {
  const lists = api.resources.flatMap(({ grants }) => grants ?? []);
  const names = new Set(propertiesOf(parts).map(({ name }) => name));
  return lists.length > 0 && names.has(callersOf(api).namedGrants) && lists.every((list) => names.has(list));
}

/** The texts that only their creator sees. */
export function secretFields(api: Api, parts: readonly Schema[]): readonly SecretField[] {
  return propertiesOf(parts).flatMap(({ name, schema, readOnly, required }) => {
    const schemas = schemaParts(api, schema);
    const isSecret = schemas.some(({ visibility }) => visibility?.secret === true);
    const isText = schemas.some(({ types }) => types.includes("string"));
    const isFree = schemas.every(({ pattern, format, reference }) =>
      [pattern, format, reference].every((each) => each === undefined),
    );
    if (!isSecret || !isText || !isFree || !(readOnly || required)) return [];
    const { least = 0, most = 64 } = sizeLimits("characters", schemas);
    return [{ pointer: [name], length: Math.max(least, Math.min(most, 64)) }];
  });
}
