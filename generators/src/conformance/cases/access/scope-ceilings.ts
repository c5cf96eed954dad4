import type { Case, Template } from "@plumbline/conformance-runtime";
import {
  type Operation,
  type ScopeGrammar,
  type Schema,
  collectFields,
  findJsonContent,
  memoize,
} from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { findTokenSource } from "../../requests/callers.js";
import { expectRejection } from "../../requests/expect-error.js";
import { planRequest } from "../../requests/request-plan.js";
import { highestLevel, levelImplies, requiredScopesOf, scopesWithin } from "./scope-grammar.js";

/** Cases of scope ceilings: a new token has no more scopes than the caller's, and exactly the requested ones. */
export function scopeCeilingCases(context: ConformanceContext): readonly Case[] {
  const { scopeGrammar } = context.api;
  if (scopeGrammar === undefined) return [];
  return context.api.operations.flatMap((operation) => {
    const field = scopeCeilingField(context, operation);
    return field === undefined ? [] : ceilingsOf(context, operation, { grammar: scopeGrammar, ...field });
  });
}

/** The body field with the scopes of a new token, which may not exceed the caller's. */
export function scopeCeilingField(
  { api }: ConformanceContext,
  { requestBody }: Operation,
): { readonly name: string; readonly schema: Schema } | undefined {
  const content = requestBody && findJsonContent(requestBody.contents);
  const field = content && collectFields(api, content.schema).find((each) => each.schema.scopeCeiling !== undefined);
  const [name] = field?.pointer ?? [];
  if (field === undefined || name === undefined || field.schema.scopeCeiling?.atMost.root !== "caller")
    return undefined;
  return { name, schema: field.schema };
}

interface ScopeCeiling {
  readonly grammar: ScopeGrammar;
  readonly name: string;
  readonly schema: Schema;
}

function ceilingsOf(context: ConformanceContext, operation: Operation, ceiling: ScopeCeiling): readonly Case[] {
  const { grammar, schema } = ceiling;
  const requiredScopes = requiredScopesOf(operation, grammar) ?? [];
  const [tag = ""] = (requiredScopes[0] ?? "").split(":");
  const [first = "", second = ""] = grammar.areas.filter(
    (each) => each !== tag && probeOf(context, each) !== undefined,
  );
  if (first === "" || second === "") return [];
  const highest = highestLevel(grammar);
  const lowest = Object.keys(grammar.levels).find((each) => each !== highest) ?? highest;
  const joined = (...scopes: readonly string[]) => [...requiredScopes, ...scopes].join(grammar.separator);
  const callers: Readonly<Record<string, string>> = {
    everything: grammar.all,
    "its-own-area": joined(),
    [`and-${first}-${highest}`]: joined(`${first}:${highest}`),
    [`and-${first}-${lowest}`]: joined(`${first}:${lowest}`),
    "two-areas": joined(`${first}:${highest}`, `${second}:${lowest}`),
  };
  const unfit = ["nonsense:read_only", `${first}:nonsense`, first, `${first}:${highest};${second}:${highest}`];
  return Object.entries(callers).flatMap(([caller, held]) => {
    const wishes: Readonly<Record<string, string | undefined>> = {
      ...(schema.valueRules?.some(({ absent, set }) => absent && set?.kind === "from") ? { absent: undefined } : {}),
      equal: held,
      own: joined(),
      "own-and-lower": joined(`${first}:${lowest}`),
      lower: `${first}:${lowest}`,
      higher: `${first}:${highest}`,
      other: `${second}:${lowest}`,
      "one-too-many": joined(`${second}:${highest}`),
      everything: grammar.all,
    };
    const cases = Object.entries(wishes).map(([wish, scopes]) =>
      scopes === undefined || scopesWithin(grammar, scopes, held)
        ? grantedCase(context, operation, { ...ceiling, caller, held, requestedScopes: wish, scopes })
        : rejectedCase(context, operation, { ...ceiling, caller, held, requestedScopes: wish, scopes, isUnfit: false }),
    );
    // A value that is not a scope is invalid for every caller.
    const wrong = caller !== "everything" ? [] : unfit;
    return [
      ...cases,
      ...wrong.map((scopes, at) =>
        rejectedCase(context, operation, {
          ...ceiling,
          caller,
          held,
          requestedScopes: `unfit-${at + 1}`,
          scopes,
          isUnfit: true,
        }),
      ),
    ];
  });
}

interface TokenRequest extends ScopeCeiling {
  readonly caller: string;
  readonly held: string;
  readonly requestedScopes: string;
  readonly scopes: string | undefined;
}

function grantedCase(context: ConformanceContext, operation: Operation, wish: TokenRequest): Case {
  const { grammar, name, schema, caller, held, scopes } = wish;
  const plan = planRequest(context, operation, { objects: "shared" });
  const gets = scopes ?? held;
  const source = findTokenSource(context);
  const by = { token: { $get: `made#/body/${source?.secret ?? "token"}` } };
  const tags = grammar.areas.filter((each) => probeOf(context, each) !== undefined);
  const lowest = Object.keys(grammar.levels).find((each) => each !== highestLevel(grammar)) ?? "";
  const open = tags.find((each) => scopesWithin(grammar, `${each}:${lowest}`, gets));
  const closed = tags.find((each) => !scopesWithin(grammar, `${each}:${lowest}`, gets));
  const probe = open === undefined ? undefined : probeOf(context, open);
  const wall = closed === undefined ? undefined : probeOf(context, closed);
  const rejected = wall && expectRejection(context, wall, { id: grammar.errors.scope, defaultStatuses: [401, 403] });
  return createCase(context, {
    operation,
    kind: "scopes",
    idParts: ["ceiling", caller, wish.requestedScopes],
    title: `A token with ${held} creates one with ${scopes ?? "the same scopes by default"}, which has exactly these scopes`,
    requirements: requirementIds(schema.sources),
    requires: plan.requires,
    steps: [
      ...plan.setupSteps,
      {
        ...plan.call,
        by: { scopes: held },
        body: { $merge: [plan.call.body ?? {}, { [name]: scopes ?? { $absent: true } }] },
        as: "made",
        expect: { body: { type: "object", properties: { [name]: { const: gets } }, required: [name] } },
      },
      ...(probe === undefined ? [] : [{ call: probe.name, by }]),
      ...(wall === undefined || rejected === undefined ? [] : [{ call: wall.name, by, expect: rejected.expect }]),
    ],
  });
}

function rejectedCase(
  context: ConformanceContext,
  operation: Operation,
  { name, schema, caller, held, requestedScopes, scopes, isUnfit }: TokenRequest & { readonly isUnfit: boolean },
): Case {
  const plan = planRequest(context, operation, { objects: "shared" });
  const id = isUnfit ? undefined : schema.scopeCeiling?.error;
  const rejection = expectRejection(context, operation, {
    id,
    defaultStatuses: [400],
    ...(isUnfit ? { field: name } : {}),
  });
  const body: Template = { $merge: [plan.call.body ?? {}, { [name]: scopes ?? null }] };
  return createCase(context, {
    operation,
    kind: "scopes",
    idParts: ["ceiling", caller, requestedScopes],
    title: `A token with ${held} cannot create one with ${scopes}`,
    requirements: [...requirementIds(schema.sources), ...(isUnfit ? [] : rejection.requirements)],
    requires: plan.requires,
    steps: [...plan.setupSteps, { ...plan.call, by: { scopes: held }, body, expect: rejection.expect }],
  });
}

/** A read that requires only the lowest level of an area, and no object. */
function probeOf({ api }: ConformanceContext, tag: string): Operation | undefined {
  return probes(api).get(tag);
}

const probes = memoize((api): ReadonlyMap<string, Operation> => {
  const { scopeGrammar, operations } = api;
  const probeByTag = new Map<string, Operation>();
  if (scopeGrammar === undefined) return probeByTag;
  const levels = Object.keys(scopeGrammar.levels);
  for (const each of operations) {
    const [scope = "", ...others] = requiredScopesOf(each, scopeGrammar) ?? [];
    const [tag = "", requiredLevel = ""] = scope.split(":");
    const isPlain = !each.parameters.some(({ required }) => required) && each.security.length === 1;
    const isOpen = each.grants.length === 0 && others.length === 0;
    const isLowest = levels.every((level) => levelImplies(scopeGrammar, level, requiredLevel));
    if (each.method === "GET" && isPlain && isOpen && isLowest && !probeByTag.has(tag)) probeByTag.set(tag, each);
  }
  return probeByTag;
});
