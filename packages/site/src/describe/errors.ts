import { describeCondition, type ErrorDefinition, expressionContext, type Operation } from "@plumbline/kit/model";
import { phraseHtml, type Html } from "../render/html.js";
import { renderInlineMarkdown } from "../render/markdown.js";
import type { PageContext } from "../site-context.js";
import { anchorOf } from "../site-links.js";
import { describeSources, type SourcesView } from "./sources.js";

/** A documented error, with its cause. */
export interface ErrorView {
  readonly id: string;
  readonly anchor: string;
  readonly status: number;
  readonly summary: Html | undefined;
  readonly field: string | undefined;
  readonly cause: Html | undefined;
  readonly reasons: readonly string[];
  readonly retry: boolean;
  readonly sources: SourcesView | undefined;
}

/** Describes an error, of an operation if there is one: its status, its field, and when it occurs. */
export function describeError(context: PageContext, error: ErrorDefinition, operation?: Operation): ErrorView {
  const about = operation && expressionContext(context.api, operation);
  return {
    id: error.id,
    anchor: anchorOf(error.id),
    status: error.status,
    summary: error.summary === undefined ? undefined : renderInlineMarkdown(error.summary),
    field: error.field ?? undefined,
    cause: error.when === undefined ? undefined : phraseHtml(describeCondition(error.when, about)),
    reasons: error.reasonContains,
    retry: error.retry,
    sources: describeSources(context, [error]),
  };
}
