import { isJsonObject } from "../../model/index.js";
import type { LintNode } from "./lint-node.js";
import { lintSchemaParts, schemasOfHolder, type LintOperation, type SpecIndex } from "./spec-index.js";

/** The schemas of a named or referenced value, and whether undocumented values are possible there. */
export interface FieldMatch {
  readonly schemas: readonly LintNode[];
  /** True if the schemas do not constrain the value, so that anything may be there. */
  readonly open: boolean;
}

/** Resolves a pointer through schemas, compositions, conditions and references. `*` is each item. */
export function resolveFields(schemas: readonly LintNode[], pointer: readonly string[]): FieldMatch {
  let match: FieldMatch = { schemas, open: false };
  for (const token of pointer) {
    const steps = match.schemas.map((each) => resolveToken(each, token));
    match = { schemas: steps.flatMap((each) => each.schemas), open: match.open || steps.some((each) => each.open) };
  }
  return match;
}

/** True if the pointer resolves, as far as the schemas determine it. */
export function hasField(schemas: readonly LintNode[], pointer: readonly string[]): boolean {
  const { schemas: there, open } = resolveFields(schemas, pointer);
  return open || there.length > 0;
}

/** Returns the names of the declared fields. */
export function fieldNamesIn(schemas: readonly LintNode[]): readonly string[] {
  const names = new Set<string>();
  for (const hop of allParts(schemas)) for (const [name] of hop.child("properties")?.entries() ?? []) names.add(name);
  return [...names];
}

function resolveToken(schema: LintNode, token: string): FieldMatch {
  const schemas: LintNode[] = [];
  let open = false;
  let describes = false;
  for (const part of allParts([schema])) {
    const items = part.child("items");
    const others = part.child("additionalProperties");
    const property = part.child("properties")?.child(token);
    const patterns = part.child("patternProperties")?.entries() ?? [];
    if (property) schemas.push(property);
    if (token === "*")
      schemas.push(
        ...(part
          .child("properties")
          ?.entries()
          .map(([, spot]) => spot) ?? []),
      ); // each field of a map
    for (const [pattern, child] of patterns) if (new RegExp(pattern, "u").test(token)) schemas.push(child);
    if (others && isJsonObject(others.value)) schemas.push(others);
    if (others?.value === true) open = true;
    if (/^(\*|\d+|-)$/.test(token)) {
      if (items && isJsonObject(items.value)) schemas.push(items);
      schemas.push(...(part.child("prefixItems")?.items() ?? []));
    }
    describes ||=
      part.has("properties") ||
      part.has("items") ||
      part.has("prefixItems") ||
      part.has("patternProperties") ||
      others !== undefined;
    describes ||= part.has("maxProperties") || (part.has("type") && !mayHoldFields(part.object["type"]));
  }
  return { schemas, open: open || !describes };
}

function mayHoldFields(type: unknown): boolean {
  const types = Array.isArray(type) ? type : [type];
  return types.includes("object") || types.includes("array");
}

/** Returns the schemas with all others that apply to the same value. */
function allParts(schemas: readonly LintNode[]): readonly LintNode[] {
  const parts = new Map<string, LintNode>();
  const visit = (raw: LintNode): void => {
    for (const hop of raw.resolutionChain()) {
      if (parts.has(hop.key)) continue;
      parts.set(hop.key, hop);
      for (const part of lintSchemaParts(hop)) visit(part);
    }
  };
  for (const schema of schemas) visit(schema);
  return [...parts.values()];
}

export function bodySchemas(operation: LintOperation): readonly LintNode[] {
  return operation.body ? schemasOfHolder(operation.body) : [];
}

export function successSchemas(operation: LintOperation): readonly LintNode[] {
  return operation.responses
    .filter(({ status }) => status.startsWith("2"))
    .flatMap(({ spot }) => schemasOfHolder(spot));
}

/** Returns the names of the headers that successful responses document. */
export function successHeaders(operation: LintOperation): readonly string[] {
  return operation.responses
    .filter(({ status }) => status.startsWith("2"))
    .flatMap(({ spot }) => spot.get("headers")?.entries() ?? [])
    .map(([name]) => name);
}

/** Returns the possible schemas of `$target`: an object in the path, the created object, or the response. */
export function targetSchemas(index: SpecIndex, operation: LintOperation): readonly LintNode[] {
  const schemas = targets.get(operation) ?? findTargets(index, operation);
  targets.set(operation, schemas);
  return schemas;
}

/** Memoized by operation, since every expression and condition needs it. */
const targets = new WeakMap<LintOperation, readonly LintNode[]>();

function findTargets(index: SpecIndex, operation: LintOperation): readonly LintNode[] {
  const referenced = operation.parameters.flatMap(
    (parameter) => referencedResource(index, [parameter, ...schemasOfHolder(parameter)]) ?? [],
  );
  const listed = [...index.resources].flatMap(([, resource]) => {
    const { list, read, delete: remove } = resource.read("x-resource")?.object ?? {};
    const names = [list, read, remove].filter((each) => typeof each === "string");
    const here = names.some((each) => each === operation.name || isWithin(operation.path, index.operation(each)?.path));
    return here || hasTransitionBy(resource, operation) ? [resource] : [];
  });
  return [...referenced, ...listed, ...successSchemas(operation)];
}

/** True if the path equals the other one or is below it. */
function isWithin(path: string | undefined, outer: string | undefined): boolean {
  return path !== undefined && outer !== undefined && `${path}/`.startsWith(`${outer}/`);
}

function hasTransitionBy(resource: LintNode, { name }: LintOperation): boolean {
  const stateMachine = resource.read("x-state-machine");
  const stateMachines = Array.isArray(stateMachine?.value) ? stateMachine.items() : stateMachine ? [stateMachine] : [];
  return (
    name !== undefined &&
    stateMachines.some((each) =>
      ["initial", "transitions"].some((key) =>
        each
          .child(key)
          ?.items()
          .some((move) => move.text("event") === name),
      ),
    )
  );
}

/** Returns the schema of the resource that `x-reference` refers to. */
export function referencedResource(index: SpecIndex, schemas: readonly LintNode[]): LintNode | undefined {
  for (const part of allParts(schemas)) {
    const to = part.child("x-reference")?.text("to");
    const resource = to === undefined ? undefined : index.schemas.get(to);
    if (resource) return resource;
  }
  return undefined;
}

/** Finds a parameter by its name and location. Names of headers are case-insensitive. */
export function findParameter(operation: LintOperation, place: string, name: string): LintNode | undefined {
  const same = (other: string | undefined): boolean =>
    other === name || (place === "header" && other?.toLowerCase() === name.toLowerCase());
  return operation.parameters.find((each) => each.text("in") === place && same(each.text("name")));
}
