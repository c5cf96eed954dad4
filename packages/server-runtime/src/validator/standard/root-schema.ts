import { isArray, isObject, ownField } from "../../http/index.js";
import type { JsonSchema } from "../schemas.js";

/**
 * Returns a schema with the keywords of the definition that its root refers to, and with the definitions that it needs.
 * Providers of models want `type` at the root of a tool's input, and no reference.
 */
export function inlineRoot({ $defs, ...root }: JsonSchema): JsonSchema {
  const definitions = isObject($defs) ? $defs : {};
  const schema = followRoot(root, definitions);
  const type = impliedType(schema, definitions);
  const names = referredNames(schema, definitions);
  return {
    ...(type === undefined ? {} : { type }),
    ...schema,
    ...(names.length === 0 ? {} : { $defs: Object.fromEntries(names.map((name) => [name, definitions[name]])) }),
  };
}

type Definitions = Readonly<Record<string, unknown>>;

/** Keywords that may replace those of the definition that a schema refers to. */
const annotations: ReadonlySet<string> = new Set(["title", "description", "deprecated", "default", "examples"]);

function followRoot(root: JsonSchema, definitions: Definitions, followed: readonly unknown[] = []): JsonSchema {
  const { $ref, ...beside } = root;
  const target = ownField(definitions, definitionName($ref));
  const isReplaceable = Object.keys(beside).every((keyword) => annotations.has(keyword));
  if (!isObject(target) || !isReplaceable || followed.includes($ref)) return root;
  return followRoot({ ...target, ...beside }, definitions, [...followed, $ref]);
}

function definitionName(reference: unknown): string {
  return typeof reference === "string" ? reference.replace("#/$defs/", "") : "";
}

/** Returns the type that all values of a schema have, as each of its alternatives or one of its parts says. */
function impliedType(schema: unknown, definitions: Definitions, within: readonly unknown[] = []): unknown {
  if (!isObject(schema) || within.includes(schema)) return undefined;
  const { type, $ref, allOf, anyOf, oneOf } = schema;
  if (type !== undefined) return type;
  const typeOf = (each: unknown): unknown => impliedType(each, definitions, [...within, schema]);
  const typesOf = (schemas: unknown): readonly unknown[] => (isArray(schemas) ? schemas.map(typeOf) : []);
  const alternatives = [anyOf, oneOf].map((each) => {
    const [first, ...others] = typesOf(each);
    return others.every((other) => other === first) ? first : undefined;
  });
  const target = ownField(definitions, definitionName($ref));
  return [typeOf(target), ...typesOf(allOf), ...alternatives].find((each) => each !== undefined);
}

/** Returns the names of the definitions that a schema refers to, directly or through others. */
function referredNames(schema: JsonSchema, definitions: Definitions): readonly string[] {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (isArray(value)) value.forEach(visit);
    if (!isObject(value)) return;
    const name = definitionName(value["$ref"]);
    if (Object.hasOwn(definitions, name)) names.add(name);
    Object.values(value).forEach(visit);
  };
  visit(schema);
  // A set visits what is added during the visit.
  for (const name of names) visit(definitions[name]);
  return [...names].toSorted();
}
