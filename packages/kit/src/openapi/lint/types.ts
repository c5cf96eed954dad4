import { extensionFieldNames, findExtensionField, followVocabularyReference, type JsonSchema } from "./vocabulary.js";

/** The part of Redocly's NodeType that is used here. `null`: a known key whose value is not checked. */
interface NodeType {
  readonly properties: Readonly<Record<string, string | object | null>>;
  readonly additionalProperties?: unknown;
  readonly items?: string;
  readonly extensionsPrefix?: string;
}

/**
 * Adds the vocabulary to Redocly's types. Only objects with JSON Schemas, and maps, become types, so that Redocly follows and
 * lints these schemas, and follows a reference to a map.
 * `extension/schema` checks all other keys and values, with better messages.
 */
export function extendTypes<T>(types: Record<string, T>): Record<string, T> {
  const redoclyTypes = types as Record<string, unknown> as Record<string, NodeType>;
  const added = new Map<string, NodeType>();
  const extended: Record<string, NodeType> = { ...redoclyTypes };
  for (const name of extensionFieldNames) {
    const { allowedOn, schema } = findExtensionField(name);
    const type = typeOf(name, schema, added);
    const hosts =
      allowedOn ?? Object.keys(redoclyTypes).filter((host) => redoclyTypes[host]?.extensionsPrefix !== undefined);
    for (const host of hosts) {
      const before = extended[host];
      if (before) extended[host] = { ...before, properties: { ...before.properties, [name]: type } };
    }
  }
  return { ...extended, ...Object.fromEntries(added) } as Record<string, unknown> as Record<string, T>;
}

/** The types of shared definitions that are objects of OpenAPI. */
const openapiTypes: Readonly<Record<string, string>> = {
  schema: "Schema",
  responses: "Responses",
  headers: "HeadersMap",
};

/** Returns the type's name for a schema of the vocabulary, or null if it is no map and contains no JSON Schema. */
function typeOf(name: string, written: JsonSchema, added: Map<string, NodeType>): string | null {
  const { schema, kind } = followVocabularyReference(written);
  const openapiType = kind === undefined ? undefined : openapiTypes[kind];
  if (openapiType !== undefined) return openapiType;
  const children = propertiesOf(schema);
  const properties: Record<string, string | null> = {};
  for (const [key, child] of Object.entries(children)) properties[key] = typeOf(`${name}/${key}`, child, added);
  const holders = Object.values(properties).filter((each) => each !== null);
  const items = typeof schema.items === "object" ? typeOf(`${name}/item`, schema.items, added) : null;
  const isMap = typeof schema.additionalProperties === "object";
  const others = isMap ? typeOf(`${name}/each`, schema.additionalProperties, added) : null;
  if (items !== null) added.set(name, { properties: {}, items });
  else if (isMap) added.set(name, { properties, additionalProperties: () => others });
  else if (holders.length > 0) added.set(name, { properties, additionalProperties: null });
  else return null;
  return name;
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(
    (each) => followVocabularyReference(each).schema.properties ?? {},
  );
  return Object.assign({}, ...branches, schema.properties) as Record<string, JsonSchema>;
}
