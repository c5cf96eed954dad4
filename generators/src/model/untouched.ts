import type { Api, Operation, Shape } from "./api.js";

/** Returns a function that reports whether an operation and all schemas that it depends on are the same objects as in an earlier model. */
export function untouchedSince(before: Api, now: Api): (operation: Operation) => boolean {
  const operations = new Set([...before.operations, ...before.linked]);
  const old = new Map(before.shapes.map(({ name, shape }) => [name, shape] as const));
  const shapes = new Map(now.shapes.map(({ name, shape }) => [name, shape] as const));
  const touched = new Set<string>();
  const users = new Map<string, string[]>();
  for (const [name, shape] of shapes) {
    if (old.get(name) !== shape) touched.add(name);
    for (const each of namesIn(shape)) users.set(each, [...(users.get(each) ?? []), name]);
  }
  for (const name of old.keys()) if (!shapes.has(name)) touched.add(name);
  for (const name of touched) for (const user of users.get(name) ?? []) touched.add(user);
  return (operation) => operations.has(operation) && ![...namesIn(operation)].some((name) => touched.has(name));
}

const known = new WeakMap<object, ReadonlySet<string>>();

/** Returns the names of the schemas that an operation or a schema refers to directly. */
function namesIn(value: Operation | Shape): ReadonlySet<string> {
  const names = known.get(value) ?? findNames(value);
  known.set(value, names);
  return names;
}

function findNames(value: Operation | Shape): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<unknown>([value]);
  for (const each of seen) {
    if (typeof each !== "object" || each === null) continue;
    for (const [key, inner] of Object.entries(each)) {
      // References and discriminator mappings. The same key in an example does no harm.
      if (typeof inner === "string" && (key === "ref" || key === "shape")) names.add(inner);
      seen.add(inner);
    }
  }
  return names;
}
