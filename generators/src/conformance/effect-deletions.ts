import type { CallStep, Case, Expect, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, Resource } from "../model/api.js";
import type { Context } from "./context.js";
import { bodyFor } from "./effect-values.js";
import { effectCase, withBody, type Caused } from "./effect-cases.js";
import { given, nameOf, planOf, type Plan } from "./plans.js";
import { makingOf } from "./reference-bodies.js";
import { callOn, missingAt, namesIn, namingOf, part, readOf } from "./resource-paths.js";

/** Cases of effects that delete objects in a named one: found before, not found after; those of other objects remain. */
export function deletionCases(context: Context, caused: Caused): readonly Case[] {
  const { operation, effect } = caused;
  const resource = context.resources.get(effect.to ?? "");
  if (resource === undefined || effect.of?.root !== "request") return [];
  const plan = planOf(context, operation, { objects: "own" });
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
  readonly plan: Plan;
  readonly resource: Resource;
}

function outerOf(
  operation: Operation,
  plan: Plan,
  parameter: string | undefined,
): { readonly resource: string; readonly name: string } | undefined {
  const naming = namingOf(operation).find(({ name }) => name === parameter);
  const name = plan.names[naming?.name ?? ""];
  return naming === undefined || name === undefined ? undefined : { resource: naming.reference.to, name };
}

/** Two calls: the second deletes what the first created. */
function replacedCases(context: Context, caused: Caused, { plan, resource }: Deletion): readonly Case[] {
  const { operation, effect } = caused;
  const names = namesIn(operation, plan.names);
  const first = readOf(context, resource, { ...names, [resource.name]: "first#/body" });
  const second = readOf(context, resource, { ...names, [resource.name]: "second#/body" });
  const gone = goneFrom(context, resource);
  if (first === undefined || second === undefined || gone === undefined) return [];
  return [
    effectCase(context, caused, {
      plan,
      title: effect.summary ?? `the earlier ${resource.name} is deleted`,
      steps: [
        given({ ...plan.call, as: "first" }),
        { settle: true },
        given(first),
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
  context: Context,
  caused: Caused,
  { plan, resource, outer }: Deletion & { readonly outer: { readonly resource: string; readonly name: string } },
): readonly Case[] {
  const { operation, effect } = caused;
  const within = namesIn(operation, plan.names);
  const gone = goneFrom(context, resource);
  const other = makingOf(context, { resource: outer.resource, as: `${outer.name}Kept`, fresh: true });
  const inner = nameOf(resource.name);
  const makes = makingOf(context, { resource: resource.name, as: inner, within });
  const keeps = { ...within, [outer.resource]: `${outer.name}Kept` };
  const keptMakes = makingOf(context, { resource: resource.name, as: `${inner}Kept`, within: keeps });
  const read = readOf(context, resource, { ...within, [resource.name]: inner });
  const kept = readOf(context, resource, { ...keeps, [resource.name]: `${inner}Kept` });
  if (gone === undefined || read === undefined || kept === undefined) return [];
  if (other === undefined || makes === undefined || keptMakes === undefined) return [];
  return [
    effectCase(context, caused, {
      plan,
      title: effect.summary ?? `every ${resource.name} is deleted`,
      steps: [
        ...makes,
        ...other,
        ...keptMakes,
        { settle: true },
        given(read),
        plan.call,
        { settle: true },
        { ...read, expect: gone },
        kept,
      ],
    }),
  ];
}

/** Objects in the object that the body names: deleted when the condition holds, else kept. */
function overwrittenCases(
  context: Context,
  caused: Caused,
  { plan, resource, field }: Deletion & { readonly field: string },
): readonly Case[] {
  const { effect } = caused;
  const list = context.operations.get(resource.list ?? "");
  const items = list?.pagination?.envelope.items;
  const outer = list && namingOf(list).at(-1)?.reference.to;
  const overlay = effect.when?.body === undefined ? {} : bodyFor(context, effect.when.body);
  if (list === undefined || items === undefined || outer === undefined || overlay === undefined) return [];
  const inner = nameOf(resource.name);
  const target = makingOf(context, { resource: outer, as: "target", fresh: true });
  const makes = makingOf(context, { resource: resource.name, as: inner, within: { [outer]: "target" }, fresh: true });
  const lists = callOn(list, { [outer]: "target" });
  if (target === undefined || makes === undefined || lists === undefined) return [];
  const isThis: Template = { properties: { id: { const: part(inner, "/id") } }, required: ["id"] };
  const listing = (schema: Template): CallStep => ({
    ...lists,
    expect: { body: { properties: { [items]: schema }, required: [items] } },
  });
  const named = { [field]: { $get: "target#/id" } };
  const unmet = Object.fromEntries(
    Object.entries(overlay).flatMap(([name, value]) => (typeof value === "boolean" ? [[name, !value] as const] : [])),
  );
  const steps = (body: Readonly<Record<string, Template>>, after: Template): readonly Step[] => [
    ...target,
    ...makes,
    { settle: true },
    given(listing({ contains: isThis })),
    withBody(plan.call, { ...named, ...body }),
    { settle: true },
    listing(after),
  ];
  const summary = effect.summary ?? `every ${resource.name} is deleted`;
  return [
    effectCase(context, caused, { plan, title: summary, steps: steps(overlay, { not: { contains: isThis } }) }),
    ...(Object.keys(unmet).length === 0
      ? []
      : [
          effectCase(context, caused, {
            plan,
            about: "otherwise-not",
            title: `otherwise no ${resource.name} is deleted`,
            steps: steps(unmet, { contains: isThis }),
          }),
        ]),
  ];
}

/** The expected response of a read after the deletion. */
function goneFrom(context: Context, resource: Resource): Expect | undefined {
  const read = context.operations.get(resource.read ?? "");
  const last = read && namingOf(read).at(-1);
  return read === undefined || last === undefined ? undefined : missingAt(context, read, last);
}
