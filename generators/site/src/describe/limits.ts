import type { CollectedLimit, Expression, Limit, LimitKind } from "@plumbline/model";
import { uniqueKeyFields } from "@plumbline/model";
import { html, joinHtml, type Html } from "../render/html.js";
import { describeExpression } from "./conditions.js";
import { countOf, durationInWords } from "../render/sentences.js";
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

/** Describes a limit: what counts, how often, and per what. */
export function describeLimit(context: PageContext, collected: CollectedLimit): LimitView {
  const { limit } = collected;
  return {
    id: limit.id,
    anchor: anchorOf(limit.id),
    href: context.links.limit(limit.id),
    kind: kindNames[limit.kind],
    text: html`${sentences[limit.kind](collected)}${perOf(limit)}.`,
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

const sentences = {
  rate: ({ limit }) => html`At most ${countOf(limit.max ?? 0, "request")}${windowOf(limit)}`,
  "outcome-rate": ({ limit }) => {
    const counted = [...(limit.counts?.errors ?? []), ...(limit.counts?.effects ?? [])].map(codeOf);
    const kinds = counted.length === 0 ? "" : html` of ${joinHtml(counted, " and ")}`;
    return html`At most ${countOf(limit.max ?? 0, "outcome")}${kinds}${windowOf(limit)}`;
  },
  concurrency: ({ limit }) => html`At most ${limit.max} at once`,
  unique: (collected) => {
    const fields = joinHtml(uniqueKeyFields(collected).map(codeOf), " and ");
    return html`${fields} unique within the ${collected.limit.within ?? "account"}`;
  },
  "combined-length": ({ limit }) => html`At most ${countOf(limit.max ?? 0, "character")} in all items together`,
  "serialized-length": ({ limit }) => html`At most ${countOf(limit.max ?? 0, "character")} as JSON`,
  bytes: ({ limit }) => html`At most ${countOf(limit.max ?? 0, "byte")}`,
  retention: ({ limit }) =>
    limit.max === undefined
      ? html`Kept for ${durationInWords(limit.window?.seconds ?? 0)}`
      : html`The latest ${limit.max} are kept${limit.within === undefined ? "" : ` in each ${limit.within}`}`,
} as const satisfies Readonly<Record<LimitKind, (collected: CollectedLimit) => Html>>;

function windowOf({ window }: Limit): string {
  return window === undefined ? "" : ` in ${durationInWords(window.seconds)}`;
}

function perOf({ per }: Limit): Html {
  return per === undefined ? html`` : html` per ${subjectOf(per)}`;
}

function subjectOf(per: Expression): Html {
  if (per.root === "caller") return html`${per.name ?? "caller"}`;
  return per.root === "target" ? html`object` : describeExpression(per);
}

function codeOf(text: string): Html {
  return html`<code>${text}</code>`;
}
