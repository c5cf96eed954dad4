import type { Case, FrameInfo, FrameStep, MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { acceptedCall } from "../../possible-cases.js";
import { prepareAcceptable } from "../../requests/acceptable-body.js";
import { bodyCaseContext, type BodyCaseContext } from "../../requests/body-request.js";
import { acceptedPlan } from "../../requests/callers.js";
import { hasSuccess } from "../../requests/documented-statuses.js";
import { hasKnownPath, setupStep, type RequestPlan } from "../../requests/request-plan.js";
import { escapePointerToken } from "../../values/pointer-token.js";
import { bodyWithOnly } from "../bodies/partial-updates.js";
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

/** What all frame cases read, and the objects that they read: what the cases share, twice, with other values than the initial ones. */
export function frameInfo(context: ConformanceContext, cases: readonly Case[]): FrameInfo | undefined {
  const own = cases.filter(({ kind }) => kind === "frame");
  if (own.length === 0) return undefined;
  const makes = own.flatMap(({ steps }) => steps).filter((step) => "make" in step);
  const shared = [...new Map(makes.map((step) => [JSON.stringify(step), step] as const)).values()]
    .filter(({ fresh, make }) => fresh !== true && !make.includes("@"))
    .toSorted((a, b) => Object.keys(a.of ?? {}).length - Object.keys(b.of ?? {}).length);
  const filled = context.api.operations.flatMap((operation) => fillingSteps(context, operation));
  const world = [...shared, ...filled, ...shared.map(anotherOf), ...shared.flatMap(objectsOfOthers)];
  return { reads: frameReads(context), world, always: claimsOfTime(context) };
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
  if (around === undefined || around.own.call.by !== undefined) return [];
  return bodiesOf(around).flatMap(({ setupSteps, body }) => [
    ...setupSteps,
    setupStep({ ...around.own.call, body }),
  ]);
}

function casesOf(context: ConformanceContext, operation: Operation): readonly Case[] {
  const around = updateContext(context, operation);
  const updates = around === undefined ? [] : bodiesOf(around);
  if (around !== undefined && updates.length > 0)
    return updates.map(({ field, body, setupSteps }) =>
      createFrameCase(context, {
        plan: { ...around.own, setupSteps, call: { ...around.own.call, body } },
        about: field,
      }),
    );
  return [createFrameCase(context, { plan: acceptedPlan(context, operation) })];
}

function createFrameCase(
  context: ConformanceContext,
  { plan, about }: { readonly plan: RequestPlan; readonly about?: string },
): Case {
  const { operation } = plan;
  const step: FrameStep = { frame: acceptedCall(context, plan), may: claimsOf(context, plan) };
  return createCase(context, {
    operation,
    kind: "frame",
    idParts: ["frame", ...(about === undefined ? [] : [about])],
    title: `${operation.summary ?? operation.name}: ${about === undefined ? "" : `${about}: `}nothing else changes`,
    requirements: requirementIds(operation.sources),
    requires: plan.requires,
    exclusive: plan.exclusive,
    steps: [...plan.setupSteps, step],
  });
}

/** An update of the object that the cases share. */
function updateContext(context: ConformanceContext, operation: Operation): BodyCaseContext | undefined {
  if (operation.method !== "PUT" && operation.method !== "PATCH") return undefined;
  const around = bodyCaseContext(context, operation);
  if (around?.read === undefined || acceptedPlan(context, operation).usedUp.length > 0) return undefined;
  return { ...around, own: around.shared };
}

interface FieldUpdate {
  readonly field: string;
  readonly body: Template;
  readonly setupSteps: readonly Step[];
}

/** Bodies with one field each, beside what the body requires. */
function bodiesOf(around: BodyCaseContext): readonly FieldUpdate[] {
  const top = around.fields.filter(({ pointer, readOnly }) => pointer.length === 1 && !readOnly);
  return top.flatMap((field) => {
    const only = bodyWithOnly(around, field);
    const body = only && withUniqueTexts(around, only, undefined).body;
    const prepared = body === undefined ? undefined : prepareAcceptable(around, body, field);
    const [name = ""] = field.pointer;
    return prepared === undefined ? [] : [{ field: escapePointerToken(name), ...prepared }];
  });
}
