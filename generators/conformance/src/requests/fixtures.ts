import { ownValue } from "@plumbline/model";
import type { Fixture, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, Resource } from "@plumbline/model";
import type { ConformanceContext } from "../context/context.js";
import { isPlainObject } from "../values/partial-evaluation.js";
import { createStateFixture } from "./state-fixtures.js";
import { objectSource } from "./object-sources.js";
import { sampleRequest } from "./sample-request.js";

/** The fixture of each resource: from the settings, else its creating operation, else the first item of its list. */
export function fixturesOf(context: ConformanceContext): Readonly<Record<string, Fixture>> {
  const derived = context.api.resources.flatMap((resource) => {
    const fixture = objectSource(context, resource) && fixtureNamed(context, resource.name);
    return fixture === undefined ? [] : [[resource.name, fixture] as const];
  });
  const inStates = context.api.stateMachines.flatMap((stateMachine) =>
    stateMachine.field === undefined
      ? []
      : stateMachine.states.flatMap((state) => {
          const name = `${stateMachine.resource}@${state}`;
          const fixture = fixtureNamed(context, name);
          return fixture === undefined || Object.hasOwn(context.settings.fixtures, name)
            ? []
            : [[name, fixture] as const];
        }),
  );
  return { ...Object.fromEntries([...derived, ...inStates]), ...context.settings.fixtures };
}

/** A fixture by its name, `Book` or `Book@in-repair`. Undefined if there is none. */
export function fixtureNamed(context: ConformanceContext, name: string): Fixture | undefined {
  const { derivedFixtures: known } = context;
  if (!known.has(name)) {
    const stated = Object.hasOwn(context.settings.fixtures, name) ? context.settings.fixtures[name] : undefined;
    known.set(name, stated ?? deriveFixture(context, name));
  }
  return known.get(name);
}

/** The name of a state is the part after the first `@`. */
function deriveFixture(context: ConformanceContext, name: string): Fixture | undefined {
  const resource = context.resources.get(name);
  if (resource !== undefined) return createFixture(context, resource);
  const [of = ""] = name.split("@");
  const state = name.slice(of.length + 1);
  const stateMachine = context.api.stateMachines.find(
    (each) => each.resource === of && each.field !== undefined && each.states.includes(state),
  );
  return stateMachine && createStateFixture(context, stateMachine, state);
}

function createFixture(context: ConformanceContext, resource: Resource): Fixture | undefined {
  const source = objectSource(context, resource);
  if (source === undefined) return undefined;
  if (source.kind === "operation") return createResourceSteps(context, source.operation, resource);
  return {
    requires: [],
    steps: [{ call: source.list.name, as: "list", setup: true }],
    outputs: { $get: `list#/body${source.items}/0` },
  };
}

function createResourceSteps(context: ConformanceContext, operation: Operation, { name }: Resource): Fixture {
  const fitting = ownValue(context.settings.operations, operation.name) ?? {};
  // Parents are inputs of the fixture.
  const { body = {}, setupSteps } = sampleRequest(context, operation, { without: name });
  const path = operation.parameters
    .filter((each) => each.in === "path")
    .map((each) => [each.name, { $get: `of#/${each.reference?.to ?? ""}/${each.reference?.by ?? "id"}` }] as const);
  const call: Step = {
    call: operation.name,
    setup: true,
    ...(path.length === 0 ? {} : { path: Object.fromEntries(path) }),
    ...(operation.requestBody === undefined ? {} : { body: withFields(body) }),
    as: "made",
  };
  return {
    requires: fitting.requires ?? [],
    steps: [...setupSteps, ...(fitting.before ?? []), call],
    outputs: { $get: "made#/body" },
  };
}

/** A body with the fields of the step that makes the object. Only objects have fields. */
function withFields(body: Template): Template {
  return isPlainObject(body) ? { $merge: [body, { $get: "of#/with" }] } : body;
}
