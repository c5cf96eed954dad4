import type { Case } from "@plumbline/conformance-runtime";
import type { Operation, ScopeGrammar } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { schemeRequirements } from "../../context/security-schemes.js";
import { acceptedPlan, rejectedPlan, callWithScopes, type ScopeFit } from "../../requests/callers.js";
import { documentedCases } from "../../requests/documented-statuses.js";
import { expectRejection } from "../../requests/expect-error.js";
import type { RequestPlan } from "../../requests/request-plan.js";
import { authenticationCases } from "./authentication.js";
import { credentialCases } from "./credentials.js";
import { grantCases } from "./grants.js";
import { plainScopeCases } from "./plain-scopes.js";
import { scopeCeilingCases, scopeCeilingField } from "./scope-ceilings.js";
import { expectedScopeHeaders, highestLevel, levelImplies, requiredScopesOf } from "./scope-grammar.js";

/** Cases of authorization: tokens, scopes and grants. */
export function scopeCases(context: ConformanceContext): readonly Case[] {
  const { scopeGrammar } = context.api;
  return documentedCases(context, [
    ...authenticationCases(context),
    ...credentialCases(context),
    ...(scopeGrammar === undefined
      ? plainScopeCases(context)
      : context.api.operations.flatMap((each) => operationCases(context, each, scopeGrammar))),
    ...scopeCeilingCases(context),
    ...grantCases(context),
  ]);
}

function operationCases(context: ConformanceContext, operation: Operation, grammar: ScopeGrammar): readonly Case[] {
  const required = requiredScopesOf(operation, grammar);
  if (required === undefined) return [];
  if (required.length === 0) return anyTokenCases(context, operation, grammar);
  return [
    ...required.flatMap((scope) => missingScopeCases(context, operation, { grammar, scope, required })),
    ...exactCases(context, operation, { grammar, required }),
  ];
}

interface MissingScope {
  readonly grammar: ScopeGrammar;
  readonly scope: string;
  readonly required: readonly string[];
}

function missingScopeCases(
  context: ConformanceContext,
  operation: Operation,
  { grammar, scope, required }: MissingScope,
): readonly Case[] {
  const [tag = "", level = ""] = scope.split(":");
  const highest = highestLevel(grammar);
  const others = grammar.areas.filter((each) => each !== tag).map((each) => `${each}:${highest}`);
  const lower = Object.keys(grammar.levels).filter((each) => !levelImplies(grammar, each, level));
  const also = required.filter((each) => each.startsWith(`${tag}:`) && each !== scope);
  const { expect, requirements } = expectRejection(context, operation, {
    id: grammar.errors.scope,
    defaultStatuses: [401, 403],
  });
  const plan = rejectedPlan(context, operation);
  const sufficient = Object.keys(grammar.levels).filter((each) => levelImplies(grammar, each, level));
  const lacking = [grammar.all, ...sufficient.map((each) => `${tag}:${each}`)];
  const rejected = (about: string, title: string, scopes: readonly string[]): Case =>
    createCase(context, {
      operation,
      kind: "scopes",
      idParts: ["scopes", about],
      title: `${operation.name} rejects a token ${title}`,
      requirements,
      contextRequirements: requirementIds(operation.sources),
      steps: [...plan.setupSteps, { ...plan.call, by: { scopes: scopes.join(grammar.separator), lacking }, expect }],
    });
  return [
    rejected(`without-${tag}`, `with every scope but those of ${tag}`, others),
    ...(also.length > 0 ? [] : lower).map((each) =>
      rejected(`${tag}-${each}`, `with ${tag}:${each}, where ${scope} is required`, [...others, `${tag}:${each}`]),
    ),
  ];
}

interface RequiredScopes {
  readonly grammar: ScopeGrammar;
  readonly required: readonly string[];
}

/** Exactly the required scopes are enough, and so are scopes that include them. */
function exactCases(
  context: ConformanceContext,
  operation: Operation,
  { grammar, required }: RequiredScopes,
): readonly Case[] {
  const plan = acceptedPlan(context, operation);
  const implying = Object.keys(grammar.levels).filter((level) =>
    required.every((scope) => levelImplies(grammar, level, scope.split(":")[1] ?? "")),
  );
  const isRead = operation.method === "GET";
  // A caller cannot create a token with more scopes than its own.
  const ceiling = scopeCeilingField(context, operation);
  // A token of a profile may have other scopes, but none by which it would be accepted anyway.
  const fitOf = (scopes: string): ScopeFit => {
    const holding = scopes.split(grammar.separator);
    return { holding, lacking: [grammar.all, ...required].filter((each) => !holding.includes(each)) };
  };
  const accepted = (about: string, title: string, scopes: string): readonly Case[] => {
    const allowed = callWithScopes(
      ceiling === undefined ? plan : planWithScopes(plan, { [ceiling.name]: scopes }),
      scopes,
      fitOf(scopes),
    );
    if (allowed === undefined) return [];
    return [
      createCase(context, {
        operation,
        kind: "scopes",
        idParts: ["scopes", about],
        title: `${operation.name} is allowed to a token ${title}`,
        requirements: [...schemeRequirements(context, "scopes"), ...requirementIds(grammar.sources)],
        contextRequirements: requirementIds(operation.sources),
        requires: plan.requires,
        exclusive: plan.exclusive,
        steps: [
          ...allowed.setupSteps,
          { ...allowed.call, ...expectedScopeHeaders(context, { scopes, accepted: required.join(grammar.separator) }) },
        ],
      }),
    ];
  };
  const higher = implying.filter((level) => !required.every((scope) => scope.endsWith(`:${level}`)));
  return [
    ...accepted("exact", `with ${required.join(" and ")} alone`, required.join(grammar.separator)),
    ...(isRead ? higher : []).flatMap((level) => {
      const scopes = required.map((scope) => `${scope.split(":")[0]}:${level}`).join(grammar.separator);
      return accepted(`implied-by-${level}`, `with ${scopes}, which includes the required level`, scopes);
    }),
    ...(isRead && plan.setupSteps.length === 0 ? accepted("all", "with all scopes", grammar.all) : []),
  ];
}

function planWithScopes(plan: RequestPlan, added: Readonly<Record<string, string>>): RequestPlan {
  return { ...plan, call: { ...plan.call, body: { $merge: [plan.call.body ?? {}, added] } } };
}

/** A token with any scopes is enough. */
function anyTokenCases(context: ConformanceContext, operation: Operation, grammar: ScopeGrammar): readonly Case[] {
  const plan = acceptedPlan(context, operation);
  const [level = ""] = Object.keys(grammar.levels);
  return grammar.areas.slice(0, 2).flatMap((tag) => {
    const scopes = `${tag}:${level}`;
    const allowed = callWithScopes(plan, scopes);
    if (allowed === undefined) return [];
    return [
      createCase(context, {
        operation,
        kind: "scopes",
        idParts: ["scopes", `any-token-${tag}`],
        title: `${operation.name} is allowed to a token with ${scopes} alone`,
        requirements: [],
        contextRequirements: requirementIds(operation.sources),
        requires: plan.requires,
        steps: [
          ...allowed.setupSteps,
          { ...allowed.call, ...expectedScopeHeaders(context, { scopes, accepted: grammar.all }) },
        ],
      }),
    ];
  });
}
