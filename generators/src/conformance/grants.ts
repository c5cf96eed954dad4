import type { Case, Expect, Step, Template } from "@plumbline/conformance-runtime";
import type { Grant, Operation } from "../model/api.js";
import { acceptedPlan, withGrants } from "./callers.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { conditionalCases } from "./grant-conditions.js";
import { askedOf, grantsOf, missingPath, naming, referenceAt, withHolders, type Asked } from "./grantees.js";
import { listCases } from "./granted-lists.js";
import { planOf, type Plan } from "./plans.js";
import { refusedWith } from "./refused.js";
import { schemeRequirements } from "./schemes.js";
import { implies } from "./scope-grammar.js";

/** Cases of restricted users: they may do what their grants allow, and nothing else. */
export function grantCases(context: Context): readonly Case[] {
  const { api } = context;
  return [
    ...api.operations.flatMap((operation) => (operation.grants.length === 0 ? [] : operationCases(context, operation))),
    ...listCases(context),
  ];
}

function operationCases(context: Context, operation: Operation): readonly Case[] {
  const barred = operation.grants.find((each) => each.kind === "unrestricted" && each.when === undefined);
  if (barred !== undefined) return barredCases(context, operation, barred);
  const shared = withHolders(context, planOf(context, operation, { objects: "shared" }));
  const asked = askedOf(context, shared);
  if (asked === undefined) return [];
  const inBody = operation.grants.flatMap((grant) => {
    if (grant.kind !== "entity" || grant.on.part !== "body") return [];
    // An object that is referenced twice would be covered by the other grant.
    const known = asked.find((each) => each.grant === grant);
    if (known !== undefined && !asked.some((each) => each !== known && isSameEntity(each, known))) return [];
    const plan = naming(context, shared, grant.on.pointer);
    const all = plan && askedOf(context, plan);
    return plan === undefined || all === undefined ? [] : lackingCases(context, { plan, asked: all, only: grant });
  });
  return [
    ...lackingCases(context, { plan: shared, asked: inPathFirst(asked) }),
    ...inBody,
    ...allowedCases(context, operation),
    ...conditionalCases(context, operation),
  ];
}

/** Operations for unrestricted users only. The server rejects others before it looks anything up. */
function barredCases(context: Context, operation: Operation, grant: Grant): readonly Case[] {
  const plan = planOf(context, operation, { objects: "shared" });
  const forbidden = refusedWith(context, operation, { id: grant.error, usual: [403] });
  const restricted = withGrants(plan, grantsOf(context, [], { others: true }));
  if (restricted === undefined) return [];
  const rejected = (about: string, title: string, steps: readonly Step[]): Case =>
    caseOf(context, {
      operation,
      kind: "grants",
      about: ["grants", about],
      title: `${operation.name} rejects a restricted user${title}`,
      requirements: [
        ...grantRequirements(context, grant, forbidden.requirements),
        ...operation.grants.flatMap((each) => requirementsOf(each.sources)),
      ],
      needs: plan.needs,
      steps,
    });
  const missing = missingPath(operation);
  return [
    rejected("restricted", ", with any grants", [
      ...restricted.before,
      { ...restricted.call, expect: forbidden.expect },
    ]),
    ...(missing === undefined
      ? []
      : [
          rejected("restricted-missing", ", also for a missing object", [
            ...restricted.before,
            { ...restricted.call, path: { ...restricted.call.path, ...missing }, expect: forbidden.expect },
          ]),
        ]),
  ];
}

interface Lacking {
  readonly plan: Plan;
  readonly asked: readonly Asked[];
  /** All required grants, but this one alone is missing or too low. */
  readonly only?: Grant;
}

/** All required grants but one are not enough. */
function lackingCases(context: Context, { plan, asked, only }: Lacking): readonly Case[] {
  return asked
    .filter(({ grant }) => only === undefined || grant === only)
    .flatMap((each) => {
      const others = asked.filter((other) => other !== each && !isSameEntity(other, each));
      return each.kind === "global"
        ? lackingGlobal(context, plan, { lacks: each, others })
        : lackingEntity(context, plan, { lacks: each, others });
    });
}

function lackingGlobal(
  context: Context,
  plan: Plan,
  { lacks, others }: { readonly lacks: Extract<Asked, { kind: "global" }>; readonly others: readonly Asked[] },
): readonly Case[] {
  const { operation } = plan;
  const forbidden = refusedWith(context, operation, { id: lacks.grant.error, usual: [403] });
  const restricted = withGrants(plan, grantsOf(context, others, { others: true, but: lacks.name }));
  if (restricted === undefined) return [];
  const rejection = (about: string, title: string, path: Readonly<Record<string, Template>> = {}): Case =>
    caseOf(context, {
      operation,
      kind: "grants",
      about: ["grants", about],
      title: `${operation.name} rejects a user with every grant but ${lacks.name}${title}`,
      requirements: grantRequirements(context, lacks.grant, forbidden.requirements),
      needs: plan.needs,
      steps: [
        ...restricted.before,
        {
          ...restricted.call,
          ...(restricted.call.path === undefined ? {} : { path: { ...restricted.call.path, ...path } }),
          expect: forbidden.expect,
        },
      ],
    });
  const missing = missingPath(operation);
  return [
    rejection(`without-${lacks.name}`, ""),
    ...(missing === undefined
      ? []
      : [rejection(`without-${lacks.name}-missing`, ", also for a missing object", missing)]),
  ];
}

function lackingEntity(
  context: Context,
  plan: Plan,
  { lacks, others }: { readonly lacks: Extract<Asked, { kind: "entity" }>; readonly others: readonly Asked[] },
): readonly Case[] {
  const { operation } = plan;
  const { grant, entity, level } = lacks;
  const place = placeOf(grant);
  const lower = Object.keys(context.api.scopes?.levels ?? {}).filter(
    (each) => context.api.scopes !== undefined && !implies(context.api.scopes, each, level),
  );
  const missing = refusedWith(context, operation, { id: missingOf(context, operation, grant), usual: [404] });
  const forbidden = refusedWith(context, operation, { id: grant.error, usual: [403] });
  const none = withGrants(plan, grantsOf(context, others));
  const noLevel = caseFor("none", "without a grant on its object", none, missing);
  const tooLow = lower.map((each) =>
    caseFor(
      each,
      `with ${each} where ${level} is required`,
      withGrants(plan, grantsOf(context, [...others, { ...lacks, level: each }])),
      forbidden,
    ),
  );
  return [...noLevel, ...tooLow.flat()];

  function caseFor(
    about: string,
    title: string,
    restricted: Plan | undefined,
    rejection: { readonly expect: Expect; readonly requirements: readonly string[] },
  ): readonly Case[] {
    if (restricted === undefined) return [];
    const name = grant.kind === "entity" && grant.on.part === "path" ? grant.on.name : undefined;
    const absent = about === "none" && name !== undefined ? missingPath(operation, name) : undefined;
    return [
      caseOf(context, {
        operation,
        kind: "grants",
        about: ["grants", place, about],
        title: `${operation.name} rejects a user ${title}: ${entity.list}`,
        requirements: grantRequirements(context, grant, rejection.requirements),
        needs: plan.needs,
        steps: [
          ...restricted.before,
          { ...restricted.call, as: "hidden", expect: rejection.expect },
          // A user that may not see an object cannot learn that it exists: the response equals that of a missing object.
          ...(absent === undefined ? [] : sameAnswer(restricted, absent, rejection.expect)),
        ],
      }),
    ];
  }
}

function sameAnswer(plan: Plan, absent: Readonly<Record<string, Template>>, expect: Expect): readonly Step[] {
  return [
    { ...plan.call, path: { ...plan.call.path, ...absent }, as: "absent", expect },
    {
      check: { $get: "hidden#/body" },
      matches: { const: { $get: "absent#/body" } },
      message: "A hidden object and a missing object have different responses.",
    },
  ];
}

/** Exactly the required grants are enough, and so are higher levels. */
function allowedCases(context: Context, operation: Operation): readonly Case[] {
  const plan = withHolders(context, acceptedPlan(context, operation));
  const asked = askedOf(context, plan);
  if (asked === undefined) return [];
  const allowed = (about: string, title: string, held: readonly Asked[]): readonly Case[] => {
    const restricted = withGrants(plan, grantsOf(context, held));
    if (restricted === undefined) return [];
    return [
      caseOf(context, {
        operation,
        kind: "grants",
        about: ["grants", about],
        title: `${operation.name} is allowed to a restricted user ${title}`,
        requirements: [
          ...asked.flatMap(({ grant }) => requirementsOf(grant.sources)),
          ...schemeRequirements(context, "grants"),
        ],
        needs: plan.needs,
        alone: plan.alone,
        steps: [...restricted.before, restricted.call],
      }),
    ];
  };
  const levels = Object.keys(context.api.scopes?.levels ?? {});
  const isRead = operation.method === "GET";
  const higher = isRead
    ? levels.filter((level) =>
        asked.some((each) => each.kind === "entity" && each.level !== level && isEnough(each.level, level)),
      )
    : [];
  return [
    ...allowed("exact", "with exactly the required grants", asked),
    ...higher.flatMap((level) =>
      allowed(
        `exact-${level}`,
        `with ${level}, which includes the required level`,
        asked.map((each) => (each.kind === "entity" ? { ...each, level } : each)),
      ),
    ),
  ];

  function isEnough(wanted: string, level: string): boolean {
    const { scopes } = context.api;
    return scopes !== undefined && implies(scopes, level, wanted);
  }
}

function grantRequirements(context: Context, grant: Grant, refused: readonly string[]): readonly string[] {
  const own = requirementsOf(grant.sources);
  return [...own, ...refused, ...(own.length === 0 ? schemeRequirements(context, "grants") : [])];
}

/** The response for an object without a grant: that of a missing object. */
function missingOf(context: Context, operation: Operation, grant: Grant): string | undefined {
  if (grant.kind !== "entity") return undefined;
  if (grant.on.part === "path") return undefined;
  return referenceAt(context, operation, grant.on.pointer)?.missing;
}

/** Of several grants on one entity the first, which determines the error. */
function inPathFirst(asked: readonly Asked[]): readonly Asked[] {
  return asked.filter((each, at) => !asked.slice(0, at).some((earlier) => isSameEntity(earlier, each)));
}

function isSameEntity(a: Asked, b: Asked): boolean {
  return a.kind === "entity" && b.kind === "entity" && JSON.stringify(a.entity) === JSON.stringify(b.entity);
}

function placeOf(grant: Grant): string {
  if (grant.kind !== "entity") return grant.kind;
  return grant.on.part === "path" ? (grant.on.name ?? "") : grant.on.pointer.join(".").replaceAll("*", "each");
}
