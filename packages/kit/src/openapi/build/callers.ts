import { type CallerValues, type Grant, type Schema, type StatedCallers, pickDefined } from "../../model/index.js";
import type { SpecNode } from "../read/spec-node.js";
import { readCondition, readExpression } from "./conditions.js";
import { readStrings } from "./plain-data.js";
import { readSources } from "./sources.js";

/** Reads `x-callers` of the root. */
export function readCallers(root: SpecNode, readSchema: (place: SpecNode) => Schema): StatedCallers | undefined {
  const place = root.get("x-callers");
  if (place === undefined) return undefined;
  const attributes = place.get("attributes")?.entries() ?? [];
  const owners = place.get("owners");
  return {
    attributes: Object.fromEntries(attributes.map(([name, schema]) => [name, readSchema(schema)] as const)),
    ...pickDefined("owners", owners && readStrings(owners)),
    ...pickDefined("needNoGrants", readCallerValues(place.get("needNoGrants"))),
    ...pickDefined("namedGrants", place.text("namedGrants")),
    sources: readSources(place),
    origin: place.origin,
  };
}

/** Reads `x-grants`: what a caller needs. */
export function readGrants(operation: SpecNode, readSchema: (place: SpecNode) => Schema): readonly Grant[] {
  const items = operation.get("x-grants")?.items() ?? [];
  return items.flatMap((stated): readonly Grant[] => {
    const item = stated.follow();
    if (item === undefined) return [];
    const common = {
      ...pickDefined("when", readCondition(item.get("when"), readSchema)),
      ...pickDefined("error", item.text("error")),
      sources: readSources(item),
      origin: item.origin,
    };
    const name = item.text("grant");
    if (name !== undefined) return [{ kind: "named", name, ...common }];
    const caller = readCallerValues(item.get("caller"));
    if (caller !== undefined) return [{ kind: "caller", caller, ...common }];
    const on = readExpression(item, "on");
    return on === undefined ? [] : [{ kind: "entity", on, level: item.text("level") ?? "", ...common }];
  });
}

function readCallerValues(place: SpecNode | undefined): CallerValues | undefined {
  if (place === undefined) return undefined;
  return Object.fromEntries(
    place.entries().map(([name, { raw }]) => [name, (Array.isArray(raw) ? raw : [raw]).filter(isCallerValue)] as const),
  );
}

function isCallerValue(value: unknown): value is CallerValues[string][number] {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
