import { type ErrorDefinition, type Schema } from "../../model/index.js";
import type { SpecNode } from "../read/spec-node.js";
import { readCondition } from "./conditions.js";
import { definedFields, readStrings } from "./plain-data.js";
import { readSources } from "./sources.js";

/** Reads the errors under `x-errors` of a node. Entries without an id are skipped; the linter reports them. */
export function readErrors(place: SpecNode, readSchema: (place: SpecNode) => Schema): readonly ErrorDefinition[] {
  const identified = (place.get("x-errors")?.items() ?? []).filter((item) => (item.text("id") ?? "") !== "");
  return identified.map((item) =>
    definedFields<ErrorDefinition>({
      id: item.text("id") ?? "",
      status: item.number("status") ?? 400,
      field: item.has("field") ? (item.text("field") ?? null) : undefined,
      summary: item.text("summary"),
      when: readCondition(item.get("when"), readSchema),
      reasonContains: readStrings(item.get("reasonContains")),
      retry: item.isTrue("retry"),
      verifiedBy: item.text("verifiedBy"),
      sources: readSources(item),
      origin: item.origin,
    }),
  );
}
