import type { Case } from "@plumbline/conformance-runtime";
import type { Operation, ScopeGrammar } from "../model/api.js";
import { acceptedPlan, refusedPlan, withScopes } from "./callers.js";
import { ceilingCases, ceilingField } from "./ceilings.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { credentialCases } from "./credentials.js";
import { grantCases } from "./grants.js";
import type { Plan } from "./plans.js";
import { describedOnly, refusedWith } from "./refused.js";
import { schemeRequirements } from "./schemes.js";
import { headersExpected, highestOf, implies, wantedOf } from "./scope-grammar.js";
import { securityCases } from "./security.js";

/** Cases of authorization: tokens, scopes and grants. */
export function scopeCases(context: Context): readonly Case[] {
  const { scopes } = context.api;
  return describedOnly(context, [
    ...securityCases(context),
    ...credentialCases(context),
    ...(scopes === undefined ? [] : context.api.operations.flatMap((each) => operationCases(context, each, scopes))),
    ...ceilingCases(context),
    ...grantCases(context),
  ]);
}

function operationCases(context: Context, operation: Operation, grammar: ScopeGrammar): readonly Case[] {
  const wanted = wantedOf(operation, grammar);
  if (wanted === undefined) return [];
  if (wanted.length === 0) return anyTokenCases(context, operation, grammar);
  return [
    ...wanted.flatMap((scope) => lackingCases(context, operation, { grammar, scope, wanted })),
    ...exactCases(context, operation, { grammar, wanted }),
  ];
}

interface Lacking {
  readonly grammar: ScopeGrammar;
  readonly scope: string;
  readonly wanted: readonly string[];
}

function lackingCases(context: Context, operation: Operation, { grammar, scope, wanted }: Lacking): readonly Case[] {
  const [area = "", level = ""] = scope.split(":");
  const highest = highestOf(grammar);
  const others = grammar.areas.filter((each) => each !== area).map((each) => `${each}:${highest}`);
  const lower = Object.keys(grammar.levels).filter((each) => !implies(grammar, each, level));
  const also = wanted.filter((each) => each.startsWith(`${area}:`) && each !== scope);
  const { expect, requirements } = refusedWith(context, operation, { id: grammar.errors.scope, usual: [401, 403] });
  const plan = refusedPlan(context, operation);
  const rejected = (about: string, title: string, scopes: readonly string[]): Case =>
    caseOf(context, {
      operation,
      kind: "scopes",
      about: ["scopes", about],
      title: `${operation.name} rejects a token ${title}`,
      requirements,
      around: requirementsOf(operation.sources),
      steps: [...plan.before, { ...plan.call, by: { scopes: scopes.join(grammar.separator) }, expect }],
    });
  return [
    rejected(`without-${area}`, `with every scope but those of ${area}`, others),
    ...(also.length > 0 ? [] : lower).map((each) =>
      rejected(`${area}-${each}`, `with ${area}:${each}, where ${scope} is required`, [...others, `${area}:${each}`]),
    ),
  ];
}

interface Wanting {
  readonly grammar: ScopeGrammar;
  readonly wanted: readonly string[];
}

/** Exactly the required scopes are enough, and so are scopes that include them. */
function exactCases(context: Context, operation: Operation, { grammar, wanted }: Wanting): readonly Case[] {
  const plan = acceptedPlan(context, operation);
  const implying = Object.keys(grammar.levels).filter((level) =>
    wanted.every((scope) => implies(grammar, level, scope.split(":")[1] ?? "")),
  );
  const isRead = operation.method === "GET";
  // A caller cannot create a token with more scopes than its own.
  const ceiling = ceilingField(context, operation);
  const accepted = (about: string, title: string, held: string): readonly Case[] => {
    const allowed = withScopes(ceiling === undefined ? plan : asking(plan, { [ceiling.name]: held }), held);
    if (allowed === undefined) return [];
    return [
      caseOf(context, {
        operation,
        kind: "scopes",
        about: ["scopes", about],
        title: `${operation.name} is allowed to a token ${title}`,
        requirements: [...schemeRequirements(context, "scopes"), ...requirementsOf(grammar.sources)],
        around: requirementsOf(operation.sources),
        needs: plan.needs,
        alone: plan.alone,
        steps: [
          ...allowed.before,
          { ...allowed.call, ...headersExpected(context, { held, wanted: wanted.join(grammar.separator) }) },
        ],
      }),
    ];
  };
  const higher = implying.filter((level) => !wanted.every((scope) => scope.endsWith(`:${level}`)));
  return [
    ...accepted("exact", `with ${wanted.join(" and ")} alone`, wanted.join(grammar.separator)),
    ...(isRead ? higher : []).flatMap((level) => {
      const held = wanted.map((scope) => `${scope.split(":")[0]}:${level}`).join(grammar.separator);
      return accepted(`implied-by-${level}`, `with ${held}, which includes the required level`, held);
    }),
    ...(isRead && plan.before.length === 0 ? accepted("all", "with all scopes", grammar.all) : []),
  ];
}

function asking(plan: Plan, added: Readonly<Record<string, string>>): Plan {
  return { ...plan, call: { ...plan.call, body: { $merge: [plan.call.body ?? {}, added] } } };
}

/** A token with any scopes is enough. */
function anyTokenCases(context: Context, operation: Operation, grammar: ScopeGrammar): readonly Case[] {
  const plan = acceptedPlan(context, operation);
  const [level = ""] = Object.keys(grammar.levels);
  return grammar.areas.slice(0, 2).flatMap((area) => {
    const held = `${area}:${level}`;
    const allowed = withScopes(plan, held);
    if (allowed === undefined) return [];
    return [
      caseOf(context, {
        operation,
        kind: "scopes",
        about: ["scopes", `any-token-${area}`],
        title: `${operation.name} is allowed to a token with ${held} alone`,
        requirements: [],
        around: requirementsOf(operation.sources),
        needs: plan.needs,
        steps: [...allowed.before, { ...allowed.call, ...headersExpected(context, { held, wanted: grammar.all }) }],
      }),
    ];
  });
}
