import type { CallStep, Case, Template } from "@plumbline/conformance-runtime";
import type { Effect, Operation, Parameter, Resource } from "../model/api.js";
import { fieldAt, partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import type { Context } from "./context.js";
import { effectCase, knownIn, withBody, type Caused } from "./effect-cases.js";
import { changeCases } from "./effect-changes.js";
import { answeredAt, bodyFor, having, schemaOfValues } from "./effect-values.js";
import { deletionCases } from "./effect-deletions.js";
import { keepCases } from "./effect-keeping.js";
import { replacementCases } from "./effect-replacements.js";
import { given, planOf, type Plan } from "./plans.js";
import { makingOf } from "./reference-bodies.js";
import { callOn, namesIn, namingOf, part, readOf } from "./resource-paths.js";

/** Cases of effects on other objects, before and after the call. Effects with a `proof` are left to workflows. */
export function effectCases(context: Context): readonly Case[] {
  return context.api.operations.flatMap((operation) =>
    operation.effects
      .filter(({ proof }) => proof === undefined)
      .flatMap((effect) => {
        const about = { operation, effect };
        if (effect.does === "create") return creationCases(context, about);
        if (effect.does === "delete") return deletionCases(context, about);
        if (effect.does === "set" || effect.does === "add" || effect.does === "remove")
          return changeCases(context, about);
        if (effect.does === "replace") return replacementCases(context, about);
        return effect.does === "keep" ? keepCases(context, about) : [];
      }),
  );
}

function creationCases(context: Context, caused: Caused): readonly Case[] {
  const { operation, effect } = caused;
  const resource = context.resources.get(effect.to ?? "");
  if (resource === undefined) return [];
  const overlay =
    effect.when === undefined ? {} : effect.when.body === undefined ? undefined : overlayOf(context, effect);
  if (overlay === undefined) return [];
  const plan = planOf(context, operation, { objects: "own" });
  const call: CallStep = { ...withBody(plan.call, overlay), as: "answer" };
  return [
    ...listedCases(context, caused, { plan, call, resource }),
    ...otherwiseCases(context, caused, { plan, call, resource }),
    ...answeredCases(context, caused, { plan, call, resource }),
    ...shownCases(context, caused, { plan, call, resource }),
  ];
}

/** The body fields that trigger the effect. Empty when the plan's body triggers it. */
function overlayOf(context: Context, { when }: Effect): Readonly<Record<string, Template>> | undefined {
  if (when?.body === undefined || Object.keys(when).length > 1) return undefined;
  // The smallest body has none of the excluded fields.
  if (when.body.not !== undefined && when.body.properties === undefined) return {};
  return bodyFor(context, when.body);
}

interface Creation {
  readonly plan: Plan;
  readonly call: CallStep;
  readonly resource: Resource;
}

/** The list has as many more objects as the call creates. */
function listedCases(context: Context, caused: Caused, { plan, call, resource }: Creation): readonly Case[] {
  const { operation, effect } = caused;
  const list = context.operations.get(resource.list ?? "");
  const total = list?.pagination?.envelope.total;
  if (list === undefined || total === undefined || typeof effect.count === "object") return [];
  const lists = callOn(list, namesIn(operation, plan.names));
  if (lists === undefined) return [];
  const filter = filterOf(context, list, resource, effect);
  const by = plan.call.by === undefined ? {} : { by: plan.call.by };
  const read: CallStep = { ...lists, ...by, ...filter };
  const more = effect.count ?? 1;
  const values = schemaOfValues({ ...effect, values: constantsOf(effect) }, knownIn(plan));
  const items = list.pagination?.envelope.items ?? "";
  return [
    effectCase(context, caused, {
      plan,
      title: effect.summary ?? `creates a new ${resource.name}`,
      steps: [
        given({ ...read, as: "before" }),
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
function otherwiseCases(context: Context, caused: Caused, { plan, call, resource }: Creation): readonly Case[] {
  const { operation, effect } = caused;
  const [field, ...more] = effect.when?.body?.not?.required ?? [];
  const list = context.operations.get(resource.list ?? "");
  const total = list?.pagination?.envelope.total;
  const shape = operation.body && jsonContent(operation.body.contents)?.shape;
  const reference = field === undefined ? undefined : shape && fieldAt(context.api, shape, [field])?.reference;
  if (list === undefined || total === undefined || reference === undefined || more.length > 0) return [];
  const makes = makingOf(context, { resource: reference.to, as: "named", fresh: true });
  const read = callOn(list, namesIn(operation, plan.names));
  if (makes === undefined || read === undefined || field === undefined) return [];
  return [
    effectCase(context, caused, {
      plan,
      about: "otherwise-not",
      title: `with ${field} no ${resource.name} is created`,
      steps: [
        ...makes,
        { settle: true },
        given({ ...read, as: "before" }),
        withBody(call, { [field]: part("named", `/${reference.by ?? "id"}`) }),
        { settle: true },
        { ...read, expect: { body: having([total], { const: { $get: `before#/body/${total}` } }) } },
      ],
    }),
  ];
}

function constantsOf({ values }: Effect): Effect["values"] {
  return Object.fromEntries(Object.entries(values).filter(([, take]) => take.kind === "value"));
}

/** A filter for objects with the values of an effect, if the list supports it. */
function filterOf(
  context: Context,
  list: Operation,
  resource: Resource,
  effect: Effect,
): Pick<CallStep, "headers"> | undefined {
  const parameter: Parameter | undefined = list.parameters.find(
    (each) => each.in === "header" && each.mediaType === "application/json",
  );
  const shape = context.shapes.get(resource.name);
  const fields = Object.entries(effect.values).flatMap(([field, take]) => {
    const at = shape && fieldAt(context.api, shape, field.split("."));
    const isFilterable =
      at !== undefined && partsOf(context.api, at).some(({ filterable }) => filterable !== undefined);
    return take.kind === "value" && isFilterable ? [[field, take.value] as const] : [];
  });
  if (parameter === undefined || fields.length === 0) return undefined;
  return { headers: { [parameter.name]: { $json: Object.fromEntries(fields) } } };
}

/** The created object is in the response, can be read, and has the values. */
function answeredCases(context: Context, caused: Caused, { plan, call, resource }: Creation): readonly Case[] {
  const { operation, effect } = caused;
  const place = answeredAt(context, operation, resource.name);
  const values = schemaOfValues(effect, knownIn(plan));
  if (place === undefined || values === undefined) return [];
  const target = namingOf(operation).at(-1)?.reference.to;
  if (target === resource.name) return [];
  const names = { ...namesIn(operation, plan.names), [resource.name]: `answer#${place}` };
  const read = readOf(context, resource, names);
  return [
    effectCase(context, caused, {
      plan,
      about: "values",
      title: effect.summary ?? `${resource.name} has the values`,
      steps: [
        call,
        { check: { $get: `answer#${place}` }, matches: values },
        { settle: true },
        ...(read === undefined ? [] : [{ ...read, expect: { body: values } }]),
      ],
    }),
  ];
}

/** The enclosing object shows as many of them as the call creates. */
function shownCases(context: Context, caused: Caused, { plan, call, resource }: Creation): readonly Case[] {
  const { operation, effect } = caused;
  const outer = context.resources.get(resource.parent ?? "");
  const shape = context.shapes.get(outer?.name ?? "");
  if (outer === undefined || shape === undefined || effect.of?.root !== "response") return [];
  const field = partsOf(context.api, shape)
    .flatMap(({ properties = [] }) => properties)
    .find((property) => property.shape.items?.ref === resource.name);
  const place = answeredAt(context, operation, outer.name);
  const count = typeof effect.count === "object" ? sentCount(effect.count.pointer) : effect.count;
  if (field === undefined || place === undefined || count === undefined) return [];
  const body = operation.body && jsonContent(operation.body.contents)?.shape;
  const name = typeof effect.count === "object" ? effect.count.pointer[0] : undefined;
  const wanted = name === undefined || body === undefined ? {} : { [name]: 2 };
  const read = readOf(context, outer, { ...namesIn(operation, plan.names), [outer.name]: `answer#${place}` });
  if (read === undefined) return [];
  return [
    effectCase(context, caused, {
      plan,
      title: effect.summary ?? `as many ${resource.name} are created`,
      steps: [
        withBody(call, wanted),
        { settle: true },
        { ...read, as: "after" },
        { check: { $count: { $get: `after#/body/${field.name}` } }, matches: { const: count } },
      ],
    }),
  ];
}

function sentCount(pointer: readonly string[]): Template {
  return part("answer#/request/body", pointer.map((each) => `/${each}`).join(""));
}
