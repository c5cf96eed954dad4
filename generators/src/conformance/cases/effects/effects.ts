import type { CallStep, Case, Template } from "@plumbline/conformance-runtime";
import {
  type Effect,
  type Operation,
  type Resource,
  findField,
  schemaParts,
  findJsonContent,
} from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { callOnObjects, objectNames, pathReferences, pointerInto, readObject } from "../../requests/object-chains.js";
import { creationSteps } from "../../requests/reference-bodies.js";
import { setupStep, planRequest, type RequestPlan } from "../../requests/request-plan.js";
import { effectChangeCases } from "./changes.js";
import { effectDeletionCases } from "./deletions.js";
import { createEffectCase, effectValuesOf, planWithBody, type OperationEffect } from "./effect-cases.js";
import { objectPointerInResponse, bodyForCondition, schemaWithValue, effectValuesSchema } from "./expression-values.js";
import { keepCases } from "./kept-objects.js";
import { replacementCases } from "./replacements.js";
import { secondCallCases } from "./second-calls.js";

/** Cases of effects on other objects, before and after the call. Effects with a `verifiedBy` are left to workflows. */
export function effectCases(context: ConformanceContext): readonly Case[] {
  const cases = context.api.operations.flatMap((operation) =>
    operation.effects
      .filter(({ verifiedBy }) => verifiedBy === undefined)
      .flatMap((effect) => {
        const about = { operation, effect };
        if (effect.does === "create") return creationCases(context, about);
        if (effect.does === "delete") return effectDeletionCases(context, about);
        if (effect.does === "set" || effect.does === "add" || effect.does === "remove")
          return effectChangeCases(context, about);
        if (effect.does === "replace") return replacementCases(context, about);
        return effect.does === "keep" ? keepCases(context, about) : [];
      }),
  );
  return [...cases, ...secondCallCases(context)];
}

function creationCases(context: ConformanceContext, caused: OperationEffect): readonly Case[] {
  const { operation, effect } = caused;
  const resource = context.resources.get(effect.to ?? "");
  if (resource === undefined) return [];
  const overlay =
    effect.when === undefined ? {} : effect.when.body === undefined ? undefined : overlayOf(context, effect);
  if (overlay === undefined) return [];
  const plan = planRequest(context, operation, { objects: "own" });
  const call: CallStep = { ...planWithBody(plan.call, overlay), as: "answer" };
  return [
    ...listedCases(context, caused, { plan, call, resource }),
    ...conditionNotMetCases(context, caused, { plan, call, resource }),
    ...respondedCases(context, caused, { plan, call, resource }),
    ...shownCountCases(context, caused, { plan, call, resource }),
  ];
}

/** The body fields that trigger the effect. Empty when the plan's body triggers it. */
function overlayOf(context: ConformanceContext, { when }: Effect): Readonly<Record<string, Template>> | undefined {
  if (when?.body === undefined || Object.keys(when).length > 1) return undefined;
  // The smallest body has none of the excluded fields.
  if (when.body.not !== undefined && when.body.properties === undefined) return {};
  return bodyForCondition(context, when.body);
}

interface EffectCreation {
  readonly plan: RequestPlan;
  readonly call: CallStep;
  readonly resource: Resource;
}

/** The list has as many more objects as the call creates. */
function listedCases(
  context: ConformanceContext,
  caused: OperationEffect,
  { plan, call, resource }: EffectCreation,
): readonly Case[] {
  const { operation, effect } = caused;
  const list = context.operations.get(resource.list ?? "");
  const total = list?.pagination?.envelope.total;
  if (list === undefined || total === undefined || typeof effect.count === "object") return [];
  const lists = callOnObjects(list, objectNames(operation, plan.names));
  if (lists === undefined) return [];
  const filter = filterOf(context, list, resource, effect);
  const by = plan.call.by === undefined ? {} : { by: plan.call.by };
  const read: CallStep = { ...lists, ...by, ...filter };
  const more = effect.count ?? 1;
  const values = effectValuesSchema({ ...effect, values: constantsOf(effect) }, effectValuesOf(plan));
  const items = list.pagination?.envelope.items ?? "";
  return [
    createEffectCase(context, caused, {
      plan,
      title: effect.summary ?? `creates a new ${resource.name}`,
      steps: [
        setupStep({ ...read, as: "before" }),
        call,
        { settle: true },
        {
          ...read,
          expect: {
            body: {
              properties: {
                [total]: { const: { $sum: [{ $get: `before#/body/${total}` }, more] } },
                ...(values === undefined || filter === undefined ? {} : { [items]: { contains: values } }),
              },
              required: [total],
            },
          },
        },
      ],
    }),
  ];
}

/** No object is created when the body has the excluded field. */
function conditionNotMetCases(
  context: ConformanceContext,
  caused: OperationEffect,
  { plan, call, resource }: EffectCreation,
): readonly Case[] {
  const { operation, effect } = caused;
  const [field, ...more] = effect.when?.body?.not?.required ?? [];
  const list = context.operations.get(resource.list ?? "");
  const total = list?.pagination?.envelope.total;
  const schema = operation.requestBody && findJsonContent(operation.requestBody.contents)?.schema;
  const reference = field === undefined ? undefined : schema && findField(context.api, schema, [field])?.reference;
  if (list === undefined || total === undefined || reference === undefined || more.length > 0) return [];
  const makes = creationSteps(context, { resource: reference.to, as: "named", isOwn: true });
  const read = callOnObjects(list, objectNames(operation, plan.names));
  if (makes === undefined || read === undefined || field === undefined) return [];
  return [
    createEffectCase(context, caused, {
      plan,
      about: "otherwise-not",
      title: `with ${field} no ${resource.name} is created`,
      steps: [
        ...makes,
        { settle: true },
        setupStep({ ...read, as: "before" }),
        planWithBody(call, { [field]: pointerInto("named", `/${reference.by ?? "id"}`) }),
        { settle: true },
        { ...read, expect: { body: schemaWithValue([total], { const: { $get: `before#/body/${total}` } }) } },
      ],
    }),
  ];
}

function constantsOf({ values }: Effect): Effect["values"] {
  return Object.fromEntries(Object.entries(values).filter(([, take]) => take.kind === "value"));
}

/** A filter for objects with the values of an effect, if the list supports it. */
function filterOf(
  context: ConformanceContext,
  list: Operation,
  resource: Resource,
  effect: Effect,
): Pick<CallStep, "headers"> | undefined {
  const parameter =
    list.filter?.style === "json" && list.filter.parameter?.in === "header" ? list.filter.parameter : undefined;
  const schema = context.schemas.get(resource.name);
  const fields = Object.entries(effect.values).flatMap(([field, take]) => {
    const at = schema && findField(context.api, schema, field.split("."));
    const isFilterable =
      at !== undefined && schemaParts(context.api, at).some(({ filterable }) => filterable !== undefined);
    return take.kind === "value" && isFilterable ? [[field, take.value] as const] : [];
  });
  if (parameter === undefined || fields.length === 0) return undefined;
  return { headers: { [parameter.name]: { $json: Object.fromEntries(fields) } } };
}

/** The created object is in the response, can be read, and has the values. */
function respondedCases(
  context: ConformanceContext,
  caused: OperationEffect,
  { plan, call, resource }: EffectCreation,
): readonly Case[] {
  const { operation, effect } = caused;
  const place = objectPointerInResponse(context, operation, resource.name);
  const values = effectValuesSchema(effect, effectValuesOf(plan));
  if (place === undefined || values === undefined) return [];
  const target = pathReferences(operation).at(-1)?.reference.to;
  if (target === resource.name) return [];
  const names = { ...objectNames(operation, plan.names), [resource.name]: `answer#${place}` };
  const readCall = readObject(context, resource, names);
  return [
    createEffectCase(context, caused, {
      plan,
      about: "values",
      title: effect.summary ?? `${resource.name} has the values`,
      steps: [
        call,
        { check: { $get: `answer#${place}` }, matches: values },
        { settle: true },
        ...(readCall === undefined ? [] : [{ ...readCall, expect: { body: values } }]),
      ],
    }),
  ];
}

/** The enclosing object shows as many of them as the call creates. */
function shownCountCases(
  context: ConformanceContext,
  caused: OperationEffect,
  { plan, call, resource }: EffectCreation,
): readonly Case[] {
  const { operation, effect } = caused;
  const outer = context.resources.get(resource.parent ?? "");
  const schema = context.schemas.get(outer?.name ?? "");
  if (outer === undefined || schema === undefined || effect.of?.root !== "response") return [];
  const field = schemaParts(context.api, schema)
    .flatMap(({ properties = [] }) => properties)
    .find((property) => property.schema.items?.ref === resource.name);
  const place = objectPointerInResponse(context, operation, outer.name);
  const count = typeof effect.count === "object" ? sentCount(effect.count.pointer) : effect.count;
  if (field === undefined || place === undefined || count === undefined) return [];
  const body = operation.requestBody && findJsonContent(operation.requestBody.contents)?.schema;
  const name = typeof effect.count === "object" ? effect.count.pointer[0] : undefined;
  const countField = name === undefined || body === undefined ? {} : { [name]: 2 };
  const readCall = readObject(context, outer, {
    ...objectNames(operation, plan.names),
    [outer.name]: `answer#${place}`,
  });
  if (readCall === undefined) return [];
  return [
    createEffectCase(context, caused, {
      plan,
      title: effect.summary ?? `as many ${resource.name} are created`,
      steps: [
        planWithBody(call, countField),
        { settle: true },
        { ...readCall, as: "after" },
        { check: { $count: { $get: `after#/body/${field.name}` } }, matches: { const: count } },
      ],
    }),
  ];
}

function sentCount(pointer: readonly string[]): Template {
  return pointerInto("answer#/request/body", pointer.map((each) => `/${each}`).join(""));
}
