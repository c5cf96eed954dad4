import type { Place } from "../spec/place.js";
import type { Effect, Owner, Reference, Resource, Shape } from "./api.js";
import { readCondition, readExpression } from "./conditions.js";
import { given, textsOf } from "./data.js";
import type { Reading } from "./reading.js";
import { readSources } from "./sources.js";
import { readTake } from "./values.js";

/** Reads `x-resource` of a schema. */
export function readResource(name: string, schema: Place, { read, operationName }: Reading): Resource | undefined {
  const place = schema.get("x-resource");
  if (place === undefined) return undefined;
  const open = place.child("public");
  const named = (key: "list" | "read" | "delete"): string | undefined => {
    const id = place.text(key);
    return id === undefined ? undefined : operationName(id);
  };
  return {
    name,
    owner: textsOf(place.get("owner")) as readonly Owner[],
    ...given("parent", place.text("parent")),
    ...given("grants", place.text("grants")),
    ...given("public", open && read(open)),
    ...given("list", named("list")),
    ...given("read", named("read")),
    ...given("delete", named("delete")),
    sources: readSources(place),
    origin: place.origin,
  };
}

/** Returns the resources, each with the owners of its parent if it has none of its own. */
export function inheritOwners(resources: readonly Resource[]): readonly Resource[] {
  const byName = new Map(resources.map((each) => [each.name, each] as const));
  const ownerOf = (resource: Resource, seen: ReadonlySet<string>): readonly Owner[] => {
    const parent = resource.parent === undefined || seen.has(resource.name) ? undefined : byName.get(resource.parent);
    return resource.owner.length > 0 || parent === undefined
      ? resource.owner
      : ownerOf(parent, new Set([...seen, resource.name]));
  };
  return resources.map((each) => ({ ...each, owner: ownerOf(each, new Set()) }));
}

/** Reads `x-reference`: the resource that a value refers to. */
export function readReference(holder: Place, readShape: (place: Place) => Shape): Reference | undefined {
  const place = holder.get("x-reference");
  if (place === undefined) return undefined;
  const where = place.child("where");
  return {
    to: place.text("to") ?? "",
    ...given("by", place.text("by")),
    ...given("of", readExpression(place, "of")),
    ...given("where", where && readShape(where)),
    ...given("unfit", place.text("unfit")),
    ...given("missing", place.text("missing")),
    ...given("deleted", place.text("deleted") as Reference["deleted"]),
  };
}

/** Reads `x-effects`: what an operation does to other resources. */
export function readEffects(operation: Place, readShape: (place: Place) => Shape): readonly Effect[] {
  return (operation.get("x-effects")?.items() ?? []).map((item) => {
    const where = item.child("where");
    const values = item
      .get("values")
      ?.entries()
      .map(([field, take]) => [field, readTake(take.raw)] as const);
    return {
      id: item.text("id") ?? "",
      ...given("summary", item.text("summary")),
      ...given("when", readCondition(item.get("when"), readShape)),
      ...given("does", item.text("does") as Effect["does"]),
      ...given("to", item.text("to")),
      ...given("of", readExpression(item, "of")),
      ...given("where", where && readShape(where)),
      ...given("except", readExpression(item, "except")),
      ...given("count", item.number("count") ?? readExpression(item, "count")),
      values: Object.fromEntries(values ?? []),
      ...given("proof", item.text("proof")),
      sources: readSources(item),
      origin: item.origin,
    };
  });
}
