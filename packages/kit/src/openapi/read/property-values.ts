import { isJsonObject } from "../../model/index.js";

/** A node of a description, in the model or in the linter. */
export interface SchemaNode<Node> {
  readonly key: string;
  readonly object: Readonly<Record<string, unknown>>;
  child(key: string): Node | undefined;
  items(): readonly Node[];
  entries(): readonly (readonly [string, Node])[];
  /** Returns the node at the end of a chain of references. */
  follow(): Node | undefined;
  /** Returns a node with another value at the same place. */
  withValue(value: unknown): Node;
}

/** A list of values that a schema allows for a property: that of an `enum`, or of a `const`. */
interface ValueList<Node> {
  /** The node with the keyword. */
  readonly node: Node;
  readonly values: readonly unknown[];
}

/** Returns the values of `enum` and `const` that a property may have. All parts of a composed schema have to allow a value. */
export function propertyValues<Node extends SchemaNode<Node>>(
  schema: Node,
  property: string,
  excluded: readonly string[] = [],
): readonly unknown[] | undefined {
  const [first, ...others] = listsOf(schema, property, new Set(excluded)).map(({ values }) => values);
  return first?.filter((value) => others.every((each) => each.includes(value)));
}

/** A value in the mapping of a discriminator that its schema does not allow. */
export interface UnlistedValue<Node> {
  /** The entry of the mapping. */
  readonly entry: Node;
  readonly value: string;
  /** The schemas with an `enum` that lacks the value. Empty if other values of the schema select it. */
  readonly enums: readonly Node[];
}

/**
 * Finds the values in the mapping of a discriminator that their schemas do not allow. An `enum` that a schema shares with another one, such as
 * that which it extends, does not select it: the list is not complete.
 */
export function findUnlistedValues<Node extends SchemaNode<Node>>(holder: Node): readonly UnlistedValue<Node>[] {
  const discriminator = holder.child("discriminator");
  const { propertyName: property, mapping } = discriminator?.object ?? {};
  if (typeof property !== "string" || !isJsonObject(mapping)) return [];
  const mapped = (discriminator?.child("mapping")?.entries() ?? []).flatMap(([value, entry]) => {
    const target = mappedSchema(entry, mapping[value]);
    return target === undefined ? [] : [{ value, entry, target, lists: listsOf(target, property, new Set()) }];
  });
  if (mapped.every(({ value, lists }) => lists.every(({ values }) => values.includes(value)))) return [];
  const branches = ["oneOf", "anyOf"].flatMap((key) => holder.child(key)?.items() ?? []);
  const targets = [holder, ...branches, ...mapped.map(({ target }) => target)].flatMap((each) => each.follow() ?? []);
  const users = new Map<string, Set<string>>();
  for (const target of targets)
    for (const { node } of listsOf(target, property, new Set()))
      users.set(node.key, (users.get(node.key) ?? new Set()).add(target.key));
  return mapped.flatMap(({ value, entry, lists }) => {
    const enums = lists.filter(({ values }) => !values.includes(value)).map(({ node }) => node);
    if (enums.length === 0) return [];
    const isShared = enums.every(({ key, object }) => !("const" in object) && (users.get(key)?.size ?? 0) > 1);
    return [{ entry, value, enums: isShared ? enums : [] }];
  });
}

/** Resolves an entry of a mapping: a reference, or the name of a schema. */
function mappedSchema<Node extends SchemaNode<Node>>(entry: Node, written: unknown): Node | undefined {
  if (typeof written !== "string") return undefined;
  return entry.withValue({ $ref: /[/.]/.test(written) ? written : `#/components/schemas/${written}` }).follow();
}

function listsOf<Node extends SchemaNode<Node>>(
  schema: Node,
  property: string,
  visited: Set<string>,
): readonly ValueList<Node>[] {
  return partsOf(schema, visited).flatMap((part) => {
    const propertySchema = part.child("properties")?.child(property);
    return propertySchema === undefined ? [] : partsOf(propertySchema, new Set()).flatMap(listOf);
  });
}

function listOf<Node extends SchemaNode<Node>>(node: Node): readonly ValueList<Node>[] {
  const { object } = node;
  if (Object.hasOwn(object, "const")) return [{ node, values: [object["const"]] }];
  return Array.isArray(object["enum"]) ? [{ node, values: object["enum"] as readonly unknown[] }] : [];
}

/** A schema and all that it is composed of by `allOf`. */
function partsOf<Node extends SchemaNode<Node>>(schema: Node, visited: Set<string>): readonly Node[] {
  const here = schema.follow();
  if (here === undefined || visited.has(here.key)) return [];
  visited.add(here.key);
  return [here, ...(here.child("allOf")?.items() ?? []).flatMap((part) => partsOf(part, visited))];
}
