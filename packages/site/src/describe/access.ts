import {
  allowsAnonymous,
  describeCondition,
  describeGrant as grantPhrase,
  describeGrantSentence,
  expressionContext,
  type Grant,
  type Operation,
  toSentence,
} from "@plumbline/kit/model";
import { html, joinHtml, phraseHtml, type Html } from "../render/html.js";
import type { PageContext } from "../site-context.js";
import { describeSources, type SourcesView } from "./sources.js";

/** Who may call an operation. */
export interface AccessView {
  readonly isAnonymous: boolean;
  /** The security requirements, one of which a caller has to meet. */
  readonly alternatives: readonly SchemeView[][];
  readonly grants: readonly GrantView[];
}

export interface SchemeView {
  readonly scheme: string;
  readonly scopes: readonly string[];
}

export interface GrantView {
  /** What a user needs, for a table: `read_only` on the image. */
  readonly text: Html;
  readonly condition: Html | undefined;
  /** Who needs it, and when. */
  readonly sentence: Html;
  readonly error: { readonly id: string; readonly href: string } | undefined;
  readonly sources: SourcesView | undefined;
}

/** Describes the credentials, scopes and grants of an operation; undefined for a public operation. */
export function describeAccess(context: PageContext, operation: Operation): AccessView | undefined {
  const alternatives = operation.security.filter((each) => each.length > 0).map((each) => [...each]);
  if (alternatives.length + operation.grants.length === 0) return undefined;
  return {
    isAnonymous: allowsAnonymous(operation),
    alternatives,
    grants: operation.grants.map((each) => describeGrant(context, each, operation)),
  };
}

/** Describes a grant that a caller needs. */
export function describeGrant(context: PageContext, grant: Grant, operation: Operation): GrantView {
  const { when, error } = grant;
  const about = expressionContext(context.api, operation);
  const text = grantPhrase(grant, about);
  const condition = when && describeCondition(when, about);
  return {
    text: phraseHtml(text),
    condition: condition && phraseHtml(condition),
    sentence: phraseHtml(toSentence(describeGrantSentence(grant, about))),
    error: error === undefined ? undefined : { id: error, href: context.links.error(error) },
    sources: describeSources(context, [grant]),
  };
}

/** The scopes of an operation, of all its alternatives. */
export function scopesOf({ security }: Operation): readonly string[] {
  return [...new Set(security.flatMap((requirement) => requirement.flatMap(({ scopes }) => scopes)))];
}

/** Returns the scopes of an operation as code. */
export function scopeCodes(operation: Operation): Html {
  return joinHtml(
    scopesOf(operation).map((scope) => html`<code>${scope}</code>`),
    ", ",
  );
}
