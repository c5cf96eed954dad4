import {
  type Operation,
  type OperationResponse,
  type Schema,
  attributeValues,
  findJsonContent,
  memoizeByKey,
} from "@plumbline/kit/model";
import { requirementIds, type ConformanceContext } from "./context.js";
import { callerMatching } from "./suite-callers.js";

/**
 * The requirements of the successful responses that the main user gets, including the fields of their bodies. A value that only one of
 * several alternatives has may be absent, so that its requirements do not count.
 */
export function responseRequirements(context: ConformanceContext, operation: Operation): readonly string[] {
  const responses = operation.responses.filter(
    (response) => String(response.status).startsWith("2") && (callerOfResponse(context, response) ?? "main") === "main",
  );
  return responses.flatMap((response) => {
    const json = findJsonContent(response.contents);
    const headers = response.headers.flatMap((header) => [...requirementIds(header.sources)]);
    return [
      ...requirementIds(response.sources),
      ...headers,
      ...(json === undefined ? [] : certainRequirements(context, json.schema)),
    ];
  });
}

/** The label of the caller that gets a response. Undefined if all do. */
export function callerOfResponse(context: ConformanceContext, { visibility }: OperationResponse): string | undefined {
  const stated = visibility?.when?.caller?.properties ?? [];
  const values = stated.flatMap(({ name, schema }) => {
    const listed = attributeValues(schema);
    return Object.hasOwn(context.api.callers?.attributes ?? {}, name) && listed.length > 0
      ? [[name, listed] as const]
      : [];
  });
  if (values.length === 0) return undefined;
  return callerMatching(context.api, Object.fromEntries(values));
}

/** The requirements of a schema and of all its subschemas. */
export function schemaRequirements(context: ConformanceContext, schema: Schema): readonly string[] {
  return allRequirements(context.api, schema, () => collectRequirements(context, schema, { alternatives: true }));
}

/** The same without alternatives: a value has one of them, and nothing says which. */
function certainRequirements(context: ConformanceContext, schema: Schema): readonly string[] {
  return requirementsOfAll(context.api, schema, () => collectRequirements(context, schema, { alternatives: false }));
}

const allRequirements = memoizeByKey<Schema, readonly string[]>();
const requirementsOfAll = memoizeByKey<Schema, readonly string[]>();

interface Collected {
  /** Also what only some values of the schema have. */
  readonly alternatives: boolean;
}

function collectRequirements(
  { api, schemas }: ConformanceContext,
  schema: Schema,
  { alternatives }: Collected,
): readonly string[] {
  const ids = new Set<string>();
  const waiting = new Set<string>();
  const collect = (each: Schema): void => {
    const cache = alternatives ? ownRequirements : ownCertainRequirements;
    const collected = cache(api, each, () => requirementsWithoutReferences(each, { alternatives }));
    for (const id of collected.ids) ids.add(id);
    for (const name of collected.references) waiting.add(name);
  };
  collect(schema);
  for (const name of waiting) {
    const target = schemas.get(name);
    if (target !== undefined) collect(target);
  }
  return [...ids];
}

interface OwnRequirements {
  readonly ids: ReadonlySet<string>;
  /** The named schemas that it refers to. */
  readonly references: ReadonlySet<string>;
}

/** Cached by schema: many responses reach the same named schemas. */
const ownRequirements = memoizeByKey<Schema, OwnRequirements>();
const ownCertainRequirements = memoizeByKey<Schema, OwnRequirements>();

function requirementsWithoutReferences(schema: Schema, { alternatives }: Collected): OwnRequirements {
  const ids = new Set<string>();
  const references = new Set<string>();
  const visit = (each: Schema): void => {
    for (const id of requirementIds(each.sources)) ids.add(id);
    if (each.ref !== undefined) references.add(each.ref);
    for (const property of each.properties ?? []) visit(property.schema);
    for (const inner of subschemasOf(each)) visit(inner);
    if (alternatives || branchesOf(each).length < 2) for (const inner of branchesOf(each)) visit(inner);
  };
  visit(schema);
  return { ids, references };
}

function subschemasOf(schema: Schema): readonly Schema[] {
  const { items, prefixItems = [], additionalProperties, allOf = [], then, contains } = schema;
  const maps = [...Object.values(schema.patternProperties ?? {}), ...Object.values(schema.dependentSchemas ?? {})];
  const single = [items, additionalProperties, then, schema.else, contains].filter((each) => each !== undefined);
  return [...prefixItems, ...allOf, ...maps, ...single];
}

/** The alternatives of a schema. Null is none: it states nothing. */
function branchesOf({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] {
  return [...anyOf, ...oneOf].filter(({ types }) => types.join() !== "null");
}
