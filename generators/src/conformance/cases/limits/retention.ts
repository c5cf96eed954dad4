import type { CallStep, Case, MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import {
  collectFieldLimits,
  durationInWords,
  findJsonContent,
  type Limit,
  type Operation,
  schemaParts,
  sizeLimits,
  statedLimits,
} from "@plumbline/kit/model";
import { createCase, nearestRequirements, type ConformanceContext } from "../../context/context.js";
import { objectName } from "../../context/object-name.js";
import { fixturesOf } from "../../requests/fixtures.js";
import { expectGone, ownParameter, readObjectStep } from "../../requests/object-in-state.js";
import { inputsFrom, planRequest } from "../../requests/request-plan.js";
import { aroundEnd } from "../lifecycle/deadlines.js";
import { onlyWithId } from "../lists/filtered-lists.js";

/** Cases of retention: how long objects are kept, and how many. The fixture `Resource~limit`, else that of the resource, creates them. */
export function retentionCases(context: ConformanceContext): readonly Case[] {
  return [
    ...context.api.resources.flatMap(({ name }) => {
      const schema = context.schemas.get(name);
      const limits = schema === undefined ? [] : collectFieldLimits(context.api, schema);
      return limits.flatMap(({ limit }) => retainedCases(context, name, limit));
    }),
    ...context.api.operations.flatMap((operation) => countCases(context, operation)),
  ];
}

function retainedCases(context: ConformanceContext, resource: string, limit: Limit): readonly Case[] {
  const { kind, window, id, sources } = limit;
  const fixtures = fixturesOf(context);
  const fixture = [`${resource}~${id}`, resource].find((each) => Object.hasOwn(fixtures, each));
  const readOperation = context.operations.get(context.resources.get(resource)?.read ?? "");
  const isTestable = kind === "retention" && window !== undefined && window.seconds > 120;
  if (
    !isTestable ||
    fixture === undefined ||
    readOperation === undefined ||
    ownParameter(readOperation, resource) === undefined
  )
    return [];
  const as = objectName(resource);
  const parents = planRequest(context, readOperation, { objects: "shared" }).setupSteps.slice(0, -1);
  const names = planRequest(context, readOperation, { objects: "shared" }).names;
  const reading = (expect: Parameters<typeof readObjectStep>[2]): readonly Step[] =>
    [readObjectStep(context, { stateMachine: { resource }, root: `${as}#`, names }, expect)].flatMap(
      (step) => step ?? [],
    );
  const list = context.operations.get(context.resources.get(resource)?.list ?? "");
  const items = list?.pagination?.envelope.items;
  const isPlain = list !== undefined && list.parameters.every((each) => each.in !== "path");
  const isThis: Template = { properties: { id: { const: { $get: `${as}#/id` } } }, required: ["id"] };
  const lists = items === undefined || !isPlain ? undefined : listOf(context, list, { $get: `${as}#/id` });
  // Without a filter the object may be on a later page.
  const isSure = lists?.headers !== undefined || context.resources.get(resource)?.delete !== undefined;
  const listing = (schema: Template): readonly Step[] =>
    lists === undefined || items === undefined
      ? []
      : [{ ...lists, expect: { body: { properties: { [items]: schema }, required: [items] } } }];
  const about = {
    kind: "limits",
    title: `${resource} is retained for ${durationInWords(window)}, and no longer`,
    requirements: nearestRequirements(sources, context.schemas.get(resource)?.sources, readOperation.sources),
  } as const;
  const makeStep: Step = { make: fixture, as, fresh: true };
  const { near, over, beyond, inTime } = aroundEnd(context, window.seconds, [makeStep]);
  const create = (init: Parameters<typeof createCase>[1]): Case => inTime(createCase(context, init));
  return [
    create({
      ...about,
      operation: readOperation,
      idParts: ["limits", id, resource],
      steps: [
        ...parents,
        makeStep,
        near,
        ...reading({ status: 200 }),
        over,
        ...reading(expectGone(context, { resource })),
        beyond,
        ...reading(expectGone(context, { resource })),
      ],
    }),
    // A list may count time in another way than a read.
    ...(list === undefined || lists === undefined
      ? []
      : [
          create({
            ...about,
            operation: list,
            idParts: ["limits", id, "listed"],
            title: `${resource} is listed for ${durationInWords(window)}, and no longer`,
            steps: [
              ...parents,
              makeStep,
              near,
              ...(isSure ? listing({ contains: isThis }) : []),
              over,
              ...listing({ not: { contains: isThis } }),
            ],
          }),
        ]),
  ];
}

/** The list as a page of the largest size, filtered to the object if possible. */
function listOf(context: ConformanceContext, list: Operation, value: Template): CallStep {
  const size = list.parameters.find((each) => each.in === "query" && each.name === list.pagination?.size);
  const most = size && sizeLimits("number", [size.schema]).most;
  return {
    call: list.name,
    ...(size === undefined || most === undefined ? {} : { query: { [size.name]: most } }),
    ...onlyWithId(context, list, { key: "id", value }),
  };
}

/** Creates more objects than are retained, and checks that only the retained number is shown. */
function countCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  const response = operation.responses.find(({ status }) => status === 200);
  const content = response === undefined ? undefined : findJsonContent(response.contents);
  if (content === undefined || operation.method !== "GET") return [];
  return collectFieldLimits(context.api, content.schema).flatMap(({ limit, pointer, schema }) => {
    const { kind, max, id, sources } = limit;
    const items = schemaParts(context.api, schema).find((part) => part.items !== undefined)?.items;
    const resource = items && schemaParts(context.api, items).find(({ ref }) => context.resources.has(ref ?? ""))?.ref;
    const fixture = `${resource ?? ""}~${id}`;
    if (kind !== "retention" || max === undefined || fixturesOf(context)[fixture] === undefined) return [];
    const plan = planRequest(context, operation, { objects: "own" });
    const inputs = inputsFrom(plan.setupSteps);
    const step: MakeStep = { make: fixture, as: "kept", of: inputs, fresh: true };
    const at = `/body/${pointer.join("/")}`;
    return [
      createCase(context, {
        operation,
        kind: "limits",
        idParts: ["limits", id],
        title: `${max === 1 ? "One is" : `${max} are`} retained, and the next one replaces the oldest`,
        requirements: nearestRequirements(sources, schema.sources, operation.sources),
        requires: plan.requires,
        exclusive: true,
        steps: [
          ...plan.setupSteps,
          { ...step, as: "oldest" },
          { repeat: [step], times: max - 1 },
          { ...plan.call, as: "full" },
          {
            check: { $get: `full#${at}` },
            matches: {
              ...statedLimits("items", { least: max, most: max }),
              contains: { properties: { id: { const: { $get: "oldest#/id" } } } },
            },
          },
          { ...step, as: "newest" },
          { ...plan.call, as: "over" },
          {
            check: { $get: `over#${at}` },
            matches: {
              ...statedLimits("items", { least: max, most: max }),
              contains: { properties: { id: { const: { $get: "newest#/id" } } } },
              not: { contains: { properties: { id: { const: { $get: "oldest#/id" } } } } },
            },
          },
        ],
      }),
    ];
  });
}
