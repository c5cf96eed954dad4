import type { Case, FrameInfo, FrameRead, FrameStep, MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import { schemaParts, type Operation } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { objectName } from "../../context/object-name.js";
import { acceptedCall } from "../../possible-cases.js";
import { isAcceptable, prepareAcceptable, type BodyPreparation } from "../../requests/acceptable-body.js";
import { bodyCaseContext, type BodyCaseContext } from "../../requests/body-request.js";
import { acceptedPlan } from "../../requests/callers.js";
import { hasSuccess } from "../../requests/documented-statuses.js";
import { fixtureNamed, withParents } from "../../requests/fixtures.js";
import { objectChain } from "../../requests/object-chains.js";
import { hasKnownPath, planRequest, setupStep, type RequestPlan } from "../../requests/request-plan.js";
import { allowedTypes, type BodyField } from "../../values/body-fields.js";
import { valueAt, withValue } from "../../values/body-mutations.js";
import { escapePointerToken } from "../../values/pointer-token.js";
import { bodyWithOnly, mergeBodies, otherFieldValue, violatesStoredRule } from "../bodies/partial-updates.js";
import { withUniqueTexts } from "../bodies/unique-texts.js";
import { claimsOf, claimsOfTime, hasStatedResources } from "./frame-claims.js";
import { frameReads } from "./frame-reads.js";

/** For each operation that changes something, a case that nothing else changes. Of an update, a case for each field. */
export function frameCases(context: ConformanceContext): readonly Case[] {
  if (frameReads(context).length === 0) return [];
  return context.api.operations.filter((each) => isChecked(context, each)).flatMap((each) => casesOf(context, each));
}

function isChecked(context: ConformanceContext, operation: Operation): boolean {
  const { method, path } = operation;
  const isUpdate = method === "PUT" || method === "PATCH";
  const isChange = isUpdate || method === "DELETE" || (method === "POST" && hasStatedResources(context));
  return isChange && path !== "" && hasSuccess(operation) && hasKnownPath(context, operation);
}

/** What all frame cases read, and the objects that they read: of each resource two, and some with other values than the initial ones. */
export function frameInfo(context: ConformanceContext, cases: readonly Case[]): FrameInfo | undefined {
  const own = cases.filter(({ kind }) => kind === "frame");
  if (own.length === 0) return undefined;
  const reads = frameReads(context);
  const makes = withParents(context, [
    ...own.flatMap(({ steps }) => steps),
    ...reads.flatMap((read) => objectsOfRead(context, read)),
  ]).filter((step) => "make" in step);
  const shared = [...new Map(makes.map(sharedStep).map((step) => [JSON.stringify(step), step] as const)).values()]
    .filter(({ make }) => !make.includes("@"))
    .toSorted((a, b) => Object.keys(a.of ?? {}).length - Object.keys(b.of ?? {}).length);
  const filled = context.api.operations.flatMap((operation) => fillingSteps(context, operation));
  // Filled after what creates others, and before what others have: a fault of these requests must not hide its own effect.
  const world = [...shared, ...shared.map(anotherOf), ...filled, ...shared.flatMap(objectsOfOthers)];
  return { reads, world, always: claimsOfTime(context) };
}

/** The object that all cases share, in place of a case's own. */
function sharedStep({ make, as, of, with: fields, by }: MakeStep): MakeStep {
  return { make, as, of, with: fields, by };
}

/** An object that a read shows, and those of its path. */
function objectsOfRead(context: ConformanceContext, { call, resource }: FrameRead): readonly MakeStep[] {
  const operation = context.operations.get(call);
  if (operation === undefined) return [];
  const { createSteps, names } = objectChain(context, operation, { bodyFields: {} });
  const isInPath = resource === undefined || Object.hasOwn(names, resource);
  if (isInPath || fixtureNamed(context, resource) === undefined) return createSteps;
  const of = Object.fromEntries(Object.entries(names).map(([outer, name]) => [outer, { $get: name }] as const));
  const own: MakeStep = { make: resource, as: objectName(resource), ...(createSteps.length === 0 ? {} : { of }) };
  return [...createSteps, own];
}

function anotherOf(step: MakeStep): MakeStep {
  return { ...step, as: `${step.as}2`, fresh: true };
}

/** The same for another user and for another account: what is in no other object. */
function objectsOfOthers({ of, ...step }: MakeStep): readonly MakeStep[] {
  if (of !== undefined) return [];
  return [
    { ...step, as: `${step.as}3`, fresh: true, by: { user: "second" } },
    { ...step, as: `${step.as}4`, fresh: true, by: "other-account" },
  ];
}

/** Updates that give each field of the shared object a value. */
function fillingSteps(context: ConformanceContext, operation: Operation): readonly Step[] {
  const around = updateContext(context, operation);
  if (around === undefined || around.shared.call.by !== undefined) return [];
  return bodiesOf({ ...around, own: around.shared }).flatMap(({ setupSteps, body }) => [
    ...setupSteps,
    setupStep({ ...around.shared.call, body }),
  ]);
}

function casesOf(context: ConformanceContext, operation: Operation): readonly Case[] {
  const around = updateContext(context, operation);
  const updates = around === undefined ? [] : bodiesOf(around);
  if (around !== undefined && updates.length > 0)
    return updates.map(({ field, body, smaller, setupSteps }) => {
      const plan = { ...around.own, setupSteps, call: { ...around.own.call, body } };
      return createFrameCase(context, { plan, about: field, ...(smaller === undefined ? {} : { then: [smaller] }) });
    });
  return [createFrameCase(context, { plan: acceptedPlan(context, operation) })];
}

/** The parts of a case: bodies of further calls, and the field that it is about. */
interface FrameCaseParts {
  readonly plan: RequestPlan;
  readonly about?: string;
  readonly then?: readonly Template[];
}

function createFrameCase(context: ConformanceContext, { plan, about, then = [] }: FrameCaseParts): Case {
  const { operation } = plan;
  const frame = acceptedCall(context, plan);
  const may = claimsOf(context, plan);
  const steps: readonly FrameStep[] = [frame, ...then.map((body) => ({ ...frame, body }))].map((each) => ({
    frame: each,
    may,
  }));
  return createCase(context, {
    operation,
    kind: "frame",
    idParts: ["frame", ...(about === undefined ? [] : [about])],
    title: `${operation.summary ?? operation.name}: ${about === undefined ? "" : `${about}: `}nothing else changes`,
    requirements: requirementIds(operation.sources),
    requires: plan.requires,
    // What a request prepares, such as a code, may end while other cases move the clock.
    exclusive: plan.exclusive || plan.setupSteps.some((each) => "call" in each),
    // Objects of the case alone are ready before; what the settings prepare may not outlast the jobs of the platform.
    steps: [...plan.setupSteps, ...(plan.setupSteps.some(isFresh) ? [{ settle: true } as const] : []), ...steps],
  });
}

function isFresh(step: Step): boolean {
  return "make" in step && step.fresh === true;
}

/** An update of the object that the cases share. */
function updateContext(context: ConformanceContext, operation: Operation): BodyCaseContext | undefined {
  if (operation.method !== "PUT" && operation.method !== "PATCH") return undefined;
  const around = bodyCaseContext(context, operation);
  if (around?.read === undefined || acceptedPlan(context, operation).usedUp.length > 0) return undefined;
  return dependsOnStored(around) ? around : { ...around, own: around.shared };
}

/** True if errors compare what is sent with what is stored: an earlier update of the shared object could cause one. */
function dependsOnStored({ context, schema, operation }: BodyCaseContext): boolean {
  const whole = context.schemas.get(operation.requestBody?.input.merged ?? "") ?? schema;
  return schemaParts(context.api, whole).some(({ errors = [] }) => errors.some(({ when }) => when !== undefined));
}

interface FieldUpdate {
  readonly field: string;
  readonly body: Template;
  /** With a smaller number, if the field has one. */
  readonly smaller?: Template;
  readonly setupSteps: readonly Step[];
}

/** Bodies with one field each, beside what the body requires. */
function bodiesOf(around: BodyCaseContext): readonly FieldUpdate[] {
  const fresh = planRequest(around.context, around.operation, { objects: "own" });
  const top = around.fields.filter(({ pointer, readOnly }) => pointer.length === 1 && !readOnly);
  return top.flatMap((field) => {
    const only = bodyWithOnly(around, field);
    const body = only && withUniqueTexts(around, only, undefined).body;
    const prepared = body === undefined ? undefined : prepareAcceptable(around, body, field);
    const alone = body === undefined ? undefined : prepareAcceptable({ ...around, own: fresh }, body, field);
    // The shared object does not take what only an object with other fields would.
    const isForAny = alone?.setupSteps.every((step) => !isFresh(step) || !("with" in step)) ?? false;
    if (prepared === undefined || !isForAny) return [];
    const fill = around.own.setupSteps.some(isFresh) ? otherFieldsStep(around, field, prepared) : [];
    const value = valueAt(prepared.body, field.pointer);
    const less = typeof value === "number" ? withValue(prepared.body, field.pointer, value - 1) : undefined;
    return [
      {
        field: escapePointerToken(field.pointer[0] ?? ""),
        body: prepared.body,
        setupSteps: [...prepared.setupSteps, ...fill],
        ...(less !== undefined && isAcceptable(around, less, field) ? { smaller: less } : {}),
      },
    ];
  });
}

/** An update that gives the other fields values before the field changes, and turns on what can be on. */
function otherFieldsStep(around: BodyCaseContext, field: BodyField, prepared: BodyPreparation): readonly Step[] {
  const others = around.fields.filter(
    ({ pointer, readOnly }) => pointer[0] !== field.pointer[0] && !pointer.includes("*") && !readOnly,
  );
  const plain = otherFieldValue(
    around,
    others.filter(({ pointer }) => pointer.length === 1),
    prepared,
  );
  const switches = others.filter((each) => each.pointer.length === 2 && allowedTypes(each).includes("boolean"));
  const body = switches.reduce((before, each) => {
    const bodies = switchedOn(others, each).map((on) => mergeBodies(before, on));
    return bodies.find((both) => isStorable(around, [both]) && isStorable(around, [both, prepared.body])) ?? before;
  }, plain);
  return JSON.stringify(body) === "{}" ? [] : [setupStep({ ...around.own.call, body })];
}

/** The switch is on, and the numbers beside it are bounds that admit most: each at its low or its high end. */
function switchedOn(fields: readonly BodyField[], { pointer: [name = "", key = ""] }: BodyField): readonly Template[] {
  const numbers = fields.filter(
    ({ pointer, layers }) =>
      pointer.length === 2 && pointer[0] === name && layers.some(({ types }) => types.includes("integer")),
  );
  return numbers.reduce<readonly Template[]>(
    (bodies, { pointer }) => bodies.flatMap((body) => [1, 10].map((each) => withValue(body, pointer, each))),
    [{ [name]: { [key]: true } }],
  );
}

function isStorable(around: BodyCaseContext, updates: readonly Template[]): boolean {
  const last = updates.at(-1) ?? {};
  return isAcceptable({ ...around, acceptedBody: {} }, last) && !violatesStoredRule(around, updates);
}
