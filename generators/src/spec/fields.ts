import { isRecord, type Spot } from "./spot.js";
import { partsOf, schemasOf, type Operation, type Survey } from "./survey.js";

/** The schemas of a named or referenced value, and whether undocumented values are possible there. */
export interface Found {
  readonly schemas: readonly Spot[];
  /** True if the schemas do not constrain the value, so that anything may be there. */
  readonly open: boolean;
}

/** Resolves a pointer through schemas, compositions, conditions and references. `*` is each item. */
export function descend(schemas: readonly Spot[], pointer: readonly string[]): Found {
  let found: Found = { schemas, open: false };
  for (const token of pointer) {
    const steps = found.schemas.map((each) => step(each, token));
    found = { schemas: steps.flatMap((each) => each.schemas), open: found.open || steps.some((each) => each.open) };
  }
  return found;
}

/** True if the pointer resolves, as far as the schemas determine it. */
export function leads(schemas: readonly Spot[], pointer: readonly string[]): boolean {
  const { schemas: there, open } = descend(schemas, pointer);
  return open || there.length > 0;
}

/** Returns the names of the declared fields. */
export function fieldNamesOf(schemas: readonly Spot[]): readonly string[] {
  const names = new Set<string>();
  for (const hop of everyPart(schemas)) for (const [name] of hop.child("properties")?.entries() ?? []) names.add(name);
  return [...names];
}

function step(schema: Spot, token: string): Found {
  const schemas: Spot[] = [];
  let open = false;
  let describes = false;
  for (const part of everyPart([schema])) {
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
    if (others && isRecord(others.value)) schemas.push(others);
    if (others?.value === true) open = true;
    if (/^(\*|\d+|-)$/.test(token)) {
      if (items && isRecord(items.value)) schemas.push(items);
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
function everyPart(schemas: readonly Spot[]): readonly Spot[] {
  const seen = new Map<string, Spot>();
  const visit = (raw: Spot): void => {
    for (const hop of raw.hops()) {
      if (seen.has(hop.key)) continue;
      seen.set(hop.key, hop);
      for (const part of partsOf(hop)) visit(part);
    }
  };
  for (const schema of schemas) visit(schema);
  return [...seen.values()];
}

export function bodyOf(operation: Operation): readonly Spot[] {
  return operation.body ? schemasOf(operation.body) : [];
}

export function successOf(operation: Operation): readonly Spot[] {
  return operation.replies.filter(({ status }) => status.startsWith("2")).flatMap(({ spot }) => schemasOf(spot));
}

/** Returns the possible schemas of `$target`: an object in the path, the created object, or the response. */
export function targetsOf(survey: Survey, operation: Operation): readonly Spot[] {
  const found = targets.get(operation) ?? findTargets(survey, operation);
  targets.set(operation, found);
  return found;
}

/** Memoized by operation, since every expression and condition needs it. */
const targets = new WeakMap<Operation, readonly Spot[]>();

function findTargets(survey: Survey, operation: Operation): readonly Spot[] {
  const named = operation.parameters.flatMap(
    (parameter) => resourceOf(survey, [parameter, ...schemasOf(parameter)]) ?? [],
  );
  const listed = [...survey.resources].flatMap(([, resource]) => {
    const { list, read, delete: remove } = resource.read("x-resource")?.object ?? {};
    const names = [list, read, remove].filter((each) => typeof each === "string");
    const here = names.some(
      (each) => each === operation.name || isWithin(operation.path, survey.operation(each)?.path),
    );
    return here || isMovedBy(resource, operation) ? [resource] : [];
  });
  return [...named, ...listed, ...successOf(operation)];
}

/** True if the path equals the other one or is below it. */
function isWithin(path: string | undefined, outer: string | undefined): boolean {
  return path !== undefined && outer !== undefined && `${path}/`.startsWith(`${outer}/`);
}

function isMovedBy(resource: Spot, { name }: Operation): boolean {
  const machine = resource.read("x-state-machine");
  const machines = Array.isArray(machine?.value) ? machine.items() : machine ? [machine] : [];
  return (
    name !== undefined &&
    machines.some((each) =>
      ["initial", "transitions"].some((key) =>
        each
          .child(key)
          ?.items()
          .some((move) => move.text("by") === name),
      ),
    )
  );
}

/** Returns the schema of the resource that `x-reference` refers to. */
export function resourceOf(survey: Survey, schemas: readonly Spot[]): Spot | undefined {
  for (const part of everyPart(schemas)) {
    const to = part.child("x-reference")?.text("to");
    const resource = to === undefined ? undefined : survey.schemas.get(to);
    if (resource) return resource;
  }
  return undefined;
}

/** Finds a parameter by its name and location. Names of headers are case-insensitive. */
export function parameterOf(operation: Operation, place: string, name: string): Spot | undefined {
  const same = (other: string | undefined): boolean =>
    other === name || (place === "header" && other?.toLowerCase() === name.toLowerCase());
  return operation.parameters.find((each) => each.text("in") === place && same(each.text("name")));
}
