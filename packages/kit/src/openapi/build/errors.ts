import type { SpecNode } from "../read/spec-node.js";
import { type ErrorDefinition, type Schema, pickDefined } from "../../model/index.js";
import { readCondition } from "./conditions.js";
import { readStrings } from "./plain-data.js";
import { readSources } from "./sources.js";

/** Reads the errors under `x-errors` of a node. Entries without an id are skipped; the linter reports them. */
export function readErrors(place: SpecNode, readSchema: (place: SpecNode) => Schema): readonly ErrorDefinition[] {
  const named = (place.get("x-errors")?.items() ?? []).filter((item) => (item.text("id") ?? "") !== "");
  return named.map((item) => ({
    id: item.text("id") ?? "",
    status: item.number("status") ?? 400,
    ...(item.has("field") ? { field: item.text("field") ?? null } : {}),
    ...pickDefined("summary", item.text("summary")),
    ...pickDefined("when", readCondition(item.get("when"), readSchema)),
    reasonContains: readStrings(item.get("reasonContains")),
    retry: item.isTrue("retry"),
    ...pickDefined("verifiedBy", item.text("verifiedBy")),
    sources: readSources(item),
    origin: item.origin,
  }));
}
