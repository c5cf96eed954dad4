import { type Deprecation, pickDefined } from "../../model/index.js";
import { readInstant } from "../read/instant.js";
import type { SpecNode } from "../read/spec-node.js";
import type { ReadContext } from "./read-context.js";
import { readSources } from "./sources.js";

/** Reads `x-deprecation` of a deprecated operation, and `x-sunset`, by which oasdiff knows the end. */
export function readDeprecation(
  operation: SpecNode,
  { operationName }: Pick<ReadContext, "operationName">,
): Deprecation | undefined {
  if (!operation.isTrue("deprecated")) return undefined;
  const place = operation.get("x-deprecation");
  const replacement = place?.text("replacement");
  const stated = {
    ...pickDefined("since", readInstant(place?.text("since"))),
    ...pickDefined("sunset", readInstant(place?.text("sunset") ?? operation.text("x-sunset"))),
    ...pickDefined("link", readUrl(place, "link")),
    ...pickDefined("sunsetLink", readUrl(place, "sunsetLink")),
    ...pickDefined("replacement", replacement === undefined ? undefined : operationName(replacement)),
  };
  if (Object.keys(stated).length === 0) return undefined;
  return { ...stated, sources: place === undefined ? [] : readSources(place), origin: (place ?? operation).origin };
}

/** A URL that the header `Link` may contain as it is: visible characters without `<` and `>`. */
function readUrl(place: SpecNode | undefined, key: "link" | "sunsetLink"): string | undefined {
  const text = place?.text(key);
  return text !== undefined && /^https?:\/\/[!-;=?-~]+$/.test(text) ? text : undefined;
}
