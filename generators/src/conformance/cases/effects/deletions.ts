import type { CallStep, Case, Expectation, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, Resource } from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { objectName } from "../../context/object-name.js";
import { fixturesOf } from "../../requests/fixtures.js";
import {
  callOnObjects,
  expectMissing,
  objectNames,
  pathReferences,
  pointerInto,
  readObject,
} from "../../requests/object-chains.js";
import { creationSteps } from "../../requests/reference-bodies.js";
import { setupStep, planRequest, type RequestPlan } from "../../requests/request-plan.js";
import { createEffectCase, planWithBody, type OperationEffect } from "./effect-cases.js";
import { bodyForCondition } from "./expression-values.js";

/** Cases of effects that delete objects in a named one: found before, not found after; those of other objects remain. */
export function effectDeletionCases(context: ConformanceContext, caused: OperationEffect): readonly Case[] {
  const { operation, effect } = caused;
  const resource = context.resources.get(effect.to ?? "");
  if (resource === undefined || effect.of?.root !== "request") return [];
  const plan = planRequest(context, operation, { objects: "own" });
  if (effect.except !== undefined) return replacedCases(context, caused, { plan, resource });
  const outer = outerOf(operation, plan, effect.of.name);
  if (effect.of.part === "path" && outer !== undefined && effect.when === undefined)
    return emptiedCases(context, caused, { plan, resource, outer });
  const [field, ...more] = effect.of.pointer;
  if (effect.of.part === "body" && field !== undefined && more.length === 0)
    return overwrittenCases(context, caused, { plan, resource, field });
  return [];
}

interface Deletion {
  readonly plan: RequestPlan;
  readonly resource: Resource;
}

function outerOf(
  operation: Operation,
  plan: RequestPlan,
  parameter: string | undefined,
): { readonly resource: string; readonly name: string } | undefined {
  const naming = pathReferences(operation).find(({ name }) => name === parameter);
  const name = plan.names[naming?.name ?? ""];
  return naming === undefined || name === undefined ? undefined : { resource: naming.reference.to, name };
}

/** Two calls: the second deletes what the first created. */
function replacedCases(
  context: ConformanceContext,
  caused: OperationEffect,
  { plan, resource }: Deletion,
): readonly Case[] {
  const { operation, effect } = caused;
  const names = objectNames(operation, plan.names);
  const first = readObject(context, resource, { ...names, [resource.name]: "first#/body" });
  const second = readObject(context, resource, { ...names, [resource.name]: "second#/body" });
  const gone = expectDeleted(context, resource);
  if (first === undefined || second === undefined || gone === undefined) return [];
  return [
    createEffectCase(context, caused, {
      plan,
      title: effect.summary ?? `the earlier ${resource.name} is deleted`,
      steps: [
        setupStep({ ...plan.call, as: "first" }),
        { settle: true },
        setupStep(first),
        { ...plan.call, as: "second" },
        { settle: true },
        { ...first, expect: gone },
        second,
      ],
    }),
  ];
}

/** All objects in the path's object are deleted, and none in another. */
function emptiedCases(
  context: ConformanceContext,
  caused: OperationEffect,
  { plan, resource, outer }: Deletion & { readonly outer: { readonly resource: string; readonly name: string } },
): readonly Case[] {
  const { operation, effect } = caused;
  const within = objectNames(operation, plan.names);
  const gone = expectDeleted(context, resource);
  const other = creationSteps(context, { resource: outer.resource, as: `${outer.name}Kept`, isOwn: true });
  const inner = objectName(resource.name);
  const makes = creationSteps(context, { resource: resource.name, as: inner, parents: within });
  // Objects of other kinds, which the settings have as `Resource~kind`, are deleted as well.
  const kinds = Object.keys(fixturesOf(context)).filter((each) => each.startsWith(`${resource.name}~`));
  const others = kinds.flatMap((fixture, index) => {
    const as = `${inner}Other${index}`;
    const steps = creationSteps(context, { resource: resource.name, as, parents: within, fixture, isOwn: true });
    const reads = readObject(context, resource, { ...within, [resource.name]: as });
    return steps === undefined || reads === undefined ? [] : [{ steps, read: reads }];
  });
  const keeps = { ...within, [outer.resource]: `${outer.name}Kept` };
  const keptMakes = creationSteps(context, { resource: resource.name, as: `${inner}Kept`, parents: keeps });
  const readCall = readObject(context, resource, { ...within, [resource.name]: inner });
  const readKept = readObject(context, resource, { ...keeps, [resource.name]: `${inner}Kept` });
  if (gone === undefined || readCall === undefined || readKept === undefined) return [];
  if (other === undefined || makes === undefined || keptMakes === undefined) return [];
  return [
    createEffectCase(context, caused, {
      plan,
      title: effect.summary ?? `every ${resource.name} is deleted`,
      steps: [
        ...makes,
        ...others.flatMap(({ steps }) => steps),
        ...other,
        ...keptMakes,
        { settle: true },
        ...[{ read: readCall }, ...others].map((each) => setupStep(each.read)),
        plan.call,
        { settle: true },
        ...[{ read: readCall }, ...others].map((each) => ({ ...each.read, expect: gone })),
        readKept,
      ],
    }),
  ];
}

/** Objects in the object that the body names: deleted when the condition holds, else kept. */
function overwrittenCases(
  context: ConformanceContext,
  caused: OperationEffect,
  { plan, resource, field }: Deletion & { readonly field: string },
): readonly Case[] {
  const { effect } = caused;
  const list = context.operations.get(resource.list ?? "");
  const items = list?.pagination?.envelope.items;
  const outer = list && pathReferences(list).at(-1)?.reference.to;
  const overlay = effect.when?.body === undefined ? {} : bodyForCondition(context, effect.when.body);
  if (list === undefined || items === undefined || outer === undefined || overlay === undefined) return [];
  const inner = objectName(resource.name);
  const target = creationSteps(context, { resource: outer, as: "target", isOwn: true });
  const makes = creationSteps(context, {
    resource: resource.name,
    as: inner,
    parents: { [outer]: "target" },
    isOwn: true,
  });
  const lists = callOnObjects(list, { [outer]: "target" });
  if (target === undefined || makes === undefined || lists === undefined) return [];
  const isThis: Template = { properties: { id: { const: pointerInto(inner, "/id") } }, required: ["id"] };
  const listing = (schema: Template): CallStep => ({
    ...lists,
    expect: { body: { properties: { [items]: schema }, required: [items] } },
  });
  const unmet = Object.fromEntries(
    Object.entries(overlay).flatMap(([name, value]) => (typeof value === "boolean" ? [[name, !value] as const] : [])),
  );
  const steps = (body: Readonly<Record<string, Template>>, after: Template): readonly Step[] => [
    ...target,
    ...makes,
    { settle: true },
    setupStep(listing({ contains: isThis })),
    planWithBody(plan.call, { [field]: { $get: "target#/id" }, ...body }),
    { settle: true },
    listing(after),
  ];
  const summary = effect.summary ?? `every ${resource.name} is deleted`;
  return [
    createEffectCase(context, caused, { plan, title: summary, steps: steps(overlay, { not: { contains: isThis } }) }),
    ...(Object.keys(unmet).length === 0
      ? []
      : [
          createEffectCase(context, caused, {
            plan,
            about: "otherwise-not",
            title: `otherwise no ${resource.name} is deleted`,
            steps: steps(unmet, { contains: isThis }),
          }),
        ]),
  ];
}

/** The expected response of a read after the deletion. */
function expectDeleted(context: ConformanceContext, resource: Resource): Expectation | undefined {
  const readOperation = context.operations.get(resource.read ?? "");
  const last = readOperation && pathReferences(readOperation).at(-1);
  return readOperation === undefined || last === undefined ? undefined : expectMissing(context, readOperation, last);
}
