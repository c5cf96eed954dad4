import { fieldNames, fieldOf, follow, type JsonSchema } from "./vocabulary.js";

/** As much of Redocly's NodeType as is needed; null means: known, and not looked into. */
interface NodeType {
  readonly properties: Readonly<Record<string, string | object | null>>;
  readonly additionalProperties?: unknown;
  readonly items?: string;
  readonly extensionsPrefix?: string;
}

/**
 * Adds the vocabulary to Redocly's types. Only what holds JSON Schemas becomes a type, so that Redocly follows and judges those;
 * keys and values of extensions are judged by `extension/shape` alone, which says more.
 */
export function extendTypes<T>(types: Record<string, T>): Record<string, T> {
  const known = types as Record<string, unknown> as Record<string, NodeType>;
  const added = new Map<string, NodeType>();
  const extended: Record<string, NodeType> = { ...known };
  for (const name of fieldNames) {
    const { places, schema } = fieldOf(name);
    const type = typeOf(name, schema, added);
    const hosts = places ?? Object.keys(known).filter((host) => known[host]?.extensionsPrefix !== undefined);
    for (const host of hosts) {
      const before = extended[host];
      if (before) extended[host] = { ...before, properties: { ...before.properties, [name]: type } };
    }
  }
  return { ...extended, ...Object.fromEntries(added) } as Record<string, unknown> as Record<string, T>;
}

/** The name of the type for a schema of the vocabulary, or null when it holds no JSON Schema. */
function typeOf(name: string, written: JsonSchema, added: Map<string, NodeType>): string | null {
  const { schema, kind } = follow(written);
  if (kind === "schema") return "Schema";
  const children = propertiesOf(schema);
  const properties: Record<string, string | null> = {};
  for (const [key, child] of Object.entries(children)) properties[key] = typeOf(`${name}/${key}`, child, added);
  const holders = Object.values(properties).filter((each) => each !== null);
  const items = typeof schema.items === "object" ? typeOf(`${name}/item`, schema.items, added) : null;
  const others =
    typeof schema.additionalProperties === "object" ? typeOf(`${name}/each`, schema.additionalProperties, added) : null;
  if (items !== null) added.set(name, { properties: {}, items });
  else if (others !== null) added.set(name, { properties, additionalProperties: () => others });
  else if (holders.length > 0) added.set(name, { properties, additionalProperties: null });
  else return null;
  return name;
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(
    (each) => follow(each).schema.properties ?? {},
  );
  return Object.assign({}, ...branches, schema.properties) as Record<string, JsonSchema>;
}
