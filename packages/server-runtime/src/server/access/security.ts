import type { SecurityRequirement } from "../../http/index.js";

/** The syntax of scopes, and what they imply. */
export interface ScopeGrammar {
  readonly scheme: string;
  readonly areas: readonly string[];
  /** Each level with the levels that it implies. */
  readonly levels: Readonly<Record<string, readonly string[]>>;
  /** The scope that implies all others. */
  readonly all: string;
  readonly separator: string;
  /** The ids of the errors for a missing token, an invalid one, and one without a required scope. */
  readonly errors: { readonly missing: string; readonly invalid: string; readonly scope: string };
}

/** The security requirements of an operation. */
export interface SecurityPolicy {
  readonly requirements: readonly SecurityRequirement[];
  /** The schemes that the server checks, also if the operation requires none: a sent credential has to be valid. */
  readonly schemes: readonly string[];
  readonly requiredScopes: readonly string[];
}

/** Compiles the security requirements of an operation. Without requirements, no credential is needed. */
export function securityPolicyOf(
  requirements: readonly SecurityRequirement[],
  grammar: ScopeGrammar | undefined,
): SecurityPolicy {
  const requiredSchemes = requirements.flatMap((each) => each.map(({ scheme }) => scheme));
  const schemes = [...new Set(grammar === undefined ? requiredSchemes : [grammar.scheme, ...requiredSchemes])];
  const requiredScopes = (requirements.find((each) => each.length > 0) ?? []).flatMap(({ scopes }) => scopes);
  return { requirements, schemes, requiredScopes };
}
