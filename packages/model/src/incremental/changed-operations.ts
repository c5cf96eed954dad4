import type { Api, Operation, Schema } from "../api.js";

/** Returns a function that reports whether an operation and all schemas that it depends on are the same objects as in an earlier model. */
export function findUnchangedOperations(before: Api, now: Api): (operation: Operation) => boolean {
  const operations = new Set([...before.operations, ...before.operationsWithoutPath]);
  const old = new Map(before.schemas.map(({ name, schema }) => [name, schema] as const));
  const schemas = new Map(now.schemas.map(({ name, schema }) => [name, schema] as const));
  const touched = new Set<string>();
  const users = new Map<string, string[]>();
  for (const [name, schema] of schemas) {
    if (old.get(name) !== schema) touched.add(name);
    for (const each of referencedNames(schema)) users.set(each, [...(users.get(each) ?? []), name]);
  }
  for (const name of old.keys()) if (!schemas.has(name)) touched.add(name);
  for (const name of touched) for (const user of users.get(name) ?? []) touched.add(user);
  return (operation) => operations.has(operation) && ![...referencedNames(operation)].some((name) => touched.has(name));
}

const known = new WeakMap<object, ReadonlySet<string>>();

/** Returns the names of the schemas that an operation or a schema refers to directly. */
function referencedNames(value: Operation | Schema): ReadonlySet<string> {
  const names = known.get(value) ?? findReferencedNames(value);
  known.set(value, names);
  return names;
}

function findReferencedNames(value: Operation | Schema): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<unknown>([value]);
  for (const each of seen) {
    if (typeof each !== "object" || each === null) continue;
    for (const [key, inner] of Object.entries(each)) {
      // References and discriminator mappings. The same key in an example does no harm.
      if (typeof inner === "string" && (key === "ref" || key === "schema")) names.add(inner);
      seen.add(inner);
    }
  }
  return names;
}
