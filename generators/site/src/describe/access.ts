import { allowsAnonymous, type Grant, type Operation } from "@plumbline/model";
import { html, joinHtml, type Html } from "../render/html.js";
import type { PageContext } from "../site-context.js";
import { describeCondition, describeExpression } from "./conditions.js";
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
  readonly text: Html;
  readonly condition: Html | undefined;
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
    grants: operation.grants.map((each) => describeGrant(context, each)),
  };
}

/** Describes a grant that a restricted user needs. */
export function describeGrant(context: PageContext, grant: Grant): GrantView {
  const { when, error } = grant;
  return {
    text: grantText(grant),
    condition: when === undefined ? undefined : describeCondition(when),
    error: error === undefined ? undefined : { id: error, href: context.links.error(error) },
    sources: describeSources(context, [grant]),
  };
}

function grantText(grant: Grant): Html {
  switch (grant.kind) {
    case "global":
      return html`The global grant <code>${grant.global}</code>`;
    case "unrestricted":
      return html`An unrestricted user`;
    case "entity":
      return html`<code>${grant.level}</code> on ${describeExpression(grant.on)}`;
  }
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
