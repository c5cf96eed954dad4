import { preferredContent, type Api, type Operation, type Property, type Schema } from "@plumbline/kit/model";
import type { ApiPart } from "./api-part.js";

/** The names of a schema in code: its own, those of its variants, and those of the schemas that it combines. */
export function relatedSchemas(name: string, { schemas }: Api): readonly string[] {
  const names = new Set(
    schemas.filter((each) => each.name === name || each.variantOf?.name === name).map((each) => each.name),
  );
  for (const each of names) {
    const schema = schemas.find((candidate) => candidate.name === each)?.schema;
    for (const { ref } of schema?.allOf ?? []) if (ref !== undefined) names.add(ref);
  }
  return [...names];
}

/** The properties and parameters whose values a named schema describes. */
export function placesOfSchema(name: string, api: Api): readonly ApiPart[] {
  const parts: ApiPart[] = [];
  const visit = (schema: Schema, part: ApiPart): void => {
    if (schema.ref === name && part.path.length > 0) parts.push(part);
    for (const property of schema.properties ?? [])
      visit(property.schema, { ...part, path: [...part.path, property.name] });
    for (const each of [
      schema.items,
      schema.additionalProperties,
      ...(schema.allOf ?? []),
      ...(schema.oneOf ?? []),
      ...(schema.anyOf ?? []),
    ])
      if (each !== undefined) visit(each, part);
  };
  for (const { name: owner, schema } of api.schemas) visit(schema, { kind: "schema", owner, path: [] });
  for (const { name: owner, parameters, requestBody, responses } of api.operations) {
    for (const { in: location, name: parameter, schema } of parameters)
      visit(schema, { kind: "parameters", owner, path: [location, parameter] });
    for (const { schema } of requestBody?.contents ?? []) visit(schema, { kind: "body", owner, path: [] });
    for (const { status, contents } of responses)
      for (const { schema } of contents)
        visit(schema, { kind: /^[45]|default/.test(String(status)) ? "failure" : "success", owner, path: [] });
  }
  return parts;
}

/** The properties that select the branch of a union. */
export function discriminatorsOf(name: string, api: Api): readonly ApiPart[] {
  const schemas = relatedSchemas(name, api).flatMap(
    (each) => api.schemas.find((candidate) => candidate.name === each)?.schema ?? [],
  );
  return schemas.flatMap(({ discriminator, oneOf = [], anyOf = [] }) =>
    discriminator === undefined
      ? []
      : [...oneOf, ...anyOf].flatMap(({ ref }) =>
          ref === undefined
            ? []
            : relatedSchemas(ref, api).map((owner): ApiPart => ({
                kind: "schema",
                owner,
                path: [discriminator.propertyName],
              })),
        ),
  );
}

/** The fields of an operation's request body, also of the schemas that it refers to and combines. Of a union: none. */
export function fieldsOfBody({ requestBody }: Operation, api: Api): readonly Property[] {
  const collect = (schema: Schema | undefined, depth: number): readonly Property[] => {
    if (schema === undefined || depth > 20) return [];
    const { ref, allOf = [], properties = [] } = schema;
    const target = ref === undefined ? undefined : api.schemas.find(({ name }) => name === ref)?.schema;
    return [...properties, ...[target, ...allOf].flatMap((each) => collect(each, depth + 1))];
  };
  const fields = collect(preferredContent(requestBody?.contents ?? [])?.schema, 0);
  return [...new Map(fields.map((field) => [field.name, field])).values()];
}

/** The types of the values of a schema, also of the one that it refers to. Empty: every type. */
export function typesOf(schema: Schema, api: Api): readonly string[] {
  return [...new Set(expand(schema, api, 19).flatMap(({ types }) => types))].sort();
}

/** The texts that a part may have: those of its `enum`. Empty if it may have others. */
export function textsOf({ kind, owner, path }: ApiPart, api: Api): readonly string[] {
  const operation = api.operations.find(({ name }) => name === owner);
  const [location, parameter, ...rest] = path;
  const roots: readonly (Schema | undefined)[] =
    kind === "schema"
      ? [api.schemas.find(({ name }) => name === owner)?.schema]
      : kind === "parameters"
        ? [operation?.parameters.find((each) => each.in === location && each.name === parameter)?.schema]
        : kind === "body"
          ? (operation?.requestBody?.contents ?? []).map(({ schema }) => schema)
          : [];
  const targets = (kind === "parameters" ? rest : path).reduce<readonly Schema[]>(
    (schemas, name) =>
      schemas
        .flatMap(({ properties = [] }) => properties.filter((each) => each.name === name))
        .flatMap(({ schema }) => expand(schema, api)),
    roots.flatMap((each) => (each === undefined ? [] : expand(each, api))),
  );
  return targets.flatMap((schema) => schema.enum ?? []).filter((each) => typeof each === "string");
}

/** A schema with those that it refers to, combines, or has as items. */
function expand(schema: Schema, api: Api, depth = 0): readonly Schema[] {
  if (depth > 20) return [];
  const target = api.schemas.find(({ name }) => name === schema.ref)?.schema;
  const { allOf = [], oneOf = [], anyOf = [], items } = schema;
  const next = [target, items, ...allOf, ...oneOf, ...anyOf].filter((each) => each !== undefined);
  return [schema, ...next.flatMap((each) => expand(each, api, depth + 1))];
}
