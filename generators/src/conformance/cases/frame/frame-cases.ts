import type { Case, FrameInfo, FrameRead, FrameStep, MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { objectName } from "../../context/object-name.js";
import { acceptedCall } from "../../possible-cases.js";
import { storedVariants } from "../../requests/acceptable-body.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { acceptedPlan } from "../../requests/callers.js";
import { hasSuccess } from "../../requests/documented-statuses.js";
import { fixtureNamed, withParents } from "../../requests/fixtures.js";
import { objectChain, pathReferences } from "../../requests/object-chains.js";
import { hasKnownPath, setupStep, type RequestPlan } from "../../requests/request-plan.js";
import { isPlainObject } from "../../values/partial-evaluation.js";
import { escapePointerToken } from "../../values/pointer-token.js";
import { objectsOfCaller, otherClient, withSettingsOfCaller } from "./callers.js";
import { isCounted, isFresh, withOtherNames } from "./creations.js";
import { bodiesOf, fillOf, updateContext } from "./field-updates.js";
import { claimsOf, hasStatedResources } from "./frame-claims.js";
import { frameReads } from "./frame-reads.js";
import { fieldsOfResources } from "./frame-values.js";
import { surroundings } from "./objects-around.js";
import { claimsOfTime } from "./time-claims.js";

/** For each operation that changes something, a case that nothing else changes. Of an update, a case for each field. */
export function frameCases(context: ConformanceContext): readonly Case[] {
  const reads = frameReads(context);
  if (reads.length === 0) return [];
  // Of an inferred resource, nothing is known but that its other objects stay.
  const listed = new Set(reads.flatMap(({ list, resource }) => (list === undefined ? [] : [resource])));
  const isStated = hasStatedResources(context);
  const isVisible = (operation: Operation): boolean =>
    isStated || (operation.method !== "POST" && listed.has(pathReferences(operation).at(-1)?.reference.to));
  return context.api.operations
    .filter((each) => isChecked(context, each) && isVisible(each))
    .flatMap((each) => casesOf(context, each));
}

function isChecked(context: ConformanceContext, operation: Operation): boolean {
  const { method, path } = operation;
  const isChange = method === "PUT" || method === "PATCH" || method === "DELETE" || method === "POST";
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
  const shared = [
    ...new Map(makes.map((step) => sharedStep(step)).map((step) => [JSON.stringify(step), step] as const)).values(),
  ]
    .filter(({ make }) => !make.includes("@"))
    .toSorted((a, b) => Object.keys(a.of ?? {}).length - Object.keys(b.of ?? {}).length);
  const updated = new Set(own.flatMap(({ steps }) => steps.flatMap(copiesIn)));
  const filled = context.api.operations.flatMap((operation) => fillingSteps(context, operation));
  // Filled after what creates others, and before what others have: a fault of these requests must not hide its own effect.
  const world = [
    ...shared,
    ...shared.flatMap((step) => bareOne(context, step)),
    ...shared.map((step) => copyOf(step, 2)),
    ...shared.filter(({ make }) => updated.has(make)).map((step) => copyOf(step, 3)),
    ...objectsInStates(context),
    ...filled,
    ...shared.flatMap(objectsOfOthers),
  ];
  return { reads, world, always: claimsOfTime(context), fields: fieldsOfResources(context) };
}

/** The resources of objects that a case has besides the one that it updates. */
function copiesIn(step: Step): readonly string[] {
  const around = "frame" in step ? (step.around ?? []) : [];
  return around.flatMap((each) => ("make" in each && each.copy !== undefined ? [each.make] : []));
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

/** An object in each later state, where requests alone lead to it. The latest come first: a fault on the way would change the others. */
function objectsInStates(context: ConformanceContext): readonly Step[] {
  const names = context.api.stateMachines.flatMap(({ resource, initial, states }) =>
    states
      .filter((state) => initial.every(({ to, then }) => to !== state && !then.includes(state)))
      .map((state) => `${resource}@${state}`)
      .toReversed(),
  );
  const reached = names.filter(
    (name) =>
      !Object.hasOwn(context.settings.fixtures, name) &&
      fixtureNamed(context, name)?.steps.every((step) => "call" in step || "make" in step),
  );
  return withParents(
    context,
    reached.map((name): MakeStep => ({ make: name, as: objectName(name), fresh: true })),
  );
}

/** Another object that the cases share. */
function copyOf<Given extends Step>(step: Given, copy: number): Given {
  return "make" in step ? { ...step, as: `${step.as}${copy}`, copy } : step;
}

/** One without what the others share, if a user may have any number. */
function bareOne(context: ConformanceContext, step: MakeStep): readonly MakeStep[] {
  const hasOthers = Object.hasOwn(fieldsOfResources(context), step.make);
  return !hasOthers || isCounted(context, step.make) ? [] : [{ ...step, as: `${step.as}5`, fresh: true, bare: true }];
}

/** The same for another user and for another account: what is in no other object. */
function objectsOfOthers({ of, ...step }: MakeStep): readonly MakeStep[] {
  if (of !== undefined) return [];
  return [
    { ...step, as: `${step.as}6`, fresh: true, by: { user: "second" } },
    { ...step, as: `${step.as}4`, fresh: true, by: "other-account" },
  ];
}

/** Updates that give each field of the shared object a value, if it has several another one than the cases send. */
function fillingSteps(context: ConformanceContext, operation: Operation): readonly Step[] {
  const around = updateContext(context, operation);
  if (around === undefined || around.shared.call.by !== undefined) return [];
  const updates = bodiesOf({ ...around, own: around.shared }).flatMap(({ setupSteps, body, other = body }) => [
    ...setupSteps,
    setupStep({ ...around.shared.call, body: other }),
  ]);
  const name = Object.values(around.shared.names).at(-1);
  if (name === undefined) return updates;
  const second = new Map([[name, `${name}2`]]);
  return [
    ...updates,
    ...updates.map((step) => ("make" in step && step.as === name ? copyOf(step, 2) : withOtherNames(step, second))),
  ];
}

function casesOf(context: ConformanceContext, operation: Operation): readonly Case[] {
  const around = updateContext(context, operation);
  const updates = around === undefined ? [] : bodiesOf(around);
  if (around !== undefined && updates.length > 0)
    return updates.map((update) => {
      const { field, body, earlier, setupSteps } = update;
      const steps = setupSteps.map((step) =>
        hasNumbers(context, step, field) ? { ...step, bare: true as const } : step,
      );
      const plan = { ...around.own, setupSteps: steps, call: { ...around.own.call, body } };
      const fill = fillOf(around, updates, update);
      const copies = isOneWay(around, field) ? {} : copiesOfTarget(around, plan, fill);
      return createFrameCase(context, { plan, about: field, earlier, fill, ...copies });
    });
  const plan = withSettingsOfCaller(context, acceptedPlan(context, operation));
  return [createFrameCase(context, { plan, ...surroundings(context, plan) })];
}

/** True for a new object with numbers in the field, which the server compares with what the update sends. */
function hasNumbers(context: ConformanceContext, step: Step, field: string): boolean {
  return "make" in step && isFresh(step) && isPlainObject(fieldsOfResources(context)[step.make]?.[field] ?? null);
}

/** True for a field whose change cannot be undone, so that it is a step of its own for the platform. */
function isOneWay({ fields }: BodyCaseContext, field: string): boolean {
  return fields.some(
    ({ pointer: [name = ""], property }) =>
      escapePointerToken(name) === field && property?.mutability?.rule === "one-way",
  );
}

/**
 * For an update of an object that cases share: one of its copies is filled alike, and another one updated, too. For one of an object of the
 * case alone: another new one is updated, and once only.
 */
function copiesOfTarget(
  around: BodyCaseContext,
  plan: RequestPlan,
  fill: Template | undefined,
): Pick<FrameStep, "twin" | "around" | "beside"> {
  const target = plan.setupSteps.findLast((step) => "make" in step);
  const name = Object.values(plan.names).at(-1);
  if (target === undefined || !("make" in target) || target.as !== name) return {};
  const { context } = around;
  if (isFresh(target)) {
    const as = `${name}-second`;
    const second = { ...plan, call: withOtherNames(plan.call, new Map([[name, as]])) };
    const [created] = storedVariants(around);
    return {
      around: [{ ...target, as }],
      beside: [{ frame: second.call, may: claimsOf(context, second, created?.stored) }],
    };
  }
  const [second, third] = [2, 3].map((copy) => withOtherNames(plan.call, new Map([[name, `${name}${copy}`]])));
  const other = third && { ...plan, call: third };
  return {
    ...(fill === undefined ? {} : { twin: second?.path }),
    around: [...(fill === undefined ? [] : [copyOf(target, 2)]), copyOf(target, 3)],
    beside: other && [{ frame: other.call, may: claimsOf(context, other) }],
  };
}

/** The parts of a case: bodies of earlier calls, and the field that it is about. */
interface FrameCaseParts extends Pick<FrameStep, "fill" | "twin" | "earlier" | "around" | "beside"> {
  readonly plan: RequestPlan;
  readonly about?: string;
}

function createFrameCase(context: ConformanceContext, { plan, about, ...parts }: FrameCaseParts): Case {
  const { operation } = plan;
  const { steps: ofClient, client } = otherClient(context, plan);
  const step: FrameStep = { frame: acceptedCall(context, plan), may: claimsOf(context, plan), ...parts, client };
  return createCase(context, {
    operation,
    kind: "frame",
    idParts: ["frame", ...(about === undefined ? [] : [about])],
    title: `${operation.summary ?? operation.name}: ${about === undefined ? "" : `${about}: `}nothing else changes`,
    requirements: requirementIds(operation.sources),
    requires: plan.requires,
    exclusive: plan.exclusive,
    // Objects of the case alone are ready before; what the settings prepare may not outlast the jobs of the platform.
    steps: [
      ...plan.setupSteps,
      ...objectsOfCaller(context, plan),
      ...ofClient,
      ...(plan.setupSteps.some(isFresh) ? [{ settle: true } as const] : []),
      step,
    ],
  });
}
