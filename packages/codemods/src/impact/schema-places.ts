import type { Api, Schema } from "@plumbline/model";
import type { ApiPart } from "./api-part.js";

/** The names of a schema in code: its own, those of its variants, and those of the schemas that it combines. */
export function relatedSchemas(name: string, { schemas }: Api): readonly string[] {
  const found = new Set(
    schemas.filter((each) => each.name === name || each.variantOf?.name === name).map((each) => each.name),
  );
  for (const each of found) {
    const schema = schemas.find((known) => known.name === each)?.schema;
    for (const { ref } of schema?.allOf ?? []) if (ref !== undefined) found.add(ref);
  }
  return [...found];
}

/** The properties and parameters whose values a named schema describes. */
export function placesOfSchema(name: string, api: Api): readonly ApiPart[] {
  const found: ApiPart[] = [];
  const visit = (schema: Schema, part: ApiPart): void => {
    if (schema.ref === name && part.path.length > 0) found.push(part);
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
  return found;
}

/** The properties that select the branch of a union. */
export function discriminatorsOf(name: string, api: Api): readonly ApiPart[] {
  const schemas = relatedSchemas(name, api).flatMap(
    (each) => api.schemas.find((known) => known.name === each)?.schema ?? [],
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
