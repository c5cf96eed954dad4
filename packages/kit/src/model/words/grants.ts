import type { Expression, Grant, SecurityRequirement } from "../api.js";
import { conditionClause } from "./conditions.js";
import { describeExpression, type ExpressionContext } from "./expressions.js";
import { nameInWords } from "./names.js";
import { codePhrase, joinPhrases, listPhrases, phrase, type Phrase } from "./phrase.js";

/** Says what a user needs, without the condition: `read_only on the image`, `the grant add_images` or `to be unrestricted`. */
export function describeGrant(grant: Grant, context: ExpressionContext = {}): Phrase {
  switch (grant.kind) {
    case "global":
      return phrase`the grant ${codePhrase(grant.global)}`;
    case "unrestricted":
      return phrase`to be unrestricted`;
    case "entity":
      return phrase`${codePhrase(grant.level)} on ${describeEntity(grant.on, context)}`;
  }
}

/** Names what a field of the body refers to: `the instance of compute_id`. */
function describeEntity(on: Expression, context: ExpressionContext): Phrase {
  const isMany = on.pointer.at(-1) === "*";
  const path = isMany ? on.pointer.slice(0, -1) : on.pointer;
  const resource = on.root === "request" && on.part === "body" ? context.resourceIn?.(path) : undefined;
  if (resource === undefined) return describeExpression(on, context);
  return phrase`${isMany ? "each" : "the"} ${nameInWords(resource)} of ${codePhrase(path.join("."))}`;
}

/**
 * Says what users need in sentences without a full stop: `a restricted user needs read_only on the image`. A grant with a condition has a
 * sentence of its own.
 */
export function describeGrants(grants: readonly Grant[], context: ExpressionContext = {}): readonly Phrase[] {
  const always = grants.filter(({ kind, when }) => kind !== "unrestricted" && when === undefined);
  const listed = always.map((grant) => describeGrant(grant, context));
  return [
    ...(listed.length === 0 ? [] : [phrase`a restricted user needs ${listPhrases(listed, "and")}`]),
    ...grants
      .filter((grant) => !always.includes(grant))
      .map(
        (grant) =>
          phrase`${grant.kind === "unrestricted" ? "the user" : "a restricted user"} needs ${describeGrant(grant, context)}${conditionClause(grant.when, context)}`,
      ),
  ];
}

/** Says which scopes a token needs, without a full stop: `needs a and b, or c`. Undefined for a public operation. */
export function describeScopes(security: readonly SecurityRequirement[]): Phrase | undefined {
  if (security.every((requirement) => requirement.length === 0)) return undefined;
  const alternatives = security.map((requirement) => {
    const scopes = [...new Set(requirement.flatMap((each) => each.scopes))];
    if (requirement.length === 0) return phrase`no credentials`;
    return scopes.length === 0 ? phrase`any token` : listPhrases(scopes.map(codePhrase), "and");
  });
  return phrase`needs ${joinPhrases(alternatives, ", or ")}`;
}
