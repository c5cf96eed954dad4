import type { Case, MakeStep, Step } from "@plumbline/conformance-runtime";
import type { Limit, Operation } from "../model/api.js";
import { partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { caseOf, nearestRequirements, type Context } from "./context.js";
import { nameOf, planOf } from "./plans.js";
import { recipesOf } from "./recipes.js";
import { goneFrom, ownParameter, readingOf } from "./standing.js";
import { limitsIn } from "./stated-limits.js";

/** Cases of retention: how long objects are kept, and how many. The recipe `Resource~limit`, else that of the resource, creates them. */
export function retentionCases(context: Context): readonly Case[] {
  return [
    ...context.api.resources.flatMap(({ name }) => {
      const shape = context.shapes.get(name);
      const limits = shape === undefined ? [] : limitsIn(context.api, shape);
      return limits.flatMap(({ limit }) => keptCase(context, name, limit) ?? []);
    }),
    ...context.api.operations.flatMap((operation) => countCases(context, operation)),
  ];
}

function keptCase(context: Context, resource: string, limit: Limit): Case | undefined {
  const { kind, window, id, sources } = limit;
  const recipes = recipesOf(context);
  const make = [`${resource}~${id}`, resource].find((each) => recipes[each] !== undefined);
  const read = context.operations.get(context.resources.get(resource)?.read ?? "");
  const isTold = kind === "retention" && window !== undefined && window.seconds > 120;
  if (!isTold || make === undefined || read === undefined || ownParameter(read, resource) === undefined)
    return undefined;
  const as = nameOf(resource);
  const parents = planOf(context, read, { objects: "shared" }).before.slice(0, -1);
  const names = planOf(context, read, { objects: "shared" }).names;
  const reading = (expect: Parameters<typeof readingOf>[2]): readonly Step[] =>
    [readingOf(context, { machine: { resource }, root: `${as}#`, names }, expect)].flatMap((step) => step ?? []);
  return caseOf(context, {
    operation: read,
    kind: "limits",
    about: ["limits", id, resource],
    title: `${resource} is retained for ${window.text}, and no longer`,
    requirements: nearestRequirements(sources, context.shapes.get(resource)?.sources, read.sources),
    steps: [
      ...parents,
      { make, as, fresh: true },
      { advance: `PT${window.seconds - 60}S` },
      ...reading({ status: 200 }),
      { advance: "PT62S" },
      ...reading(goneFrom(context, { resource })),
    ],
  });
}

/** Creates more objects than are retained, and checks that only the retained number is shown. */
function countCases(context: Context, operation: Operation): readonly Case[] {
  const reply = operation.replies.find(({ status }) => status === 200);
  const content = reply === undefined ? undefined : jsonContent(reply.contents);
  if (content === undefined || operation.method !== "GET") return [];
  return limitsIn(context.api, content.shape).flatMap(({ limit, pointer, shape }) => {
    const { kind, max, id, sources } = limit;
    const items = partsOf(context.api, shape).find((part) => part.items !== undefined)?.items;
    const resource = items && partsOf(context.api, items).find(({ ref }) => context.resources.has(ref ?? ""))?.ref;
    const make = `${resource ?? ""}~${id}`;
    if (kind !== "retention" || max === undefined || recipesOf(context)[make] === undefined) return [];
    const plan = planOf(context, operation, { objects: "own" });
    const of = Object.fromEntries(
      plan.before.flatMap((step) => ("make" in step ? [[step.make, { $get: step.as }] as const] : [])),
    );
    const step: MakeStep = { make, as: "kept", of, fresh: true };
    const at = `/body/${pointer.join("/")}`;
    return [
      caseOf(context, {
        operation,
        kind: "limits",
        about: ["limits", id],
        title: `${max} are retained, and the next one replaces the oldest`,
        requirements: nearestRequirements(sources, shape.sources, operation.sources),
        needs: plan.needs,
        alone: true,
        steps: [
          ...plan.before,
          { ...step, as: "oldest" },
          { repeat: [step], times: max - 1 },
          { ...plan.call, as: "full" },
          {
            check: { $get: `full#${at}` },
            matches: {
              minItems: max,
              maxItems: max,
              contains: { properties: { id: { const: { $get: "oldest#/id" } } } },
            },
          },
          { ...step, as: "newest" },
          { ...plan.call, as: "over" },
          {
            check: { $get: `over#${at}` },
            matches: {
              minItems: max,
              maxItems: max,
              contains: { properties: { id: { const: { $get: "newest#/id" } } } },
              not: { contains: { properties: { id: { const: { $get: "oldest#/id" } } } } },
            },
          },
        ],
      }),
    ];
  });
}
