import { type Code, jsonLiteral } from "@plumbline/kit/codegen";
import { objectLiteral } from "@plumbline/kit/codegen/conditions";
import { checkFunction } from "@plumbline/kit/codegen/validation";
import {
  type Api,
  callersOf,
  collectFields,
  collectLimits,
  type Json,
  type JsonType,
  isJsonObject,
  memoize,
  type Property,
  type Resource,
  type Schema,
  schemaParts,
  singletonResources,
  storedResources,
  schemasByName,
} from "@plumbline/kit/model";
import type {
  GeneratedField,
  MockIdentifier,
  MockResource,
  NestedValues,
  ResourceData,
} from "@plumbline/server-runtime/mock";
import { secretFields, secretLengths } from "./body-shapes.js";
import { createsMissing, isInferredResource } from "./inferred-resources.js";
import { inferredSeeds } from "./inferred-seeds.js";
import { isResource, operationsAt } from "./lookups.js";
import type { EmitContext } from "./operations.js";
import { resourceFacts } from "./resource-facts.js";
import { initialObject, propertiesOf, sampleOf } from "./samples.js";
import { plainJson, pointerText, someItems, someJson } from "./short-literals.js";

/** Prints a resource: its owner, its identifier, and the values of new objects. */
export function resourceData(api: Api, resource: Resource, { context, values }: EmitContext): Code {
  const { name, owner, parent, grants, public: isPublic } = resource;
  const schema = schemasByName(api).get(name);
  const parts = schema === undefined ? [] : schemaParts(api, schema);
  const example = parts.flatMap((part) => part.examples ?? [])[0];
  const identifier = identifierField(api, resource, parts);
  const isOwnedByAccount = owner.length === 1 && owner[0] === callersOf(api).tenant;
  const isSingleton = singletonResources(api).some((each) => each.resource === name);
  const unsent = unsentValues(api, name, { parts, example: withoutEffects(api, name, example) });
  const initial = initialObject(api, parts, unsent);
  const properties = propertiesOf(parts);
  const generated = properties.flatMap((property) =>
    generatedField(api, property, { resource: name, identifier: identifier.field }),
  );
  return objectLiteral({
    owner: isOwnedByAccount ? undefined : jsonLiteral(owner),
    parent: parent === undefined ? undefined : jsonLiteral(parent),
    grants: grants === undefined ? undefined : jsonLiteral(grants),
    public: isPublic && checkFunction(context, isPublic, `public ${name}`),
    identifier: someJson(statedIdentifier(identifier, initial)),
    isSingleton: isSingleton ? jsonLiteral(true) : undefined,
    initial: values.variant(plainJson(initial), schema && plainJson(sampleOf(api, schema)), `new ${name}`),
    optional: someJson(properties.flatMap((each) => (Object.hasOwn(initial, each.name) ? [] : [each.name]))),
    shownTypes: someJson(shownTypes(api, name, parts)),
    nested: someItems(
      nestedValues(api, parts).map((each) =>
        objectLiteral({
          pointer: jsonLiteral(pointerText(each.pointer)),
          initial: values.literal(plainJson(each.initial), `new ${name} ${each.pointer.join(" ")}`),
        }),
      ),
    ),
    seeds: someItems(
      seedsOf(api, resource, { identifier, example }).map((seed) => values.literal(plainJson(seed), `${name} seed`)),
    ),
    generated: someJson(
      Object.fromEntries(
        generated.map(({ pointer: [field = ""], value, ...rest }) => [
          field,
          Object.keys(rest).length === 0 ? value : { value, ...rest },
        ]),
      ),
    ),
    secrets: someJson(secretLengths(secretFields(api, parts))),
    embedded: someJson(properties.flatMap((property) => embeddedResource(api, property, name))),
    references: someJson(schema === undefined ? [] : fieldReferences(api, schema)),
    retention: someJson(retentionOf(api, name)),
  });
}

/** What does not follow from the initial values. */
function statedIdentifier(
  { field, type, sample, isHidden }: MockIdentifier,
  initial: Readonly<Record<string, Json>>,
): Partial<MockIdentifier> {
  const isInitial = Object.hasOwn(initial, field) && JSON.stringify(initial[field]) === JSON.stringify(sample);
  return {
    ...(field === "id" ? {} : { field }),
    ...(type === (typeof sample === "string" ? "string" : "number") ? {} : { type }),
    ...(isInitial ? {} : { sample }),
    ...(isHidden && { isHidden }),
  };
}

/** The field that identifies an object: `id`, or the one by which others refer to it. */
function identifierField(api: Api, { name }: Resource, parts: readonly Schema[]): MockResource["identifier"] {
  const properties = propertiesOf(parts);
  const by = storedResources(api).find((each) => each.name === name)?.by ?? [];
  const [first, second] = isInferredResource(name) ? [by, ["id"]] : [["id"], by];
  const property =
    properties.find((each) => first.includes(each.name)) ?? properties.find((each) => second.includes(each.name));
  const schema = property?.schema;
  const types = schema === undefined ? [] : schemaParts(api, schema).flatMap((part) => part.types);
  const isNumber = types.includes("integer") || types.includes("number");
  const [example] = parts.flatMap((part) => part.examples ?? []).flatMap((each) => (isJsonObject(each) ? [each] : []));
  const field = property?.name ?? by[0] ?? "id";
  const sample = identifierSample(api, schema, example?.[field]);
  return {
    field,
    type: isNumber || property === undefined ? "number" : "string",
    sample,
    ...(property === undefined && properties.length > 0 ? { isHidden: true } : {}),
  };
}

/** The documented example, if it has the format that identifiers have. */
function identifierSample(api: Api, schema: Schema | undefined, example: Json | undefined): Json {
  if (schema === undefined) return example ?? 1;
  const isUuid = schemaParts(api, schema).some(({ format }) => format === "uuid");
  const stated = example ?? sampleOf(api, schema);
  return isUuid && !(typeof stated === "string" && uuid.test(stated)) ? "123e4567-e89b-42d3-a456-426614174000" : stated;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function generatedField(
  api: Api,
  { name, schema, readOnly, required }: Property,
  { resource, identifier }: { readonly resource: string; readonly identifier: string },
): readonly GeneratedField[] {
  if (name === identifier) return [];
  const expiry = expiryOf(api, resource, name);
  const parts = schemaParts(api, schema);
  const format = parts.find((part) => part.format !== undefined)?.format ?? "";
  const types = new Set(parts.flatMap((part) => part.types));
  const field = { pointer: [name] };
  if (/^date(-time)?$/.test(format) && !types.has("null")) {
    const when = isCreationTime.test(name) ? "created" : isChangeTime.test(name) ? "updated" : undefined;
    if (when === undefined && expiry !== undefined) return [{ ...field, value: "expires", seconds: expiry }];
    if (when === undefined) return [];
    return [{ ...field, value: when, ...(format === "date" ? { isDate: true as const } : {}) }];
  }
  if (format === "uuid" && readOnly && required) return [{ ...field, value: "uuid" }];
  if (/^user_?name$/i.test(name) && readOnly && types.has("string")) return [{ ...field, value: "username" }];
  const isOfUsers = api.resources.some(
    (each) => each.name === resource && (each.owner.includes("user") || /^users?$/i.test(resource)),
  );
  return isOfUsers && Object.hasOwn(callersOf(api).attributes, name) ? [{ ...field, value: "attribute" }] : [];
}

const isCreationTime =
  /^(created|date_?created|(created|inserted|added|registered)_?(at|on|date|time)|creation_?(date|time)?)$/i;
const isChangeTime =
  /^(updated|modified|date_?(updated|modified)|(last_?)?(updated|modified|changed)_?(at|on|date|time)?)$/i;

const monthSeconds = 30 * 86_400;

/** How long an object lives whose state changes at the time in a field. */
function expiryOf(api: Api, resource: string, field: string): number | undefined {
  const isDeadline = api.stateMachines.some(
    (each) =>
      each.resource === resource && each.transitions.some(({ event }) => event.kind === "at" && event.at === field),
  );
  if (!isDeadline) return undefined;
  const limit = collectLimits(api).find(
    (each) => each.limit.kind === "retention" && each.resource === resource && each.limit.window !== undefined,
  );
  return limit?.limit.window?.seconds ?? monthSeconds;
}

/** A flag that its creator could have sent, and did not, is not set. A text is empty. */
function unsentValues(
  api: Api,
  resource: string,
  { parts, example }: { readonly parts: readonly Schema[]; readonly example: Json | undefined },
): Json | undefined {
  const sent = resourceFacts(api, resource).sentFields;
  if (!isJsonObject(example)) return example;
  const properties = propertiesOf(parts);
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      const declared = properties.find((property) => property.name === name);
      const fields = sent.filter((property) => property.name === name);
      const isSent =
        fields.length > 0 &&
        fields.every(({ schema }) => schemaParts(api, schema).every(({ format }) => format === undefined));
      return [name, declared !== undefined && isSent ? unsentValue(api, declared.schema, value) : value] as const;
    }),
  );
}

function unsentValue(api: Api, schema: Schema, example: Json): Json {
  if (example === true) return false;
  if (isJsonObject(example))
    return Object.fromEntries(
      Object.entries(example).map(([name, value]) => [name, value === true ? false : value] as const),
    );
  const isFree = schemaParts(api, schema).every(
    ({ enum: values, const: constant, pattern, format, minLength = 0, reference }) =>
      [values, constant, pattern, format, reference].every((each) => each === undefined) && minLength === 0,
  );
  return typeof example === "string" && isFree ? "" : example;
}

/** An object starts without what an operation sets to true. */
function withoutEffects(api: Api, resource: string, example: Json | undefined): Json | undefined {
  return resourceFacts(api, resource).flags.reduce<Json | undefined>(
    (value, pointer) => (value === undefined ? value : withFalse(value, pointer)),
    example,
  );
}

function withFalse(value: Json, [token, ...rest]: readonly string[]): Json {
  if (token === undefined) return false;
  const inner = isJsonObject(value) ? value[token] : undefined;
  return isJsonObject(value) && inner !== undefined ? { ...value, [token]: withFalse(inner, rest) } : value;
}

const maxNesting = 4;

/** The required fields of objects in lists and maps. */
function nestedValues(api: Api, parts: readonly Schema[], pointer: readonly string[] = []): readonly NestedValues[] {
  if (pointer.length > maxNesting) return [];
  const properties = propertiesOf(parts).map(({ name, schema }) => [name, schema] as const);
  const items = parts.flatMap((part) => [part.items ?? [], part.additionalProperties ?? []].flat());
  return [...properties, ...items.map((schema) => ["*", schema] as const)].flatMap(([token, schema]) => {
    const inner = schemaParts(api, schema);
    if (inner.some(({ ref }) => isResource(api, ref))) return [];
    const path = [...pointer, token];
    const initial = initialObject(
      api,
      inner.filter(({ oneOf, anyOf }) => oneOf === undefined && anyOf === undefined),
      undefined,
    );
    const values = path.length > 1 && Object.keys(initial).length > 0 ? [{ pointer: path, initial }] : [];
    return [...values, ...nestedValues(api, inner, path)];
  });
}

/** A list of children in the parent. */
function embeddedResource(api: Api, { name, schema }: Property, parent: string): MockResource["embedded"] {
  const items = new Set(schemaParts(api, schema).flatMap((part) => part.items?.ref ?? []));
  const children = childNames(api).get(parent) ?? [];
  return children.flatMap((resource) => (items.has(resource) ? [{ field: name, resource }] : []));
}

/** The names of resources by that of their parent. */
const childNames = memoize((api): ReadonlyMap<string, readonly string[]> => {
  const names = new Map<string, string[]>();
  for (const { name, parent } of api.resources) {
    if (parent === undefined) continue;
    const siblings = names.get(parent) ?? [];
    siblings.push(name);
    names.set(parent, siblings);
  }
  return names;
});

/** The types of the fields that requests may have in other types than responses. */
function shownTypes(
  api: Api,
  resource: string,
  parts: readonly Schema[],
): Readonly<Record<string, readonly JsonType[]>> {
  const { sentFields, changedFields } = resourceFacts(api, resource);
  const sent = new Map<string, Set<JsonType>>();
  for (const { name, schema } of [...sentFields, ...changedFields]) {
    const types = sent.get(name) ?? new Set();
    for (const type of typesOf(api, schema)) types.add(type);
    sent.set(name, types);
  }
  const entries = propertiesOf(parts).flatMap(({ name, schema }) => {
    const types = typesOf(api, schema);
    const isShown = (type: JsonType): boolean =>
      types.includes(type) || (type === "integer" && types.includes("number"));
    return types.length === 0 || [...(sent.get(name) ?? [])].every(isShown) ? [] : [[name, types] as const];
  });
  return Object.fromEntries(entries);
}

/** The types of a value that its schema or all branches of its union state. */
function typesOf(api: Api, schema: Schema): readonly JsonType[] {
  const parts = schemaParts(api, schema);
  const stated = parts.find(({ types }) => types.length > 0)?.types;
  if (stated !== undefined) return stated;
  const branches = parts.map(({ anyOf, oneOf }) => anyOf ?? oneOf).find((each) => each !== undefined) ?? [];
  const types = branches.map((branch) => typesOf(api, branch));
  return types.some((each) => each.length === 0) ? [] : types.flat();
}

function fieldReferences(api: Api, schema: Schema): NonNullable<ResourceData["references"]> {
  return collectFields(api, schema).flatMap(({ pointer, schema: { reference } }) =>
    reference === undefined || !isResource(api, reference.to)
      ? []
      : [
          {
            pointer: pointerText(pointer.filter((token) => token !== "*")),
            to: reference.to,
            ...(reference.by === undefined || reference.by === "id" ? {} : { by: reference.by }),
            ...(reference.onDelete === undefined ? {} : { onDelete: reference.onDelete }),
          },
        ],
  );
}

function retentionOf(api: Api, name: string): NonNullable<MockResource["retention"]> {
  const limit = collectLimits(api).find(
    (each) => each.limit.kind === "retention" && each.resource === name && each.property === undefined,
  )?.limit;
  return {
    ...(limit?.window === undefined ? {} : { seconds: limit.window.seconds }),
    ...(limit?.max === undefined ? {} : { max: limit.max }),
  };
}

/** Objects without an operation that creates them exist from the start: the example, and whatever examples of requests refer to; else a sample. */
function seedsOf(
  api: Api,
  resource: Resource,
  { identifier, example }: { readonly identifier: MockResource["identifier"]; readonly example: Json | undefined },
): readonly Readonly<Record<string, Json>>[] {
  const { isCreated, referenced } = resourceFacts(api, resource.name);
  const isPlatforms = resource.owner.length === 0 || resource.owner.includes("platform");
  if (isCreated || !isPlatforms) return [];
  if (isInferredResource(resource.name))
    return operationsAt(api, resource.name).some((each) => createsMissing(api, each))
      ? []
      : inferredSeeds(api, resource, identifier);
  if (resource.parent !== undefined) return [];
  const { field } = identifier;
  const sample = plainJson(identifier.sample);
  const examples = isJsonObject(example) ? [{ ...example, [field]: example[field] ?? sample }] : [];
  const exampleIds = new Set(examples.map((each) => JSON.stringify(each[field])));
  const otherIds = [...referenced.values()].filter((value) => !exampleIds.has(JSON.stringify(value)));
  const seeds = [...examples, ...otherIds.map((value) => ({ [field]: value }))];
  return seeds.length === 0 ? [{ [field]: sample }] : seeds;
}
