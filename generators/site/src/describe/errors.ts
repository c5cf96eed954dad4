import type { ErrorDefinition } from "@plumbline/model";
import { html, type Html } from "../render/html.js";
import { renderInlineMarkdown } from "../render/markdown.js";
import type { PageContext } from "../site-context.js";
import { anchorOf } from "../site-links.js";
import { describeCondition } from "./conditions.js";
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

/** Describes an error: its status, its field, and when it occurs. */
export function describeError(context: PageContext, error: ErrorDefinition): ErrorView {
  return {
    id: error.id,
    anchor: anchorOf(error.id),
    status: error.status,
    summary: error.summary === undefined ? undefined : renderInlineMarkdown(error.summary),
    field: error.field ?? undefined,
    cause: error.when === undefined ? undefined : html`${describeCondition(error.when)}`,
    reasons: error.reasonContains,
    retry: error.retry,
    sources: describeSources(context, [error]),
  };
}
