import { type Operation, type Schema, findJsonContent, memoizeByKey } from "@plumbline/model";
import { requirementIds, type ConformanceContext } from "../../context/context.js";

/** The requirements of an operation's successful responses, including every field of their bodies. */
export function responseRequirements(context: ConformanceContext, operation: Operation): readonly string[] {
  const responses = operation.responses.filter(({ status }) => String(status).startsWith("2"));
  return responses.flatMap((response) => {
    const json = findJsonContent(response.contents);
    const headers = response.headers.flatMap((header) => [...requirementIds(header.sources)]);
    return [
      ...requirementIds(response.sources),
      ...headers,
      ...(json === undefined ? [] : schemaRequirements(context, json.schema)),
    ];
  });
}

/** The requirements of a schema and of all its subschemas. */
export function schemaRequirements(context: ConformanceContext, schema: Schema): readonly string[] {
  return schemaRequirementsCache(context.api, schema, () => collectRequirements(context, schema));
}

const schemaRequirementsCache = memoizeByKey<Schema, readonly string[]>();

function collectRequirements({ api, schemas }: ConformanceContext, schema: Schema): readonly string[] {
  const found = new Set<string>();
  const waiting = new Set<string>();
  const collect = (each: Schema): void => {
    const own = ownRequirements(api, each, () => requirementsWithoutReferences(each));
    for (const id of own.ids) found.add(id);
    for (const name of own.references) waiting.add(name);
  };
  collect(schema);
  for (const name of waiting) {
    const named = schemas.get(name);
    if (named !== undefined) collect(named);
  }
  return [...found];
}

interface OwnRequirements {
  readonly ids: ReadonlySet<string>;
  /** The named schemas that it refers to. */
  readonly references: ReadonlySet<string>;
}

/** Cached by schema: many responses reach the same named schemas. */
const ownRequirements = memoizeByKey<Schema, OwnRequirements>();

function requirementsWithoutReferences(schema: Schema): OwnRequirements {
  const ids = new Set<string>();
  const references = new Set<string>();
  const visit = (each: Schema): void => {
    for (const id of requirementIds(each.sources)) ids.add(id);
    if (each.ref !== undefined) references.add(each.ref);
    for (const property of each.properties ?? []) if (!property.writeOnly) visit(property.schema);
    for (const inner of subschemasOf(each)) visit(inner);
  };
  visit(schema);
  return { ids, references };
}

function subschemasOf(schema: Schema): readonly Schema[] {
  const { items, prefixItems = [], additionalProperties, allOf = [], anyOf = [], oneOf = [], then } = schema;
  const maps = [...Object.values(schema.patternProperties ?? {}), ...Object.values(schema.dependentSchemas ?? {})];
  const single = [items, additionalProperties, then, schema.else, schema.contains].filter((each) => each !== undefined);
  return [...prefixItems, ...allOf, ...anyOf, ...oneOf, ...maps, ...single];
}
