import type { CallerValues, Expression, Grant, SecurityRequirement } from "../api.js";
import { conditionClause } from "./conditions.js";
import { callerField, describeExpression, type ExpressionContext } from "./expressions.js";
import { nameInWords } from "./names.js";
import { codePhrase, joinPhrases, listPhrases, phrase, type Phrase } from "./phrase.js";

/** Says what a caller needs, without the condition: `read_only on the image`, `the grant add_images` or `the role admin or doctor`. */
export function describeGrant(grant: Grant, context: ExpressionContext = {}): Phrase {
  switch (grant.kind) {
    case "named":
      return phrase`the grant ${codePhrase(grant.name)}`;
    case "caller":
      return joinPhrases(
        Object.entries(withExempt(grant.caller, context)).map(
          ([name, values]) => phrase`${codePhrase(name)} ${valuePhrases(values)}`,
        ),
        " and ",
      );
    case "entity":
      return phrase`${codePhrase(grant.level)} on ${describeEntity(grant.on, context)}`;
  }
}

/** Says in a sentence without a full stop what a caller needs: `the caller's role has to be admin or doctor if tags changes`. */
export function describeGrantSentence(grant: Grant, context: ExpressionContext = {}): Phrase {
  const condition = conditionClause(grant.when, context);
  if (grant.kind === "caller") return phrase`${describeCallers(withExempt(grant.caller, context))}${condition}`;
  return phrase`a caller needs ${describeGrant(grant, context)}${condition}${exemption(context)}`;
}

/** The values that are enough: those of callers that need no grant are, too. */
function withExempt(allowed: CallerValues, { needNoGrants = {} }: ExpressionContext): CallerValues {
  const [[name, exempt] = [], ...others] = Object.entries(needNoGrants);
  const values = name === undefined ? undefined : allowed[name];
  return name === undefined || exempt === undefined || values === undefined || others.length > 0
    ? allowed
    : { ...allowed, [name]: [...new Set([...values, ...exempt])] };
}

function describeCallers(values: CallerValues): Phrase {
  return joinPhrases(
    Object.entries(values).map(([name, each]) => phrase`${callerField([name])} has to be ${valuePhrases(each)}`),
    ", and ",
  );
}

function valuePhrases(values: CallerValues[string]): Phrase {
  return listPhrases(
    values.map((value) => codePhrase(String(value))),
    "or",
  );
}

/** Says which callers need no grant: `, unless its role is admin`. */
function exemption({ needNoGrants }: ExpressionContext): Phrase {
  if (needNoGrants === undefined) return [];
  const exempt = Object.entries(needNoGrants).map(
    ([name, each]) => phrase`its ${codePhrase(name)} is ${valuePhrases(each)}`,
  );
  return phrase`, unless ${joinPhrases(exempt, ", and ")}`;
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
 * Says what callers need in sentences without a full stop: `a caller needs read_only on the image`. A grant with a condition has a
 * sentence of its own, and so has one on the attributes of callers.
 */
export function describeGrants(grants: readonly Grant[], context: ExpressionContext = {}): readonly Phrase[] {
  const always = grants.filter(({ kind, when }) => kind !== "caller" && when === undefined);
  const listed = always.map((grant) => describeGrant(grant, context));
  return [
    ...(listed.length === 0 ? [] : [phrase`a caller needs ${listPhrases(listed, "and")}${exemption(context)}`]),
    ...grants.filter((grant) => !always.includes(grant)).map((grant) => describeGrantSentence(grant, context)),
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
