import type { CallStep, Case, MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import {
  collectFieldLimits,
  collectLimits,
  type ErrorDefinition,
  findField,
  findTarget,
  isJsonObject,
  type Limit,
  type Operation,
  type Resource,
  uniqueKeyFields,
  ownValue,
} from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { createdResource, makersOf } from "../../requests/created-resources.js";
import { successStatuses } from "../../requests/documented-statuses.js";
import { expectError, findOperationError } from "../../requests/expect-error.js";
import { fixturesOf } from "../../requests/fixtures.js";
import { bodySchema, ownParameter } from "../../requests/object-in-state.js";
import { planRequest, setupStep, type RequestPlan } from "../../requests/request-plan.js";
import { isPlainObject } from "../../values/partial-evaluation.js";
import { freshKeys } from "../bodies/unique-texts.js";
import { otherObject } from "./concurrency.js";

/** Cases of unique values: a duplicate is rejected on creation and update, and accepted outside of the scope. */
export function uniqueCases(context: ConformanceContext): readonly Case[] {
  return [
    ...context.api.resources.flatMap((resource) => resourceCases(context, resource)),
    ...context.api.operations.flatMap((operation) => arrayCases(context, operation)),
  ];
}

// Unique among objects

function resourceCases(context: ConformanceContext, resource: Resource): readonly Case[] {
  const keys = collectLimits(context.api).filter((each) => each.resource === resource.name);
  return keys.flatMap((key) => {
    const { limit } = key;
    const { kind, within, error } = limit;
    const [field, ...others] = uniqueKeyFields(key);
    if (kind !== "unique" || within === "array" || field === undefined) return [];
    if (fixturesOf(context)[resource.name] === undefined) return [];
    return context.api.operations.flatMap((operation) => {
      const failure = findOperationError(context, operation, error);
      const body = bodySchema(operation);
      const isSent = (name: string): boolean =>
        body !== undefined && findField(context.api, body, [name]) !== undefined;
      if (failure === undefined || ![field, ...others].every(isSent)) return [];
      if (resourceOf(context, operation) !== resource.name) return [];
      const plan = planRequest(context, operation, { objects: "own" });
      const about = { context, resource, limit, field, others, operation, error: failure, plan };
      const changes = operation.method === "PUT" || operation.method === "PATCH";
      return changes ? changeCases(about) : createCases(about);
    });
  });
}

/** The resource that an operation creates or updates. */
function resourceOf({ api }: ConformanceContext, operation: Operation): string | undefined {
  return createdResource(api, operation)?.resource.name ?? findTarget(api, operation)?.resource;
}

interface UniquenessContext {
  readonly context: ConformanceContext;
  readonly resource: Resource;
  readonly limit: Limit;
  readonly field: string;
  /** The other fields of the key. */
  readonly others: readonly string[];
  readonly operation: Operation;
  readonly error: ErrorDefinition;
  readonly plan: RequestPlan;
}

function createCases(about: UniquenessContext): readonly Case[] {
  const { resource, limit, field, operation, error, plan } = about;
  const duplicate: Template = { $get: `first#/${field}` };
  const rejection = expectDuplicateError(about, duplicate);
  const before = plan.setupSteps;
  const first = firstOf(about);
  const isWide = limit.within === "platform";
  const gone = deletionStep(about);
  const race = raceCall(about, duplicate, gone);
  return [
    createUniquenessCase(
      about,
      "taken",
      `A second ${resource.name} with the same ${field} is rejected, and not created`,
      [...before, first, ...sameTotal(about, rejection)],
    ),
    ...(race === undefined
      ? []
      : [
          createUniquenessCase(
            about,
            "all-at-once",
            `Of ten concurrent requests with the same ${field} one is accepted`,
            [
              ...before,
              first,
              ...race.setupSteps,
              {
                parallel: [race.call],
                times: 10,
                outcomes: [
                  { status: successStatuses(operation), count: 1 },
                  { status: error.status, count: 9 },
                ],
              },
            ],
          ),
        ]),
    ...otherParentCase(about, duplicate),
    // With objects in the path, another account would have none of them.
    ...(before.length > 0
      ? []
      : [
          createUniquenessCase(
            about,
            "elsewhere",
            `The same ${field} ${isWide ? "is rejected for" : "is accepted from"} another account`,
            [first, { ...(isWide ? rejection : withKey(about, duplicate)), by: "other-account" }],
          ),
        ]),
    ...(gone.length === 0
      ? []
      : [
          createUniquenessCase(about, "free-again", `The ${field} of a deleted object can be used again`, [
            ...before,
            first,
            ...gone,
            withKey(about, duplicate),
          ]),
        ]),
  ];
}

/** A key that is unique within its parent is free in another one. */
function otherParentCase(about: UniquenessContext, duplicate: Template): readonly Case[] {
  const { limit, resource, field, operation, plan } = about;
  const parameter = operation.parameters.findLast((each) => each.in === "path")?.name;
  const other = otherObject(plan, parameter);
  if (limit.within !== "parent" || other === undefined) return [];
  const call = { ...withKey(about, duplicate), ...(other.call.path === undefined ? {} : { path: other.call.path }) };
  return [
    createUniquenessCase(about, "another-parent", `A ${resource.name} of another parent may have the same ${field}`, [
      ...plan.setupSteps,
      firstOf(about),
      other.make,
      call,
    ]),
  ];
}

/** A call with a value that is not taken, the same for all requests. */
function raceCall(
  about: UniquenessContext,
  duplicate: Template,
  gone: readonly Step[],
): { readonly setupSteps: readonly Step[]; readonly call: CallStep } | undefined {
  const { plan, field } = about;
  const body = plan.call.body ?? null;
  const sent = isPlainObject(body) ? body[field] : undefined;
  const isText = sent === undefined || (isPlainObject(sent) ? false : !Array.isArray(uniqueKindOf(sent)));
  if (isText) return { setupSteps: [], call: withField(plan, field, { $text: ["race", duplicate] }) };
  // Other values have a form that only a given one surely fits.
  return gone.length === 0 ? undefined : { setupSteps: gone, call: withKey(about, duplicate) };
}

/** What `$unique` has, anywhere in a template. */
function uniqueKindOf(template: Template): Template | undefined {
  if (!isJsonObject(template)) return undefined;
  const entries = Object.entries(template);
  return entries
    .map(([key, each]) => (key === "$unique" ? each : uniqueKindOf(each)))
    .find((each) => each !== undefined);
}

function changeCases(about: UniquenessContext): readonly Case[] {
  const { context, resource, field, operation, plan } = about;
  const parameter = ownParameter(operation, resource.name);
  const name = parameter === undefined ? undefined : ownValue(plan.names, parameter);
  if (name === undefined) return [];
  const readOperation = context.operations.get(resource.read ?? "");
  const reading: readonly Step[] =
    readOperation === undefined
      ? []
      : [
          {
            call: readOperation.name,
            path: plan.call.path,
            expect: { status: 200, body: { properties: { [field]: { const: { $get: `${name}#/${field}` } } } } },
          },
        ];
  return [
    createUniquenessCase(about, "taken", `${resource.name} cannot get the ${field} of another one, and keeps its own`, [
      ...plan.setupSteps,
      firstOf(about),
      expectDuplicateError(about, { $get: `first#/${field}` }),
      ...reading,
    ]),
    createUniquenessCase(about, "own", `${resource.name} can be updated with its own ${field}`, [
      ...plan.setupSteps,
      withField(plan, field, { $get: `${name}#/${field}` }),
      ...reading,
    ]),
    ...releasedCases(about, name),
  ];
}

/** A key that an update has changed is free for another object, and then no longer for the first one. */
function releasedCases(about: UniquenessContext, name: string): readonly Case[] {
  const { context, resource, field, others, operation, plan } = about;
  const fresh = ownValue(freshKeys(context, operation), field);
  const [maker] = makersOf(context.api, resource);
  if (fresh === undefined || maker === undefined || others.length > 0) return [];
  const former: Template = { $get: `${name}#/${field}` };
  const creation = planRequest(context, maker, { objects: "shared" });
  return [
    createUniquenessCase(about, "released", `The ${field} that a ${resource.name} had is free for another one`, [
      ...plan.setupSteps,
      withField(plan, field, fresh),
      ...creation.setupSteps,
      withField(creation, field, former),
      expectDuplicateError(about, former),
    ]),
  ];
}

/** An existing object with the value. */
function firstOf({ resource, plan }: UniquenessContext): MakeStep {
  const inputs = Object.fromEntries(
    plan.setupSteps.flatMap((step) =>
      "make" in step && step.make !== resource.name ? [[step.make, { $get: step.as }] as const] : [],
    ),
  );
  return { make: resource.name, as: "first", ...(Object.keys(inputs).length === 0 ? {} : { of: inputs }), fresh: true };
}

function expectDuplicateError(about: UniquenessContext, value: Template): CallStep {
  const { field, error } = about;
  return { ...withKey(about, value), expect: expectError(error, field) };
}

/** The call with the key of the first object. */
function withKey({ plan, field, others }: UniquenessContext, value: Template): CallStep {
  const rest = others.map((name) => [name, { $get: `first#/${name}` }] as const);
  return withField(plan, field, value, Object.fromEntries(rest));
}

function withField(
  plan: RequestPlan,
  field: string,
  value: Template,
  others: Readonly<Record<string, Template>> = {},
): CallStep {
  return { ...plan.call, body: { $merge: [plan.call.body ?? {}, { ...others, [field]: value }] } };
}

/** Reads the list, whose total stays the same while a request is rejected. Listed objects of earlier cases may still change. */
function sameTotal({ context, resource }: UniquenessContext, rejected: CallStep): readonly Step[] {
  const list = context.operations.get(resource.list ?? "");
  const total = list?.pagination?.envelope.total;
  if (list === undefined || total === undefined || list.path.includes("{")) return [rejected];
  const body = {
    properties: { [total]: { const: { $get: `before#/body/${total}` } } },
    required: [total],
  };
  return [setupStep({ call: list.name, as: "before" }), rejected, { call: list.name, expect: { body } }];
}

function deletionStep({ context, resource }: UniquenessContext): readonly Step[] {
  const remove = context.operations.get(resource.delete ?? "");
  const parameters = remove?.parameters.filter((each) => each.in === "path") ?? [];
  const [own] = parameters;
  if (remove === undefined || own === undefined || parameters.length !== 1) return [];
  return [
    { call: remove.name, path: { [own.name]: { $get: `first#/${own.reference?.by ?? "id"}` } }, setup: true },
    { settle: true },
  ];
}

function createUniquenessCase(
  { context, limit, operation, plan }: UniquenessContext,
  what: string,
  title: string,
  steps: readonly Step[],
): Case {
  return createCase(context, {
    operation,
    kind: "limits",
    idParts: ["limits", limit.id, what],
    title,
    requirements: requirementIds(limit.sources),
    requires: plan.requires,
    exclusive: plan.exclusive,
    steps,
  });
}

// Unique within an array

function arrayCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  const body = bodySchema(operation);
  if (body === undefined) return [];
  return collectFieldLimits(context.api, body).flatMap(({ limit, pointer }) => {
    const { kind, by = [], within, error, id } = limit;
    const [field] = by;
    const [name] = pointer;
    const failure = findOperationError(context, operation, error);
    if (kind !== "unique" || within !== "array" || failure === undefined || pointer.length !== 1) return [];
    const plan = planRequest(context, operation, { objects: "own" });
    const sent = plan.call.body;
    const items = isJsonObject(sent) && name !== undefined ? sent[name] : undefined;
    if (field === undefined || name === undefined || !Array.isArray(items) || items.length < 2) return [];
    const [first, second, ...rest]: readonly Template[] = items;
    if (!isJsonObject(first) || !isJsonObject(second)) return [];
    const repeated = { ...second, [field]: first[field] ?? null };
    const call = { ...plan.call, body: { $merge: [sent ?? {}, { [name]: [first, repeated, ...rest] }] } };
    return [
      createCase(context, {
        operation,
        kind: "limits",
        idParts: ["limits", id, "repeated"],
        title: `Two items of ${name} cannot have the same ${field}`,
        requirements: requirementIds(limit.sources),
        requires: plan.requires,
        exclusive: plan.exclusive,
        steps: [...plan.setupSteps, { ...call, expect: expectError(failure, name) }],
      }),
    ];
  });
}
