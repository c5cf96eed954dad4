import {
  type CollectedLimit,
  describeLimit as limitPhrase,
  expressionContext,
  type LimitKind,
  type Operation,
  toSentence,
} from "@plumbline/kit/model";
import { phraseHtml, type Html } from "../render/html.js";
import type { PageContext } from "../site-context.js";
import { anchorOf } from "../site-links.js";
import { describeSources, type SourcesView } from "./sources.js";

/** A limit in words. */
export interface LimitView {
  readonly id: string;
  readonly anchor: string;
  readonly href: string;
  readonly kind: string;
  readonly text: Html;
  readonly error: { readonly id: string; readonly href: string } | undefined;
  readonly sources: SourcesView | undefined;
}

/** Describes a limit, of an operation if there is one: what counts, how often, and per what. */
export function describeLimit(context: PageContext, collected: CollectedLimit, operation?: Operation): LimitView {
  const { limit } = collected;
  const words = limitPhrase(collected, operation && expressionContext(context.api, operation));
  return {
    id: limit.id,
    anchor: anchorOf(limit.id),
    href: context.links.limit(limit.id),
    kind: kindNames[limit.kind],
    text: phraseHtml(toSentence(words)),
    error: limit.error === undefined ? undefined : { id: limit.error, href: context.links.error(limit.error) },
    sources: describeSources(context, [limit]),
  };
}

const kindNames = {
  rate: "Rate",
  "outcome-rate": "Rate of outcomes",
  concurrency: "At once",
  unique: "Unique",
  "combined-length": "Length of all items",
  "serialized-length": "Length as JSON",
  bytes: "Bytes",
  retention: "Retention",
} as const satisfies Readonly<Record<LimitKind, string>>;
