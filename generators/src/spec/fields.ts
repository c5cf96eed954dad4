import { isRecord, type Spot } from "./spot.js";
import { partsOf, schemasOf, type Operation, type Survey } from "./survey.js";

/** What a name or a pointer leads to: the schemas of the value, and whether it may hold more than its schema says. */
export interface Found {
  readonly schemas: readonly Spot[];
  /** Nothing is said about such a value, so that anything may be there. */
  readonly open: boolean;
}

/** Follows a pointer through schemas, by way of allOf, oneOf, anyOf, conditions and references; `*` is each item. */
export function descend(schemas: readonly Spot[], pointer: readonly string[]): Found {
  let found: Found = { schemas, open: false };
  for (const token of pointer) {
    const steps = found.schemas.map((each) => step(each, token));
    found = { schemas: steps.flatMap((each) => each.schemas), open: found.open || steps.some((each) => each.open) };
  }
  return found;
}

/** Whether the pointer leads somewhere, as far as the schemas tell. */
export function leads(schemas: readonly Spot[], pointer: readonly string[]): boolean {
  const { schemas: there, open } = descend(schemas, pointer);
  return open || there.length > 0;
}

/** The names of the fields that the schemas describe. */
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

/** The schemas with everything that speaks of the same value. */
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

/** The schemas of what `$target` may be: an object that the path names, the one being made, or the answer. */
export function targetsOf(survey: Survey, operation: Operation): readonly Spot[] {
  const found = targets.get(operation) ?? findTargets(survey, operation);
  targets.set(operation, found);
  return found;
}

/** Every expression and condition asks; an operation is of one survey. */
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

/** Whether the path is the other, or below it. */
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

/** The schema of the resource that a value names by `x-reference`. */
export function resourceOf(survey: Survey, schemas: readonly Spot[]): Spot | undefined {
  for (const part of everyPart(schemas)) {
    const to = part.child("x-reference")?.text("to");
    const resource = to === undefined ? undefined : survey.schemas.get(to);
    if (resource) return resource;
  }
  return undefined;
}

/** The parameter of that name, or undefined. Names of headers are alike in any case. */
export function parameterOf(operation: Operation, place: string, name: string): Spot | undefined {
  const same = (other: string | undefined): boolean =>
    other === name || (place === "header" && other?.toLowerCase() === name.toLowerCase());
  return operation.parameters.find((each) => each.text("in") === place && same(each.text("name")));
}
