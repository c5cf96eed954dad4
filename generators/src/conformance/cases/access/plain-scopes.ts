import type { Case } from "@plumbline/conformance-runtime";
import { memoize, type Operation } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { permittedCall } from "../../possible-cases.js";
import { acceptedPlan, callWithScopes, rejectedPlan } from "../../requests/callers.js";
import { expectRejection, findSharedError } from "../../requests/expect-error.js";

/** Cases of the scopes that OpenAPI itself has, in `security`: none of them implies another. */
export function plainScopeCases(context: ConformanceContext): readonly Case[] {
  return context.api.operations.flatMap((operation) => {
    const [alternative, ...others] = operation.security;
    const required = alternative?.flatMap(({ scopes }) => scopes) ?? [];
    // With an alternative, a token without a scope may be enough.
    if (required.length === 0 || others.length > 0) return [];
    return [
      ...required.map((scope) => missingScopeCase(context, operation, scope)),
      ...exactCase(context, operation, required),
    ];
  });
}

/** All scopes that operations require, in the order of the description. */
const scopesOf = memoize((api): readonly string[] => [
  ...new Set(api.operations.flatMap(({ security }) => security.flat().flatMap(({ scopes }) => scopes))),
]);

function missingScopeCase(context: ConformanceContext, operation: Operation, scope: string): Case {
  const isDocumented =
    operation.responses.some(({ status }) => status === 403) || findSharedError(context, [403]) !== undefined;
  const { expect, requirements } = isDocumented
    ? expectRejection(context, operation, { defaultStatuses: [403] })
    : { expect: { status: [401, 403] }, requirements: [] };
  const plan = rejectedPlan(context, operation);
  const scopes = scopesOf(context.api).filter((each) => each !== scope);
  return createCase(context, {
    operation,
    kind: "scopes",
    idParts: ["scopes", `without-${scope}`],
    title: `${operation.name} rejects a token with every scope but ${scope}`,
    requirements,
    contextRequirements: requirementIds(operation.sources),
    steps: [...plan.setupSteps, { ...plan.call, by: { scopes: scopes.join(" "), lacking: [scope] }, expect }],
  });
}

/** Exactly the required scopes are enough. */
function exactCase(context: ConformanceContext, operation: Operation, required: readonly string[]): readonly Case[] {
  const plan = acceptedPlan(context, operation);
  const allowed = callWithScopes(plan, required.join(" "), { holding: required });
  if (allowed === undefined) return [];
  return [
    createCase(context, {
      operation,
      kind: "scopes",
      idParts: ["scopes", "exact"],
      title: `${operation.name} is allowed to a token with ${required.join(" and ")} alone`,
      requirements: requirementIds(operation.sources),
      requires: plan.requires,
      exclusive: plan.exclusive,
      steps: [...allowed.setupSteps, permittedCall(context, allowed)],
    }),
  ];
}
