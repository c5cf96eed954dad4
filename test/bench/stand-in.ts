import type { Json } from "./descriptions.js";

/** Numbers of the description of a large provider of language models, whose text cannot be part of this repository. */
const counts = { operations: 288, schemas: 1422, anyOf: 920, discriminators: 107 };

const resources = counts.operations / 4;
const variantsEach = 5;

/**
 * A description with these numbers of operations, named schemas, `anyOf` and discriminators: resources with unions of events that
 * a field selects, options that may be null, and one text of at most 100,000,000 characters.
 */
export function standIn(): Json {
  const unions = list(counts.discriminators, (index) => `Event${index}`);
  const variants = unions.flatMap((union) => list(variantsEach, (index) => `${union}Variant${index}`));
  const bodies = list(resources, (index) => `CreateThing${index}`);
  const things = list(resources, (index) => `Thing${index}`);
  const rest = counts.schemas - [unions, variants, bodies, things].flat().length;
  const options = list(rest, (index) => `Options${index}`);
  const nullable = nullableFields(counts.anyOf);
  const schemas: Record<string, Json> = {};
  for (const [index, union] of unions.entries())
    schemas[union] = unionOf(
      list(variantsEach, (each) => `${union}Variant${each}`),
      index % 2 === 0,
    );
  for (const [index, variant] of variants.entries())
    schemas[variant] = objectOf({
      type: { type: "string", const: `variant.${index % variantsEach}` },
      sequence: { type: "integer", minimum: 0 },
      content: ref(options, index),
    });
  for (const [index, name] of options.entries())
    schemas[name] = objectOf({
      name: { type: "string", maxLength: index === 0 ? 100_000_000 : 512 },
      kind: { type: "string", enum: list(8, (each) => `kind-${each}`) },
      ...nullable(1, () => (index % 2 === 0 ? ref(options, index + 7) : { type: "number", minimum: 0, maximum: 2 })),
    });
  for (const [index, name] of things.entries())
    schemas[name] = objectOf({
      id: { type: "string" },
      created_at: { type: "integer" },
      events: { type: "array", items: ref(unions, index) },
      ...nullable(2, (each) => ref(options, index * 2 + each)),
    });
  for (const [index, name] of bodies.entries())
    schemas[name] = objectOf({
      input: {
        oneOf: [
          { type: "string", minLength: 1 },
          { type: "array", items: ref(unions, index + 1) },
        ],
      },
      options: ref(options, index),
      ...nullable(3, (each) => ref(options, index * 3 + each)),
    });
  return {
    openapi: "3.1.0",
    info: { title: "A provider of models", version: "1.0.0" },
    servers: [{ url: "https://models.example" }],
    security: [{ key: [] }],
    paths: Object.fromEntries(things.flatMap((thing, index) => pathsOf({ thing, body: bodies[index] ?? "", index }))),
    components: { securitySchemes: { key: { type: "http", scheme: "bearer" } }, schemas },
  };
}

function list<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function ref(names: readonly string[], index: number): Json {
  return { $ref: `#/components/schemas/${names[index % names.length] ?? ""}` };
}

function objectOf(properties: Readonly<Record<string, Json>>): Json {
  return { type: "object", required: Object.keys(properties).slice(0, 2), properties };
}

/** Every other union names its branches in `mapping`; the others have the values in the branches. */
function unionOf(names: readonly string[], hasMapping: boolean): Json {
  const mapping = Object.fromEntries(names.map((name, index) => [`variant.${index}`, `#/components/schemas/${name}`]));
  return {
    oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })),
    discriminator: { propertyName: "type", ...(hasMapping ? { mapping } : {}) },
  };
}

/** Returns a function that makes properties of `anyOf` with null, until there are so many in all. */
function nullableFields(
  most: number,
): (count: number, inner: (index: number) => Json) => Readonly<Record<string, Json>> {
  let left = most;
  return (count, inner) => {
    const made = Math.min(left, count);
    left -= made;
    const fields = list(made, (index) => [`option_${index}`, { anyOf: [inner(index), { type: "null" }] }] as const);
    return Object.fromEntries(fields);
  };
}

function pathsOf({ thing, body, index }: { readonly thing: string; readonly body: string; readonly index: number }) {
  const json = (schema: Json): Json => ({ "application/json": { schema } });
  const one: Json = { $ref: `#/components/schemas/${thing}` };
  const found: Json = { "200": { description: "Done.", content: json(one) } };
  const id: Json = { name: "id", in: "path", required: true, schema: { type: "string" } };
  const page: Json = { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100, default: 20 } };
  const all: Json = { type: "object", required: ["data"], properties: { data: { type: "array", items: one } } };
  const tags = [`Area ${Math.floor(index / 6)}`];
  const operation = (verb: string, rest: Readonly<Record<string, Json>>): Json => ({
    operationId: `${verb}${thing}`,
    tags,
    ...rest,
  });
  const stream: Json = { "text/event-stream": { schema: { $ref: `#/components/schemas/Event${index}` } } };
  const created: Json = {
    "200": { description: "Done.", content: { ...(json(one) as object), ...(stream as object) } },
  };
  const listed: Json = { "200": { description: "A page.", content: json(all) } };
  const requestBody: Json = { required: true, content: json({ $ref: `#/components/schemas/${body}` }) };
  const path = `/${thing.toLowerCase()}`;
  return [
    [
      path,
      {
        get: operation("list", { parameters: [page], responses: listed }),
        post: operation("create", { requestBody, responses: created }),
      },
    ],
    [
      `${path}/{id}`,
      {
        get: operation("get", { parameters: [id], responses: found }),
        delete: operation("delete", { parameters: [id], responses: { "204": { description: "Gone." } } }),
      },
    ],
  ] as const;
}
