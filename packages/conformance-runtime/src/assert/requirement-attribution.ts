import type { JsonSchema } from "../suite.js";
import { parsePointer } from "../values/json-pointer.js";
import { isObject } from "../values/json.js";

type Node = { readonly [keyword: string]: unknown };

export interface ValueLocation {
  readonly root: JsonSchema;
  /** The schema that failed: this object, somewhere below the root. */
  readonly failing: unknown;
  /** The location in the value, as a JSON pointer. */
  readonly path: string;
  /** The missing field at this location. */
  readonly missing?: string | undefined;
  /** True for an undocumented field. The schemas that the failed schema refers to list the documented ones. */
  readonly isUnexpected: boolean;
  readonly resolve: (ref: string) => unknown;
}

/**
 * The requirements to which a difference is attributed: those in the failed schema's `x-source`, else those of the nearest ancestor,
 * through references. For a missing field its own schema comes first.
 */
export function requirementsOfFailure(place: ValueLocation): readonly string[] {
  const way = pathTo(place, place.root, { parts: parsePointer(place.path), visited: new Set() }) ?? [];
  const missing = place.missing === undefined ? [] : fieldSources(place, place.missing);
  if (missing.length > 0) return missing;
  const listing = place.isUnexpected ? schemasOfSameValue(place.failing, place.resolve).filter(isObject) : [];
  const failing = way.slice(-1);
  for (const node of [...failing, ...listing, ...way.slice(0, -1).toReversed()]) {
    const sources = namedBy(node);
    if (sources.length > 0) return sources;
  }
  return [];
}

/** The requirements that a schema names for a location in a value. */
export function requirementsAtPointer(
  node: unknown,
  [part, ...parts]: readonly string[],
  resolve: ValueLocation["resolve"],
): readonly string[] {
  const alike = sameValue(node, resolve);
  const [first] = part === undefined ? alike.map(namedBy).filter((each) => each.length > 0) : [];
  if (part === undefined) return first ?? [];
  for (const each of alike.flatMap((one) => below(one, part))) {
    const requirements = requirementsAtPointer(each, parts, resolve);
    if (requirements.length > 0) return requirements;
  }
  return [];
}

/** A schema, with all schemas that apply to the same value. */
function sameValue(node: unknown, resolve: ValueLocation["resolve"]): readonly Node[] {
  const nodes = new Set<Node>();
  const add = (each: unknown): void => {
    if (!isObject(each) || nodes.has(each)) return;
    nodes.add(each);
    schemasOfSameValue(each, resolve).forEach(add);
  };
  add(node);
  return [...nodes];
}

/** The nodes from the root to the failing one; undefined when it is not below this one. */
function pathTo(
  place: ValueLocation,
  node: unknown,
  at: { readonly parts: readonly string[]; readonly visited: ReadonlySet<unknown> },
): readonly Node[] | undefined {
  if (!isObject(node) || at.visited.has(node)) return undefined;
  if (at.parts.length === 0 && node === place.failing) return [node];
  const visited = new Set([...at.visited, node]);
  for (const each of schemasOfSameValue(node, place.resolve)) {
    const way = pathTo(place, each, { parts: at.parts, visited });
    if (way !== undefined) return [node, ...way];
  }
  const [part, ...parts] = at.parts;
  if (part === undefined) return undefined;
  for (const each of below(node, part)) {
    const way = pathTo(place, each, { parts, visited: new Set() });
    if (way !== undefined) return [node, ...way];
  }
  return undefined;
}

/** The schemas that apply to the same value as this one. */
export function schemasOfSameValue(node: unknown, resolve: ValueLocation["resolve"]): readonly unknown[] {
  if (!isObject(node)) return [];
  const target = typeof node["$ref"] === "string" ? [resolve(node["$ref"])] : [];
  const dependent = isObject(node["dependentSchemas"]) ? Object.values(node["dependentSchemas"]) : [];
  const lists = [node["allOf"], node["anyOf"], node["oneOf"]].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...target, ...lists, node["if"], node["then"], node["else"], node["not"], ...dependent];
}

function below(node: Node, part: string): readonly unknown[] {
  const properties = node["properties"];
  const prefix: readonly unknown[] = Array.isArray(node["prefixItems"]) ? node["prefixItems"] : [];
  return [
    isObject(properties) && Object.hasOwn(properties, part) ? properties[part] : undefined,
    prefix[Number(part)],
    ...(isObject(node["patternProperties"]) ? Object.values(node["patternProperties"]) : []),
    node["additionalProperties"],
    node["unevaluatedProperties"],
    node["items"],
    node["contains"],
    node["unevaluatedItems"],
  ];
}

function fieldSources(place: ValueLocation, field: string): readonly string[] {
  const properties = isObject(place.failing) ? place.failing["properties"] : undefined;
  let node = isObject(properties) && Object.hasOwn(properties, field) ? properties[field] : undefined;
  const visited = new Set<unknown>();
  while (isObject(node) && !visited.has(node)) {
    visited.add(node);
    const sources = namedBy(node);
    if (sources.length > 0) return sources;
    node = typeof node["$ref"] === "string" ? place.resolve(node["$ref"]) : undefined;
  }
  return [];
}

function namedBy(node: Node): readonly string[] {
  const sources = node["x-source"];
  return Array.isArray(sources) ? sources.filter((each): each is string => typeof each === "string") : [];
}
