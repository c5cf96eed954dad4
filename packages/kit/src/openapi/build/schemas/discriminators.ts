import { pickDefined, type Schema } from "../../../model/index.js";
import { propertyValues } from "../../read/property-values.js";
import type { SpecNode } from "../../read/spec-node.js";
import { findDefinition } from "./definitions.js";

/** A value of a discriminator, and the schema that it selects. */
export interface SelectedSchema {
  readonly value: string;
  readonly target: SpecNode;
}

/**
 * Returns what selects each schema of a union without an entry in `mapping`: the strings that `enum` or `const` of its property allow, or
 * else its name, as OpenAPI specifies. `undefined` if the values do not tell the schemas apart.
 *
 * @param parent a schema that they all extend, whose own property describes the values of all of them
 */
export function impliedMapping(
  targets: readonly SpecNode[],
  property: string,
  parent?: SpecNode,
): readonly SelectedSchema[] | undefined {
  const described = parent === undefined ? [] : [parent.key];
  const all = targets.map((target) => ({ target, values: propertyValues(target, property, described) }));
  const counts = new Map<unknown, number>();
  for (const value of all.flatMap(({ values = [] }) => values)) counts.set(value, (counts.get(value) ?? 0) + 1);
  const selected = all.map(({ target, values }) => selecting(target.name, values, counts));
  if (selected.includes(undefined)) return undefined;
  const mapping = all.flatMap(({ target }, index) => (selected[index] ?? []).map((value) => ({ value, target })));
  return new Set(mapping.map(({ value }) => value)).size === mapping.length ? mapping : undefined;
}

/**
 * Returns the entries of `mapping` that can select their schemas: a schema whose property allows other values only is never selected.
 */
export function possibleMapping(mapped: readonly SelectedSchema[], property: string): readonly SelectedSchema[] {
  return mapped.filter(({ value, target }) => propertyValues(target, property)?.includes(value) ?? true);
}

/** The keywords of a union with a discriminator. Each branch requires the values that select it. */
export function tagUnion(
  union: Partial<Schema>,
  property: string,
  mapping: readonly (SelectedSchema & { readonly schema: string })[],
): Partial<Schema> {
  const mapped = new Map<string, (typeof mapping)[number][]>(mapping.map(({ schema }) => [schema, []]));
  for (const each of mapping) mapped.get(each.schema)?.push(each);
  const tagged = (branch: Schema): Schema => {
    const entries = mapped.get(branch.ref ?? "") ?? [];
    const [first] = entries;
    const values = entries.map(({ value }) => value);
    if (first === undefined || requiresValues(first.target, property, values)) return branch;
    const { origin } = branch;
    const [only, ...others] = values;
    const allowed = others.length === 0 ? pickDefined("const", only) : { enum: values };
    const tag = { name: property, required: true, readOnly: false, writeOnly: false };
    return {
      ...branch,
      properties: [{ ...tag, schema: { types: ["string"], ...allowed, origin } }],
      required: [property],
    };
  };
  return {
    ...pickDefined("anyOf", union.anyOf?.map(tagged)),
    ...pickDefined("oneOf", union.oneOf?.map(tagged)),
    discriminator: { propertyName: property, mapping: mapping.map(({ value, schema }) => ({ value, schema })) },
  };
}

/** Whether a schema requires the property, and allows these values only. */
function requiresValues(target: SpecNode, property: string, values: readonly string[]): boolean {
  const allowed = propertyValues(target, property);
  return (
    allowed?.every((value) => values.includes(value as string)) === true && isRequired(target, property, new Set())
  );
}

function isRequired(schema: SpecNode, property: string, visited: Set<string>): boolean {
  const here = schema.reference === undefined ? schema : findDefinition(schema);
  if (here === undefined || visited.has(here.key)) return false;
  visited.add(here.key);
  const { required } = here.object;
  if (Array.isArray(required) && required.includes(property)) return true;
  return (here.child("allOf")?.items() ?? []).some((part) => isRequired(part, property, visited));
}

function selecting(
  name: string,
  values: readonly unknown[] | undefined,
  counts: ReadonlyMap<unknown, number>,
): readonly string[] | undefined {
  if (values === undefined) return [name];
  const texts = values.filter((value) => typeof value === "string");
  if (texts.length > 0 && texts.length === values.length && texts.every((value) => counts.get(value) === 1))
    return texts;
  return texts.includes(name) ? [name] : undefined;
}
