import type { TypeSchema } from "./document.js";

/** Finds what a type is called for, once for each name. */
export type FindSchema = (name: string) => TypeSchema | undefined;

/**
 * The schema of a named type without the branches that are that type again. A value that is one of itself or a string is a string, and TypeScript
 * refuses a type that is defined by itself; within a field or an item it may well be.
 */
export function withoutItself(name: string, schema: TypeSchema, find: FindSchema): TypeSchema {
  const isItself = (branch: TypeSchema): boolean => reaches(branch, name, find);
  return isItself(schema) ? (pruned(schema, isItself) ?? {}) : schema;
}

/** Whether the type itself, not a part of what it holds, is defined by the named one. */
function reaches(schema: TypeSchema, name: string, find: FindSchema): boolean {
  const seen = new Set<string>();
  const pending = [schema];
  for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
    pending.push(...branchesOf(each));
    const other = each.$ref?.slice(2);
    if (other === name) return true;
    const found = other === undefined || seen.has(other) ? undefined : find(other);
    if (other !== undefined) seen.add(other);
    if (found !== undefined) pending.push(found);
  }
  return false;
}

function branchesOf({ allOf = [], anyOf = [], oneOf = [] }: TypeSchema): readonly TypeSchema[] {
  return [...allOf, ...anyOf, ...oneOf];
}

/** Undefined where nothing is left. */
function pruned(schema: TypeSchema, isItself: (branch: TypeSchema) => boolean): TypeSchema | undefined {
  if (!isItself(schema)) return schema;
  if (schema.$ref !== undefined) return undefined;
  const left = (branches: readonly TypeSchema[] | undefined): readonly TypeSchema[] =>
    (branches ?? []).flatMap((branch) => pruned(branch, isItself) ?? []);
  const { allOf, anyOf, oneOf, ...rest } = schema;
  const lists = { allOf: left(allOf), anyOf: left(anyOf), oneOf: left(oneOf) };
  const kept = Object.fromEntries(Object.entries(lists).filter(([, branches]) => branches.length > 0));
  const next: TypeSchema = { ...rest, ...kept };
  return Object.keys(next).length === 0 ? undefined : next;
}
