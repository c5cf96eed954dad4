import {
  type Api,
  findJsonContent,
  isJsonArray,
  isJsonObject,
  type Json,
  type Operation,
  type Resource,
  schemaParts,
} from "@plumbline/kit/model";
import type { MockResource } from "@plumbline/server-runtime/mock";
import { findOperation, isListOf } from "./lookups.js";

/** A documented list may be long. */
const maxSeeds = 100;

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

type Seed = Readonly<Record<string, Json>>;

/**
 * The objects of an inferred resource that no operation creates: those in the examples of the operations that list and read it, or else one
 * with the example of the path parameter as its identifier.
 */
export function inferredSeeds(
  api: Api,
  { name, list, read }: Resource,
  identifier: MockResource["identifier"],
): readonly Seed[] {
  const { field } = identifier;
  const examples = [...examplesOf(api, list), ...examplesOf(api, read)];
  const objects = examples
    .flatMap((example) => (isJsonArray(example) ? example : [example]))
    .flatMap((example) => (isJsonObject(example) ? [example] : []));
  const sample = parameterExample(api, name) ?? (identifier.sample as Json);
  const isFit = (id: Json): boolean => !isUuid(sample) || isUuid(id);
  const seeds = new Map<string, Seed>();
  for (const object of objects.length === 0 ? [{} as Seed] : objects) {
    const stated = object[field];
    // Documented identifiers are not always valid.
    const id = typeof stated === typeof sample && stated !== undefined && isFit(stated) ? stated : sample;
    const key = JSON.stringify(id);
    seeds.set(key, { ...seeds.get(key), ...object, [field]: id });
  }
  return [...seeds.values()].slice(0, maxSeeds);
}

function isUuid(value: Json): boolean {
  return typeof value === "string" && uuid.test(value);
}

/** The example of an operation's response. In an envelope: the list of its items. */
function examplesOf(api: Api, name: string | undefined): readonly Json[] {
  const operation = name === undefined ? undefined : findOperation(api, name);
  const content = operation && successContent(operation);
  if (content?.example === undefined) return [];
  const { example, schema } = content;
  if (!isJsonObject(example)) return [example];
  const lists = schemaParts(api, schema)
    .flatMap((part) => part.properties ?? [])
    .filter((property) => property.schema.items?.ref !== undefined)
    .flatMap((property) => example[property.name] ?? []);
  return name !== undefined && lists.length > 0 && isListOf(api, name) ? lists : [example];
}

function successContent({ responses }: Operation): ReturnType<typeof findJsonContent> {
  return responses.flatMap(({ status, contents }) =>
    String(status).startsWith("2") ? (findJsonContent(contents) ?? []) : [],
  )[0];
}

function parameterExample(api: Api, resource: string): Json | undefined {
  const examples = api.operations.flatMap(({ parameters }) =>
    parameters.flatMap(({ reference, schema }) => (reference?.to === resource ? (schema.examples ?? []) : [])),
  );
  return examples.find((example) => typeof example === "string" || typeof example === "number");
}
