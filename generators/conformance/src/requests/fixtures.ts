import type { Fixture, Step } from "@plumbline/conformance-runtime";
import { type Operation, type Resource, findJsonContent } from "@plumbline/model";
import type { ConformanceContext } from "../context/context.js";
import { createdResource } from "./operation-info.js";
import { inferResources } from "../context/inferred-resources.js";
import { bodySample } from "../values/samples.js";

/** The fixture of each resource: from the settings, else its creating operation, else the first item of its list. */
export function fixturesOf(context: ConformanceContext): Record<string, Fixture> {
  const earlier = fixtureCache.get(context);
  if (earlier !== undefined) return earlier;
  const fixtures = createFixtures(context);
  fixtureCache.set(context, fixtures);
  return fixtures;
}

const fixtureCache = new WeakMap<ConformanceContext, Record<string, Fixture>>();

function createFixtures(context: ConformanceContext): Record<string, Fixture> {
  const derived = context.api.resources.flatMap((resource) => {
    const fixture = createFixture(context, resource);
    return fixture === undefined ? [] : [[resource.name, fixture] as const];
  });
  return { ...Object.fromEntries(derived), ...context.settings.fixtures };
}

function createFixture(context: ConformanceContext, resource: Resource): Fixture | undefined {
  const makers = context.api.operations.filter((each) => {
    const made = createdResource(context.api, each);
    return made?.resource === resource && made.pointer === "";
  });
  const list = context.operations.get(resource.list ?? "");
  const maker =
    makers.find((each) => each.path === list?.path) ??
    makers[0] ??
    inferResources(context.api).creators.get(resource.name);
  if (maker !== undefined) return createResourceSteps(context, maker);
  const envelope = list?.pagination?.envelope.items;
  const items = envelope === undefined ? inferResources(context.api).items.get(resource.name) : `/${envelope}`;
  if (list === undefined || items === undefined || list.path.includes("{")) return undefined;
  return {
    requires: [],
    steps: [{ call: list.name, as: "list", setup: true }],
    outputs: { $get: `list#/body${items}/0` },
  };
}

function createResourceSteps(context: ConformanceContext, operation: Operation): Fixture {
  const fitting = context.settings.operations[operation.name] ?? {};
  const json = operation.requestBody && findJsonContent(operation.requestBody.contents);
  const body = fitting.body ?? (json && bodySample(context, json)) ?? {};
  const path = operation.parameters
    .filter((each) => each.in === "path")
    .map((each) => [each.name, { $get: `of#/${each.reference?.to ?? ""}/${each.reference?.by ?? "id"}` }] as const);
  const call: Step = {
    call: operation.name,
    setup: true,
    ...(path.length === 0 ? {} : { path: Object.fromEntries(path) }),
    ...(operation.requestBody === undefined ? {} : { body: { $merge: [body, { $get: "of#/with" }] } }),
    as: "made",
  };
  return {
    requires: fitting.requires ?? [],
    steps: [...(fitting.before ?? []), call],
    outputs: { $get: "made#/body" },
  };
}
