import type { Place } from "../spec/place.js";
import type { Failure, Shape } from "./api.js";
import { readCondition } from "./conditions.js";
import { given, textsOf } from "./data.js";
import { readSources } from "./sources.js";

/** Reads the errors under `x-errors` of a node. Entries without an id are skipped; the linter reports them. */
export function readFailures(place: Place, readShape: (place: Place) => Shape): readonly Failure[] {
  const named = (place.get("x-errors")?.items() ?? []).filter((item) => (item.text("id") ?? "") !== "");
  return named.map((item) => ({
    id: item.text("id") ?? "",
    status: item.number("status") ?? 400,
    ...(item.has("field") ? { field: item.text("field") ?? null } : {}),
    ...given("summary", item.text("summary")),
    ...given("when", readCondition(item.get("when"), readShape)),
    mentions: textsOf(item.get("mentions")),
    retry: item.flag("retry"),
    ...given("proof", item.text("proof")),
    sources: readSources(item),
    origin: item.origin,
  }));
}
