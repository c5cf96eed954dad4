import type { Case, Expectation, Step, Template } from "@plumbline/conformance-runtime";
import type { Grant, Operation } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { schemeRequirements } from "../../context/security-schemes.js";
import { callerInWords, callersWith, callersWithout, callerWithGrants } from "../../context/suite-callers.js";
import { acceptedPlan, callAs, callWithGrants } from "../../requests/callers.js";
import { expectRejection } from "../../requests/expect-error.js";
import { planRequest, type RequestPlan } from "../../requests/request-plan.js";
import { conditionalGrantCases } from "./conditional-grants.js";
import { grantedListCases } from "./granted-lists.js";
import {
  requiredGrants,
  grantsTemplate,
  pathToMissing,
  planNamingEntity,
  referenceAtPointer,
  planWithHolders,
  type RequiredGrant,
} from "./required-grants.js";
import { levelImplies } from "./scope-grammar.js";

/** Cases of callers: they may do what their attributes and grants allow, and nothing else. */
export function grantCases(context: ConformanceContext): readonly Case[] {
  const { api } = context;
  return [
    ...api.operations.flatMap((operation) => (operation.grants.length === 0 ? [] : operationCases(context, operation))),
    ...grantedListCases(context),
  ];
}

function operationCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  return [...callerGrantCases(context, operation), ...neededGrantCases(context, operation)];
}

/** Cases of grants with names and on entities, by a caller that needs them. */
function neededGrantCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  if (callerWithGrants(context.api, operation) === undefined) return [];
  const shared = planWithHolders(context, planRequest(context, operation, { objects: "shared" }));
  const required = requiredGrants(context, shared);
  if (required === undefined) return [];
  const inBody = operation.grants.flatMap((grant) => {
    if (grant.kind !== "entity" || grant.on.part !== "body") return [];
    // An object that is referenced twice would be covered by the other grant.
    const match = required.find((each) => each.grant === grant);
    if (match !== undefined && !required.some((each) => each !== match && isSameEntity(each, match))) return [];
    const plan = planNamingEntity(context, shared, grant.on.pointer);
    const all = plan && requiredGrants(context, plan);
    return plan === undefined || all === undefined
      ? []
      : missingGrantCases(context, { plan, required: all, only: grant });
  });
  return [
    ...missingGrantCases(context, { plan: shared, required: inPathFirst(required) }),
    ...inBody,
    ...allowedCases(context, operation),
    ...conditionalGrantCases(context, operation),
  ];
}

/** Attributes that the caller has to have: each caller without them is rejected, and each other one is accepted. */
function callerGrantCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  return operation.grants.flatMap((grant) =>
    grant.kind !== "caller" || grant.when !== undefined
      ? []
      : [
          ...callersWithout(context.api, grant.caller).flatMap((caller) =>
            deniedCases(context, operation, { grant, caller }),
          ),
          ...callersWith(context.api, grant.caller).flatMap((caller) =>
            admittedCases(context, operation, { grant, caller }),
          ),
        ],
  );
}

interface GrantOfCaller {
  readonly grant: Grant;
  readonly caller: string;
}

/** The server rejects a caller without the attributes before it looks anything up. */
function deniedCases(
  context: ConformanceContext,
  operation: Operation,
  { grant, caller }: GrantOfCaller,
): readonly Case[] {
  const plan = planRequest(context, operation, { objects: "shared" });
  const forbidden = expectRejection(context, operation, { id: grant.error, defaultStatuses: [403] });
  const grants = grantsTemplate(context, [], { others: true });
  const denied = callAs(plan, { caller, grants, lacksAll: grants !== undefined });
  if (denied === undefined) return [];
  const rejected = (about: string, title: string, steps: readonly Step[]): Case =>
    createCase(context, {
      operation,
      kind: "grants",
      idParts: ["grants", about],
      title: `${operation.name} rejects ${callerInWords(context.api, caller)}${title}`,
      requirements: [
        ...grantRequirements(context, grant, forbidden.requirements),
        ...operation.grants.flatMap((each) => requirementIds(each.sources)),
      ],
      requires: plan.requires,
      steps,
    });
  const missing = pathToMissing(operation);
  return [
    rejected(caller, grants === undefined ? "" : ", with any grants", [
      ...denied.setupSteps,
      { ...denied.call, expect: forbidden.expect },
    ]),
    ...(missing === undefined
      ? []
      : [
          rejected(`${caller}-missing`, ", also for a missing object", [
            ...denied.setupSteps,
            { ...denied.call, path: { ...denied.call.path, ...missing }, expect: forbidden.expect },
          ]),
        ]),
  ];
}

/** A caller with the attributes is accepted, with exactly the other grants that it needs. */
function admittedCases(
  context: ConformanceContext,
  operation: Operation,
  { grant, caller }: GrantOfCaller,
): readonly Case[] {
  const plan = planWithHolders(context, acceptedPlan(context, operation));
  const required = requiredGrants(context, plan);
  const admitted =
    required && callAs(plan, { caller, grants: grantsTemplate(context, required), lacksAll: required.length === 0 });
  if (admitted === undefined) return [];
  return [
    createCase(context, {
      operation,
      kind: "grants",
      idParts: ["grants", caller, "allowed"],
      title: `${operation.name} is allowed to ${callerInWords(context.api, caller)}`,
      requirements: grantRequirements(context, grant, []),
      requires: plan.requires,
      exclusive: plan.exclusive,
      steps: [...admitted.setupSteps, admitted.call],
    }),
  ];
}

interface MissingGrant {
  readonly plan: RequestPlan;
  readonly required: readonly RequiredGrant[];
  /** All required grants, but this one alone is missing or too low. */
  readonly only?: Grant;
}

/** All required grants but one are not enough. */
function missingGrantCases(context: ConformanceContext, { plan, required, only }: MissingGrant): readonly Case[] {
  return required
    .filter(({ grant }) => only === undefined || grant === only)
    .flatMap((each) => {
      const others = required.filter((other) => other !== each && !isSameEntity(other, each));
      return each.kind === "named"
        ? missingNamedGrant(context, plan, { lacks: each, others })
        : missingEntityGrant(context, plan, { lacks: each, others });
    });
}

function missingNamedGrant(
  context: ConformanceContext,
  plan: RequestPlan,
  {
    lacks,
    others,
  }: { readonly lacks: Extract<RequiredGrant, { kind: "named" }>; readonly others: readonly RequiredGrant[] },
): readonly Case[] {
  const { operation } = plan;
  const forbidden = expectRejection(context, operation, { id: lacks.grant.error, defaultStatuses: [403] });
  const grants = grantsTemplate(context, others, { others: true, but: lacks.name });
  const lacking = callWithGrants(context, plan, { grants, lacksAll: others.length === 0 });
  if (lacking === undefined) return [];
  const rejection = (about: string, title: string, path: Readonly<Record<string, Template>> = {}): Case =>
    createCase(context, {
      operation,
      kind: "grants",
      idParts: ["grants", about],
      title: `${operation.name} rejects a user with every grant but ${lacks.name}${title}`,
      requirements: grantRequirements(context, lacks.grant, forbidden.requirements),
      requires: plan.requires,
      steps: [
        ...lacking.setupSteps,
        {
          ...lacking.call,
          ...(lacking.call.path === undefined ? {} : { path: { ...lacking.call.path, ...path } }),
          expect: forbidden.expect,
        },
      ],
    });
  const missing = pathToMissing(operation);
  return [
    rejection(`without-${lacks.name}`, ""),
    ...(missing === undefined
      ? []
      : [rejection(`without-${lacks.name}-missing`, ", also for a missing object", missing)]),
  ];
}

function missingEntityGrant(
  context: ConformanceContext,
  plan: RequestPlan,
  {
    lacks,
    others,
  }: { readonly lacks: Extract<RequiredGrant, { kind: "entity" }>; readonly others: readonly RequiredGrant[] },
): readonly Case[] {
  const { operation } = plan;
  const { grant, entity, level } = lacks;
  const place = placeOf(grant);
  const lower = Object.keys(context.api.scopeGrammar?.levels ?? {}).filter(
    (each) => context.api.scopeGrammar !== undefined && !levelImplies(context.api.scopeGrammar, each, level),
  );
  const missing = expectRejection(context, operation, {
    id: expectNotFound(context, operation, grant),
    defaultStatuses: [404],
  });
  const forbidden = expectRejection(context, operation, { id: grant.error, defaultStatuses: [403] });
  const none = callWithGrants(context, plan, {
    grants: grantsTemplate(context, others),
    lacksAll: others.length === 0,
  });
  const noLevel = caseFor("none", "without a grant on its object", none, missing);
  const tooLow = lower.map((each) =>
    caseFor(
      each,
      `with ${each} where ${level} is required`,
      callWithGrants(context, plan, { grants: grantsTemplate(context, [...others, { ...lacks, level: each }]) }),
      forbidden,
    ),
  );
  return [...noLevel, ...tooLow.flat()];

  function caseFor(
    about: string,
    title: string,
    lacking: RequestPlan | undefined,
    rejection: { readonly expect: Expectation; readonly requirements: readonly string[] },
  ): readonly Case[] {
    if (lacking === undefined) return [];
    const name = grant.kind === "entity" && grant.on.part === "path" ? grant.on.name : undefined;
    const absent = about === "none" && name !== undefined ? pathToMissing(operation, name) : undefined;
    return [
      createCase(context, {
        operation,
        kind: "grants",
        idParts: ["grants", place, about],
        title: `${operation.name} rejects a user ${title}: ${entity.list}`,
        requirements: grantRequirements(context, grant, rejection.requirements),
        requires: plan.requires,
        steps: [
          ...lacking.setupSteps,
          { ...lacking.call, as: "hidden", expect: rejection.expect },
          // A user that may not see an object cannot learn that it exists: the response equals that of a missing object.
          ...(absent === undefined ? [] : sameAnswer(lacking, absent, rejection.expect)),
        ],
      }),
    ];
  }
}

function sameAnswer(
  plan: RequestPlan,
  absent: Readonly<Record<string, Template>>,
  expect: Expectation,
): readonly Step[] {
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
function allowedCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  const plan = planWithHolders(context, acceptedPlan(context, operation));
  const required = requiredGrants(context, plan);
  const caller = callerWithGrants(context.api, operation);
  const isCovered = operation.grants.every(({ kind, when }) => kind === "caller" && when === undefined);
  if (required === undefined || caller === undefined || isCovered) return [];
  const allowed = (about: string, title: string, grants: readonly RequiredGrant[]): readonly Case[] => {
    const granted = callAs(plan, { caller, grants: grantsTemplate(context, grants) });
    if (granted === undefined) return [];
    return [
      createCase(context, {
        operation,
        kind: "grants",
        idParts: ["grants", about],
        title: `${operation.name} is allowed to ${callerInWords(context.api, caller)} ${title}`,
        requirements: [
          ...required.flatMap(({ grant }) => requirementIds(grant.sources)),
          ...schemeRequirements(context, "grants"),
        ],
        requires: plan.requires,
        exclusive: plan.exclusive,
        steps: [...granted.setupSteps, granted.call],
      }),
    ];
  };
  const levels = Object.keys(context.api.scopeGrammar?.levels ?? {});
  const isRead = operation.method === "GET";
  const higher = isRead
    ? levels.filter((level) =>
        required.some((each) => each.kind === "entity" && each.level !== level && isEnough(each.level, level)),
      )
    : [];
  return [
    ...allowed("exact", "with exactly the required grants", required),
    ...higher.flatMap((level) =>
      allowed(
        `exact-${level}`,
        `with ${level}, which includes the required level`,
        required.map((each) => (each.kind === "entity" ? { ...each, level } : each)),
      ),
    ),
  ];

  function isEnough(requiredLevel: string, level: string): boolean {
    const { scopeGrammar } = context.api;
    return scopeGrammar !== undefined && levelImplies(scopeGrammar, level, requiredLevel);
  }
}

function grantRequirements(context: ConformanceContext, grant: Grant, rejected: readonly string[]): readonly string[] {
  const stated = requirementIds(grant.sources);
  return [...stated, ...rejected, ...(stated.length === 0 ? schemeRequirements(context, "grants") : [])];
}

/** The response for an object without a grant: that of a missing object. */
function expectNotFound(context: ConformanceContext, operation: Operation, grant: Grant): string | undefined {
  if (grant.kind !== "entity") return undefined;
  if (grant.on.part === "path") return undefined;
  return referenceAtPointer(context, operation, grant.on.pointer)?.onNotFound;
}

/** Of several grants on one entity the first, which determines the error. */
function inPathFirst(required: readonly RequiredGrant[]): readonly RequiredGrant[] {
  return required.filter((each, at) => !required.slice(0, at).some((earlier) => isSameEntity(earlier, each)));
}

function isSameEntity(a: RequiredGrant, b: RequiredGrant): boolean {
  return a.kind === "entity" && b.kind === "entity" && JSON.stringify(a.entity) === JSON.stringify(b.entity);
}

function placeOf(grant: Grant): string {
  if (grant.kind !== "entity") return grant.kind;
  return grant.on.part === "path" ? (grant.on.name ?? "") : grant.on.pointer.join(".").replaceAll("*", "each");
}
