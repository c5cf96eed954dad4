import { type Effect, type Owner, type ResourceReference, type Resource, type Schema } from "../../model/index.js";
import type { SpecNode } from "../read/spec-node.js";
import { readCondition, readExpression } from "./conditions.js";
import { definedFields, readStrings } from "./plain-data.js";
import type { ReadContext } from "./read-context.js";
import { readSources } from "./sources.js";
import { readValueSource } from "./value-rules.js";

/** Reads `x-resource` of a schema. */
export function readResource(
  name: string,
  schema: SpecNode,
  { read, operationName }: ReadContext,
): Resource | undefined {
  const place = schema.get("x-resource");
  if (place === undefined) return undefined;
  const open = place.child("public");
  const operationAt = (key: "list" | "read" | "delete"): string | undefined => {
    const id = place.text(key);
    return id === undefined ? undefined : operationName(id);
  };
  return definedFields<Resource>({
    name,
    owner: readStrings(place.get("owner")),
    parent: place.text("parent"),
    grants: place.text("grants"),
    public: open && read(open),
    list: operationAt("list"),
    read: operationAt("read"),
    delete: operationAt("delete"),
    modified: place.text("modified"),
    isLog: place.get("log") === undefined ? undefined : true,
    sources: readSources(place),
    origin: place.origin,
  });
}

/** Returns the resources, each with the owners of its parent if it has none of its own. */
export function inheritOwners(resources: readonly Resource[]): readonly Resource[] {
  const byName = new Map(resources.map((each) => [each.name, each] as const));
  const ownerOf = (resource: Resource, below: ReadonlySet<string>): readonly Owner[] => {
    const parent = resource.parent === undefined || below.has(resource.name) ? undefined : byName.get(resource.parent);
    return resource.owner.length > 0 || parent === undefined
      ? resource.owner
      : ownerOf(parent, new Set([...below, resource.name]));
  };
  return resources.map((each) => ({ ...each, owner: ownerOf(each, new Set()) }));
}

/** Reads `x-reference`: the resource that a value refers to. */
export function readReference(
  holder: SpecNode,
  readSchema: (place: SpecNode) => Schema,
): ResourceReference | undefined {
  const place = holder.get("x-reference");
  if (place === undefined) return undefined;
  const where = place.child("where");
  return definedFields<ResourceReference>({
    to: place.text("to") ?? "",
    by: place.text("by"),
    of: readExpression(place, "of"),
    where: where && readSchema(where),
    onConstraintViolation: place.text("onConstraintViolation"),
    onNotFound: place.text("onNotFound"),
    onDelete: place.text("onDelete") as ResourceReference["onDelete"],
  });
}

/** Reads `x-effects`: what an operation does to other resources. */
export function readEffects(operation: SpecNode, readSchema: (place: SpecNode) => Schema): readonly Effect[] {
  return (operation.get("x-effects")?.items() ?? []).map((item) => {
    const where = item.child("where");
    const values = item
      .get("values")
      ?.entries()
      .map(([field, take]) => [field, readValueSource(take.raw)] as const);
    return definedFields<Effect>({
      id: item.text("id") ?? "",
      summary: item.text("summary"),
      when: readCondition(item.get("when"), readSchema),
      does: item.text("does") as Effect["does"],
      to: item.text("to"),
      object: item.text("to")?.startsWith("$") === true ? readExpression(item, "to") : undefined,
      of: readExpression(item, "of"),
      where: where && readSchema(where),
      except: readExpression(item, "except"),
      count: item.number("count") ?? readExpression(item, "count"),
      values: Object.fromEntries(values ?? []),
      verifiedBy: item.text("verifiedBy"),
      sources: readSources(item),
      origin: item.origin,
    });
  });
}
