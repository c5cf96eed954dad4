import type { CallStep, Case, Step, Template } from "@plumbline/conformance-runtime";
import {
  type Operation,
  type Resource,
  findField,
  collectFields,
  schemaParts,
  findJsonContent,
} from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { objectNames, pathReferences, pointerInto, readObject } from "../../requests/object-chains.js";
import { createdObjectName, creationSteps } from "../../requests/reference-bodies.js";
import { setupStep, planRequest, type RequestPlan } from "../../requests/request-plan.js";
import { createEffectCase, effectValuesOf, planWithBody, type OperationEffect } from "./effect-cases.js";
import {
  objectPointerInResponse,
  schemaWithValue,
  effectValuesSchema,
  expressionTemplate,
} from "./expression-values.js";
import { effectItemCases } from "./items.js";

/** Cases of effects that set fields of another object, and that add to or remove from its lists. */
export function effectChangeCases(context: ConformanceContext, caused: OperationEffect): readonly Case[] {
  const { effect } = caused;
  const to = effect.to ?? "";
  if (effect.does === "set" && !to.includes("*") && effect.except === undefined) return setCases(context, caused);
  if (effect.does === "set") return effectItemCases(context, caused);
  if (effect.does === "add" && to.startsWith("$request.body#/") && to.endsWith("/*")) return addCases(context, caused);
  return [];
}

/** How a case reads the object that an effect changes. */
interface AffectedObject {
  readonly read: CallStep;
  /** True when the call creates the object. */
  readonly isCreated?: true;
}

function affectedObject(
  context: ConformanceContext,
  { operation, effect }: OperationEffect,
  plan: RequestPlan,
): AffectedObject | undefined {
  const to = effect.to ?? "";
  const names = objectNames(operation, plan.names);
  const by = plan.call.by === undefined ? {} : { by: plan.call.by };
  const single = context.resources.get(to);
  if (single !== undefined) {
    const readCall = readObject(context, single, {});
    return readCall === undefined ? undefined : { read: { ...readCall, ...by } };
  }
  const last = pathReferences(operation).at(-1);
  const resource = context.resources.get(last?.reference.to ?? "");
  if (resource === undefined || last === undefined) return undefined;
  if (to === `$request.path.${last.name}`) {
    const readCall = readObject(context, resource, names);
    return readCall === undefined ? undefined : { read: readCall };
  }
  if (to !== "$response.body#/id") return undefined;
  const answered = context.api.resources.find(
    (each) => objectPointerInResponse(context, operation, each.name) === "/body",
  );
  const readCall = readObject(context, answered, { ...names, [answered?.name ?? ""]: "answer#/body" });
  return readCall === undefined ? undefined : { read: readCall, isCreated: true };
}

function setCases(context: ConformanceContext, caused: OperationEffect): readonly Case[] {
  const { operation, effect } = caused;
  const plan = planWithFilledLists(context, caused, planRequest(context, operation, { objects: "own" }));
  const about = affectedObject(context, caused, plan);
  const target = targetOf(context, operation);
  const reads = target === undefined ? undefined : readObject(context, target, objectNames(operation, plan.names));
  const values = effectValuesSchema(effect, effectValuesOf(plan, reads === undefined ? undefined : "target#/body"));
  if (about === undefined || values === undefined) return [];
  const isMade = about.isCreated === true;
  return [
    createEffectCase(context, caused, {
      plan,
      title: effect.summary ?? "the effect sets the values",
      steps: [
        ...(reads === undefined ? [] : [setupStep({ ...reads, as: "target" })]),
        // An object that already has the values would not show the effect.
        ...(isMade ? [] : [setupStep({ ...about.read, expect: { body: { not: values } } })]),
        { ...plan.call, as: "answer" },
        { settle: true },
        { ...about.read, expect: { body: values } },
      ],
    }),
  ];
}

function targetOf(context: ConformanceContext, operation: Operation): Resource | undefined {
  return context.resources.get(pathReferences(operation).at(-1)?.reference.to ?? "");
}

/** Fills lists of the path's object that the effect copies. */
function planWithFilledLists(context: ConformanceContext, { effect }: OperationEffect, plan: RequestPlan): RequestPlan {
  const copied = Object.values(effect.values).flatMap((take) =>
    take.kind === "from" && take.from.root === "target" && take.from.pointer.length === 1 ? take.from.pointer : [],
  );
  const target = targetOf(context, plan.operation);
  const schema = context.schemas.get(target?.name ?? "");
  if (target === undefined || schema === undefined || copied.length === 0) return plan;
  const lists = copied.flatMap((field) => {
    const items = findField(context.api, schema, [field])?.items;
    const reference = items && schemaParts(context.api, items).find((each) => each.reference !== undefined)?.reference;
    return reference === undefined ? [] : [{ field, reference }];
  });
  const makes = lists.flatMap(
    ({ reference: { to } }) => creationSteps(context, { resource: to, as: createdObjectName(to), isOwn: true }) ?? [],
  );
  const laid = Object.fromEntries(
    lists.map(
      ({ field, reference: { to, by = "id" } }) => [field, [pointerInto(createdObjectName(to), `/${by}`)]] as const,
    ),
  );
  const before = plan.setupSteps.map((step): Step => {
    if (!("make" in step) || step.make !== target.name || step.fresh !== true) return step;
    return { ...step, with: { $merge: [step.with ?? {}, laid] } };
  });
  return { ...plan, setupSteps: [...makes, ...before] };
}

/** Every object that the body lists has the value after the call, and not before. */
function addCases(context: ConformanceContext, caused: OperationEffect): readonly Case[] {
  const { operation, effect } = caused;
  const listed = /^\$request\.body#\/(\w+)\/\*$/.exec(effect.to ?? "")?.[1];
  const body = operation.requestBody && findJsonContent(operation.requestBody.contents)?.schema;
  if (listed === undefined || body === undefined) return [];
  const field = collectFields(context.api, body).find(({ pointer }) => pointer.join("/") === `${listed}/*`);
  const resource = context.resources.get(field?.schema.reference?.to ?? "");
  if (resource === undefined) return [];
  const as = createdObjectName(resource.name);
  const makes = creationSteps(context, { resource: resource.name, as, isOwn: true });
  const others = creationSteps(context, { resource: resource.name, as: `${as}Kept`, isOwn: true });
  const readCall = readObject(context, resource, { [resource.name]: as });
  const readKept = readObject(context, resource, { [resource.name]: `${as}Kept` });
  const [name, take] = Object.entries(effect.values)[0] ?? [];
  const plan = planRequest(context, operation, { objects: "own" });
  const value = take?.kind === "from" ? expressionTemplate(take.from, effectValuesOf(plan)) : undefined;
  if (makes === undefined || others === undefined || readCall === undefined || readKept === undefined) return [];
  if (name === undefined || value === undefined) return [];
  const has: Template = schemaWithValue([name], { contains: { const: value } });
  const earlier = earlierIn(context, resource, name);
  const had: Template = schemaWithValue([name], { contains: { const: earlier?.value ?? null } });
  return [
    createEffectCase(context, caused, {
      plan,
      title: effect.summary ?? `each of ${listed} has it`,
      steps: [
        ...(earlier?.makes ?? []),
        ...makes.map((step) =>
          step.as === as && earlier !== undefined ? { ...step, with: { [name]: [earlier.value] } } : step,
        ),
        ...others,
        { settle: true },
        { ...planWithBody(plan.call, { [listed]: [pointerInto(as, "/id")] }), as: "answer" },
        { settle: true },
        { ...readCall, expect: { body: earlier === undefined ? has : { allOf: [has, had] } } },
        { ...readKept, expect: { body: { not: has } } },
      ],
    }),
  ];
}

/** An earlier item of the list, if its items reference objects that can be created. */
function earlierIn(
  context: ConformanceContext,
  resource: Resource,
  field: string,
): { readonly makes: readonly Step[]; readonly value: Template } | undefined {
  const schema = context.schemas.get(resource.name);
  const items = schema && findField(context.api, schema, [field])?.items;
  const reference = items && schemaParts(context.api, items).find((each) => each.reference !== undefined)?.reference;
  if (reference === undefined) return undefined;
  const makes = creationSteps(context, { resource: reference.to, as: "earlier", isOwn: true });
  return makes === undefined ? undefined : { makes, value: pointerInto("earlier", `/${reference.by ?? "id"}`) };
}
