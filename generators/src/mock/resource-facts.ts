import {
  type Api,
  collectFields,
  findJsonContent,
  isJsonArray,
  isJsonObject,
  type Json,
  memoize,
  type Operation,
  type Property,
  schemaParts,
} from "@plumbline/kit/model";
import { expressionResource } from "./expressions.js";
import { roleOf } from "./roles.js";
import { propertiesOf } from "./samples.js";

/** What the operations say about a resource. */
export interface ResourceFacts {
  /** True if an operation or an effect creates objects. */
  isCreated: boolean;
  /** The fields that creators can send. */
  readonly sentFields: Property[];
  /** The fields that updates can send. */
  readonly changedFields: Property[];
  /** The fields that effects set to true, as paths. */
  readonly flags: (readonly string[])[];
  /** The identifiers in examples of requests, by their JSON. */
  readonly referenced: Map<string, Json>;
}

/** Returns what the operations say about a resource. Every operation is read once. */
export function resourceFacts(api: Api, resource: string): ResourceFacts {
  return factsByResource(api).get(resource) ?? emptyFacts();
}

function emptyFacts(): ResourceFacts {
  return { isCreated: false, sentFields: [], changedFields: [], flags: [], referenced: new Map() };
}

const factsByResource = memoize((api): ReadonlyMap<string, ResourceFacts> => {
  const all = new Map<string, ResourceFacts>();
  const factsOf = (resource: string): ResourceFacts => {
    const facts = all.get(resource) ?? emptyFacts();
    all.set(resource, facts);
    return facts;
  };
  for (const operation of [...api.operations, ...api.operationsWithoutPath]) {
    readBodies(api, operation, factsOf);
    readEffects(api, operation, factsOf);
    readReferences(api, operation, factsOf);
  }
  return all;
});

type FactsOf = (resource: string) => ResourceFacts;

function readBodies(api: Api, operation: Operation, factsOf: FactsOf): void {
  const { role, resource } = roleOf(api, operation);
  if ((role !== "create" && role !== "update") || resource === undefined) return;
  const facts = factsOf(resource);
  if (role === "create") facts.isCreated = true;
  const content = findJsonContent(operation.requestBody?.contents ?? []);
  const fields = role === "create" ? facts.sentFields : facts.changedFields;
  if (content !== undefined) fields.push(...propertiesOf(schemaParts(api, content.schema)));
}

function readEffects(api: Api, operation: Operation, factsOf: FactsOf): void {
  for (const { does, to, object, values } of operation.effects) {
    const resource = object === undefined ? to : expressionResource(api, operation, object)?.resource;
    if (resource === undefined) continue;
    if (does === "create") factsOf(resource).isCreated = true;
    for (const [field, source] of Object.entries(values))
      if (source.kind === "value" && source.value === true) factsOf(resource).flags.push(field.split("."));
  }
}

function readReferences(api: Api, { requestBody }: Operation, factsOf: FactsOf): void {
  const content = findJsonContent(requestBody?.contents ?? []);
  if (content === undefined) return;
  const stated = schemaParts(api, content.schema).flatMap((part) => part.examples ?? []);
  const examples = [...(content.example === undefined ? [] : [content.example]), ...stated];
  for (const { pointer, schema } of collectFields(api, content.schema)) {
    if (schema.reference === undefined) continue;
    const { referenced } = factsOf(schema.reference.to);
    for (const value of examples.flatMap((each) => valuesAt(each, pointer)))
      if (typeof value === "string" || typeof value === "number") referenced.set(JSON.stringify(value), value);
  }
}

function valuesAt(value: Json, [token, ...rest]: readonly string[]): readonly Json[] {
  if (token === undefined) return [value];
  if (isJsonArray(value)) return value.flatMap((item) => valuesAt(item, rest));
  if (!isJsonObject(value)) return [];
  if (token === "*") return Object.values(value).flatMap((item) => valuesAt(item, rest));
  const inner = value[token];
  return inner === undefined ? [] : valuesAt(inner, rest);
}
