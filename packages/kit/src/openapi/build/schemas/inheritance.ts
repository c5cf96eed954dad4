import type { SpecNode } from "../../read/spec-node.js";
import { findDefinition } from "./definitions.js";
import { impliedMapping, possibleMapping, type SelectedSchema } from "./discriminators.js";

/** Parents with a discriminator, and the named schemas that extend them by `allOf`. */
export class InheritanceReader {
  /** Of each file: the schemas that extend another, by the key of the other. */
  readonly #extending = new Map<string, ReadonlyMap<string, readonly SpecNode[]>>();
  readonly #mappings = new Map<string, readonly SelectedSchema[] | undefined>();

  /**
   * Returns what each value of the discriminator of a parent selects. `undefined` for every other schema, and for a parent whose values
   * do not tell its children apart, or stand for the parent itself.
   */
  mappingOf(parent: SpecNode): readonly SelectedSchema[] | undefined {
    if (!isParent(parent)) return undefined;
    const cached = this.#mappings.get(parent.key);
    if (cached !== undefined || this.#mappings.has(parent.key)) return cached;
    const mapping = this.#readMapping(parent);
    this.#mappings.set(parent.key, mapping);
    return mapping;
  }

  #readMapping(parent: SpecNode): readonly SelectedSchema[] | undefined {
    const children = this.#descendants(parent);
    if (children.length === 0 || selectsItself(parent, children)) return undefined;
    const discriminator = parent.get("discriminator");
    const property = discriminator?.text("propertyName") ?? "";
    const written = (discriminator?.get("mapping")?.entries() ?? []).flatMap(([value, entry]) => {
      const target = typeof entry.raw === "string" ? findMapped(parent, children, entry.raw) : undefined;
      return target === undefined ? [] : [{ value, target }];
    });
    const mapped = possibleMapping(written, property);
    const keys = new Set(children.map((child) => child.key));
    if (mapped.some(({ target }) => !keys.has(target.key))) return undefined;
    const covered = new Set(mapped.map(({ target }) => target.key));
    const rest = children.filter((child) => !covered.has(child.key));
    const implied = impliedMapping(rest, property, parent);
    if (implied === undefined) return undefined;
    const all = [...mapped, ...implied];
    const selecting = new Set<unknown>(all.map(({ value }) => value));
    const { enum: values } = parent.child("properties")?.get(property)?.object ?? {};
    const isComplete = !Array.isArray(values) || values.every((value) => selecting.has(value));
    return isComplete && selecting.size === all.length ? all : undefined;
  }

  #descendants(parent: SpecNode): readonly SpecNode[] {
    const extending = this.#extendingIn(parent);
    const children = new Map<string, SpecNode>();
    const visit = (key: string): void => {
      for (const child of extending.get(key) ?? []) {
        if (children.has(child.key) || child.key === parent.key) continue;
        children.set(child.key, child);
        visit(child.key);
      }
    };
    visit(parent.key);
    return [...children.values()];
  }

  #extendingIn(parent: SpecNode): ReadonlyMap<string, readonly SpecNode[]> {
    const cached = this.#extending.get(parent.file.path);
    if (cached !== undefined) return cached;
    const extending = new Map<string, SpecNode[]>();
    const schemas = parent.withValue({ $ref: "#/components/schemas" }).target();
    for (const [, schema] of schemas?.entries() ?? []) {
      for (const part of schema.child("allOf")?.items() ?? []) {
        const target = part.reference === undefined ? undefined : findDefinition(part);
        if (target !== undefined) extending.set(target.key, [...(extending.get(target.key) ?? []), schema]);
      }
    }
    this.#extending.set(parent.file.path, extending);
    return extending;
  }
}

/**
 * True if a child has the parent in a branch, such as `oneOf`, and not only directly in `allOf`, where it is what the child extends. The union
 * of the children would be a branch of itself.
 */
function selectsItself(parent: SpecNode, children: readonly SpecNode[]): boolean {
  const keys = new Set(children.map((child) => child.key));
  const reaches = (schema: SpecNode): boolean => {
    const target = schema.reference === undefined ? undefined : findDefinition(schema);
    if (target?.key === parent.key) return true;
    if (target !== undefined && !keys.has(target.key)) {
      keys.add(target.key);
      if (reaches(target)) return true;
    }
    return branchesOf(schema).some(reaches);
  };
  const isParentOf = (part: SpecNode): boolean =>
    part.reference !== undefined && findDefinition(part)?.key === parent.key;
  return children.some((child) => {
    const parts = child.child("allOf")?.items() ?? [];
    const extended = new Set(parts.filter(isParentOf).map((part) => part.key));
    return branchesOf(child).some((part) => !extended.has(part.key) && reaches(part));
  });
}

function branchesOf(schema: SpecNode): readonly SpecNode[] {
  const lists = ["allOf", "anyOf", "oneOf"].flatMap((key) => schema.child(key)?.items() ?? []);
  return [...lists, ...["then", "else"].flatMap((key) => schema.child(key) ?? [])];
}

/** Resolves an entry of a mapping: a reference, or the name of a schema. */
export function findMapped(place: SpecNode, targets: readonly SpecNode[], reference: string): SpecNode | undefined {
  const sameName = targets.find((target) => target.name === reference);
  if (sameName !== undefined) return sameName;
  return findDefinition(
    place.withValue({
      $ref: reference.includes("/") || reference.includes(".") ? reference : `#/components/schemas/${reference}`,
    }),
  );
}

function isParent(schema: SpecNode): boolean {
  const [components, schemas, , ...more] = schema.tokens;
  if (components !== "components" || schemas !== "schemas" || more.length > 0) return false;
  if (schema.get("discriminator")?.text("propertyName") === undefined) return false;
  return !["oneOf", "anyOf", "x-resource"].some((key) => schema.has(key));
}
