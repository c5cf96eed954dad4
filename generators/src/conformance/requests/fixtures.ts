import type { Fixture, MakeStep, Step } from "@plumbline/conformance-runtime";
import { ownValue, type Operation, type Resource } from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import { objectName } from "../context/object-name.js";
import { escapePointerToken } from "../values/pointer-token.js";
import { parameterSample } from "../values/samples.js";
import { objectSource } from "./object-sources.js";
import { sampleRequest } from "./sample-request.js";
import { createStateFixture, withFields } from "./state-fixtures.js";

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
  const fixtures = { ...Object.fromEntries([...derived, ...inStates]), ...context.settings.fixtures };
  return Object.fromEntries(
    Object.entries(fixtures).map(
      ([name, fixture]) => [name, { ...fixture, steps: withParents(context, fixture.steps) }] as const,
    ),
  );
}

/**
 * Creates the parents that a fixture needs and a step does not pass: `/tasks/{taskId}` has no project in its path, but a task is created within
 * one.
 */
export function withParents(context: ConformanceContext, steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step): readonly Step[] => {
    if ("repeat" in step) return [{ ...step, repeat: withParents(context, step.repeat) }];
    if ("frame" in step && step.around) return [{ ...step, around: withParents(context, step.around) }];
    return "make" in step ? withParentsOf(context, step, new Set([step.make])) : [step];
  });
}

/** @param within The fixtures that the object is a parent for. A resource within itself has no end. */
function withParentsOf(context: ConformanceContext, step: MakeStep, within: ReadonlySet<string>): readonly MakeStep[] {
  const missing = parentsOfFixture(context, step.make).filter(
    (parent) => !Object.hasOwn(step.of ?? {}, parent) && !within.has(parent),
  );
  if (missing.length === 0) return [step];
  const parents = missing.map((parent) => {
    const [, parameter] = /\{([^{}]*)\}$/.exec(parent) ?? [];
    const as = `${step.as}-${objectName(parent, parameter)}`;
    return { make: parent, as, by: step.by };
  });
  const inputs = Object.fromEntries(parents.map(({ make, as }) => [make, { $get: as }] as const));
  return [
    ...parents.flatMap((parent) => withParentsOf(context, parent, new Set([...within, parent.make]))),
    { ...step, of: { ...step.of, ...inputs } },
  ];
}

/** The resources that a fixture reads from its inputs. */
export function parentsOfFixture(context: ConformanceContext, name: string): readonly string[] {
  const fixture = fixtureNamed(context, name);
  if (fixture === undefined) return [];
  const inputs = JSON.stringify([fixture.steps, fixture.outputs]).matchAll(/"of#\/([^"/]+)/g);
  const inputNames = [...inputs].map(([, token = ""]) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  return [...new Set(inputNames)].filter((each) => context.resources.has(each));
}

/** A fixture by its name, `Book` or `Book@in-repair`. Undefined if there is none. */
export function fixtureNamed(context: ConformanceContext, name: string): Fixture | undefined {
  const { derivedFixtures } = context;
  if (!derivedFixtures.has(name)) {
    const stated = Object.hasOwn(context.settings.fixtures, name) ? context.settings.fixtures[name] : undefined;
    derivedFixtures.set(name, stated ?? deriveFixture(context, name));
  }
  return derivedFixtures.get(name);
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
    .map(({ name: parameter, reference, schema }) => {
      const parent = reference && { $get: `of#/${escapePointerToken(reference.to)}/${reference.by ?? "id"}` };
      return [parameter, fitting.path?.[parameter] ?? parent ?? parameterSample(context, schema)] as const;
    });
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
