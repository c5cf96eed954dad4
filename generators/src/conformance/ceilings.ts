import type { Case, Template } from "@plumbline/conformance-runtime";
import type { Operation, ScopeGrammar, Shape } from "../model/api.js";
import { fieldsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { once } from "../model/once.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { planOf } from "./plans.js";
import { refusedWith } from "./refused.js";
import { tokenSource } from "./callers.js";
import { highestOf, implies, wantedOf, within } from "./scope-grammar.js";

/** Cases of scope ceilings: a new token has no more scopes than the caller's, and exactly the requested ones. */
export function ceilingCases(context: Context): readonly Case[] {
  const { scopes: grammar } = context.api;
  if (grammar === undefined) return [];
  return context.api.operations.flatMap((operation) => {
    const field = ceilingField(context, operation);
    return field === undefined ? [] : ceilingsOf(context, operation, { grammar, ...field });
  });
}

/** The body field with the scopes of a new token, which may not exceed the caller's. */
export function ceilingField(
  { api }: Context,
  { body }: Operation,
): { readonly name: string; readonly shape: Shape } | undefined {
  const content = body && jsonContent(body.contents);
  const field = content && fieldsOf(api, content.shape).find((each) => each.shape.scopeCeiling !== undefined);
  const [name] = field?.pointer ?? [];
  if (field === undefined || name === undefined || field.shape.scopeCeiling?.atMost.root !== "caller") return undefined;
  return { name, shape: field.shape };
}

interface Ceiling {
  readonly grammar: ScopeGrammar;
  readonly name: string;
  readonly shape: Shape;
}

function ceilingsOf(context: Context, operation: Operation, ceiling: Ceiling): readonly Case[] {
  const { grammar, shape } = ceiling;
  const own = wantedOf(operation, grammar) ?? [];
  const [area = ""] = (own[0] ?? "").split(":");
  const [first = "", second = ""] = grammar.areas.filter(
    (each) => each !== area && probeOf(context, each) !== undefined,
  );
  if (first === "" || second === "") return [];
  const highest = highestOf(grammar);
  const lowest = Object.keys(grammar.levels).find((each) => each !== highest) ?? highest;
  const joined = (...scopes: readonly string[]) => [...own, ...scopes].join(grammar.separator);
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
      ...(shape.values?.some(({ absent, take }) => absent && take?.kind === "from") ? { absent: undefined } : {}),
      equal: held,
      own: joined(),
      "own-and-lower": joined(`${first}:${lowest}`),
      lower: `${first}:${lowest}`,
      higher: `${first}:${highest}`,
      other: `${second}:${lowest}`,
      "one-too-many": joined(`${second}:${highest}`),
      everything: grammar.all,
    };
    const named = Object.entries(wishes).map(([wish, scopes]) =>
      scopes === undefined || within(grammar, scopes, held)
        ? grantedCase(context, operation, { ...ceiling, caller, held, wish, scopes })
        : refusedCase(context, operation, { ...ceiling, caller, held, wish, scopes, isUnfit: false }),
    );
    // A value that is not a scope is invalid for every caller.
    const wrong = caller !== "everything" ? [] : unfit;
    return [
      ...named,
      ...wrong.map((scopes, at) =>
        refusedCase(context, operation, { ...ceiling, caller, held, wish: `unfit-${at + 1}`, scopes, isUnfit: true }),
      ),
    ];
  });
}

interface Wish extends Ceiling {
  readonly caller: string;
  readonly held: string;
  readonly wish: string;
  readonly scopes: string | undefined;
}

function grantedCase(context: Context, operation: Operation, wish: Wish): Case {
  const { grammar, name, shape, caller, held, scopes } = wish;
  const plan = planOf(context, operation, { objects: "shared" });
  const gets = scopes ?? held;
  const source = tokenSource(context);
  const by = { token: { $get: `made#/body/${source?.secret ?? "token"}` } };
  const areas = grammar.areas.filter((each) => probeOf(context, each) !== undefined);
  const lowest = Object.keys(grammar.levels).find((each) => each !== highestOf(grammar)) ?? "";
  const open = areas.find((each) => within(grammar, `${each}:${lowest}`, gets));
  const closed = areas.find((each) => !within(grammar, `${each}:${lowest}`, gets));
  const probe = open === undefined ? undefined : probeOf(context, open);
  const wall = closed === undefined ? undefined : probeOf(context, closed);
  const rejected = wall && refusedWith(context, wall, { id: grammar.errors.scope, usual: [401, 403] });
  return caseOf(context, {
    operation,
    kind: "scopes",
    about: ["ceiling", caller, wish.wish],
    title: `A token with ${held} creates one with ${scopes ?? "the same scopes by default"}, which has exactly these scopes`,
    requirements: requirementsOf(shape.sources),
    needs: plan.needs,
    steps: [
      ...plan.before,
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

function refusedCase(
  context: Context,
  operation: Operation,
  { name, shape, caller, held, wish, scopes, isUnfit }: Wish & { readonly isUnfit: boolean },
): Case {
  const plan = planOf(context, operation, { objects: "shared" });
  const id = isUnfit ? undefined : shape.scopeCeiling?.error;
  const rejection = refusedWith(context, operation, { id, usual: [400], ...(isUnfit ? { field: name } : {}) });
  const body: Template = { $merge: [plan.call.body ?? {}, { [name]: scopes ?? null }] };
  return caseOf(context, {
    operation,
    kind: "scopes",
    about: ["ceiling", caller, wish],
    title: `A token with ${held} cannot create one with ${scopes}`,
    requirements: [...requirementsOf(shape.sources), ...(isUnfit ? [] : rejection.requirements)],
    needs: plan.needs,
    steps: [...plan.before, { ...plan.call, by: { scopes: held }, body, expect: rejection.expect }],
  });
}

/** A read that requires only the lowest level of an area, and no object. */
function probeOf({ api }: Context, area: string): Operation | undefined {
  return probes(api).get(area);
}

const probes = once((api): ReadonlyMap<string, Operation> => {
  const { scopes: grammar, operations } = api;
  const found = new Map<string, Operation>();
  if (grammar === undefined) return found;
  const levels = Object.keys(grammar.levels);
  for (const each of operations) {
    const [scope = "", ...others] = wantedOf(each, grammar) ?? [];
    const [area = "", wanted = ""] = scope.split(":");
    const isPlain = !each.parameters.some(({ required }) => required) && each.security.length === 1;
    const isOpen = each.grants.length === 0 && others.length === 0;
    const isLowest = levels.every((level) => implies(grammar, level, wanted));
    if (each.method === "GET" && isPlain && isOpen && isLowest && !found.has(area)) found.set(area, each);
  }
  return found;
});
