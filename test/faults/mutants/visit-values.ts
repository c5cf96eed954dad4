import {
  findJsonContent,
  isJsonObject,
  schemaParts,
  schemasByName,
  type Api,
  type Json,
  type Operation,
  type Property,
  type Schema,
} from "@plumbline/kit/model";
import { hasType, isValid } from "./validation.js";

/** A value of a message, and a schema that applies to it. */
export interface VisitedValue {
  readonly schema: Schema;
  readonly property?: Property;
  /** Undefined for a property that is absent. */
  readonly value: Json | undefined;
  /** The path to the value. */
  readonly path: readonly string[];
  /** The object that has the value as a property. */
  readonly parent?: Readonly<Record<string, Json>>;
  /** Changes the value. Undefined removes it. */
  readonly set: (value: Json | undefined) => void;
}

export type Visitor = (visited: VisitedValue) => void;

/** Visits the values of a response with the schemas that the description has for them. */
export function visitResponse(
  api: Api,
  { operation, status, body }: { readonly operation: Operation; readonly status: number; readonly body: Json },
  visitor: Visitor,
): Json {
  const range = `${Math.floor(status / 100)}XX`;
  const { responses } = operation;
  const response =
    responses.find((each) => each.status === status) ??
    responses.find((each) => each.status === range) ??
    responses.find((each) => each.status === "default");
  const content = response === undefined ? undefined : findJsonContent(response.contents);
  return content === undefined ? body : visitValue(api, { schema: content.schema, value: body }, visitor);
}

/** Visits the values of a request body. */
export function visitRequestBody(api: Api, { operation, body }: RequestWithBody, visitor: Visitor): Json {
  const content = findJsonContent(operation.requestBody?.contents ?? []);
  return content === undefined ? body : visitValue(api, { schema: content.schema, value: body }, visitor);
}

interface RequestWithBody {
  readonly operation: Operation;
  readonly body: Json;
}

/** Visits a value and what it contains. Returns the value as the visitor has changed it. */
export function visitValue(
  api: Api,
  { schema, value }: { readonly schema: Schema; readonly value: Json },
  visitor: Visitor,
): Json {
  const holder: { value: Json } = { value: structuredClone(value) };
  visit(api, visitor, {
    schema,
    value: holder.value,
    path: [],
    set: (next) => {
      holder.value = next ?? null;
    },
  });
  return holder.value;
}

function visit(api: Api, visitor: Visitor, visited: VisitedValue): void {
  const { schema, value, path } = visited;
  visitor(visited);
  const named = schema.ref === undefined ? undefined : schemasByName(api).get(schema.ref);
  const fitting = fittingBranches(api, schema, value);
  const conditional = schema.if === undefined || value === undefined ? undefined : isValid(api, schema.if, value);
  const chosen = conditional === undefined ? undefined : conditional ? schema.then : schema.else;
  const { property: _property, ...same } = visited;
  for (const part of [named, ...(schema.allOf ?? []), ...fitting, chosen])
    if (part !== undefined) visit(api, visitor, { ...same, schema: part });
  if (isJsonObject(value)) visitProperties(api, visitor, { schema, value, path });
  if (Array.isArray(value)) visitItems(api, visitor, { schema, value: value as Json[], path });
}

/** The alternatives of a schema that a value satisfies, or else those that its constant properties select. */
function fittingBranches(api: Api, schema: Schema, value: Json | undefined): readonly Schema[] {
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (branches.length < 2 || value === undefined) return branches;
  const valid = branches.filter((each) => isValid(api, each, value));
  return valid.length > 0 ? valid : branches.filter((each) => isSelected(api, each, value));
}

/** True when a value has all constant properties of a schema, and the schema has some, or when it is of its type. */
function isSelected(api: Api, branch: Schema, value: Json): boolean {
  const parts = schemaParts(api, branch);
  const constants = parts.flatMap(({ properties = [] }) =>
    properties.flatMap(({ name, schema, required }) => {
      const isAbsent = !required && !(isJsonObject(value) && name in value);
      const only = schema.const ?? (schema.enum?.length === 1 ? schema.enum[0] : undefined);
      return only === undefined || isAbsent ? [] : [[name, only] as const];
    }),
  );
  if (constants.length === 0) return !isJsonObject(value) && parts.every((each) => hasType(each, value));
  return isJsonObject(value) && constants.every(([name, only]) => value[name] === only);
}

function visitProperties(
  api: Api,
  visitor: Visitor,
  { schema, value, path }: { schema: Schema; value: Record<string, Json>; path: readonly string[] },
): void {
  const { properties = [], additionalProperties } = schema;
  const at = (name: string): Omit<VisitedValue, "schema"> => ({
    value: Object.hasOwn(value, name) ? value[name] : undefined,
    path: [...path, name],
    parent: value,
    set: (next) => {
      if (next === undefined) delete value[name];
      else value[name] = next;
    },
  });
  for (const property of properties) visit(api, visitor, { ...at(property.name), property, schema: property.schema });
  if (additionalProperties === undefined) return;
  const known = new Set(properties.map(({ name }) => name));
  for (const name of Object.keys(value))
    if (!known.has(name)) visit(api, visitor, { ...at(name), schema: additionalProperties });
}

function visitItems(
  api: Api,
  visitor: Visitor,
  { schema, value, path }: { schema: Schema; value: Json[]; path: readonly string[] },
): void {
  for (const [index, item] of value.entries()) {
    const each = schema.prefixItems?.[index] ?? schema.items;
    if (each === undefined) continue;
    visit(api, visitor, {
      schema: each,
      value: item,
      path: [...path, String(index)],
      set: (next) => {
        value[index] = next ?? null;
      },
    });
  }
}

/** The resource that a reference to a schema stands for. */
export function isResource(api: Api, { ref }: Schema): string | undefined {
  if (ref === undefined) return undefined;
  return resourcesBySchema(api).get(ref);
}

const known = new WeakMap<Api, ReadonlyMap<string, string>>();

function resourcesBySchema(api: Api): ReadonlyMap<string, string> {
  const found = known.get(api);
  if (found !== undefined) return found;
  const names = new Set(api.resources.map(({ name }) => name));
  const resources = new Map(
    api.schemas.flatMap(({ name, variantOf }) => {
      const resource = variantOf?.name ?? name;
      return names.has(resource) && (variantOf === undefined || variantOf.variant === "read")
        ? [[name, resource] as const]
        : [];
    }),
  );
  known.set(api, resources);
  return resources;
}
