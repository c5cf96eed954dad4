import type { CallStep, Capability, Expectation, MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import { ownValue, type Operation, type Parameter } from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import { objectName } from "../context/object-name.js";
import type { AcceptedRequest } from "../context/settings.js";
import { referencedNames } from "../values/referenced-names.js";
import { parameterSample } from "../values/samples.js";
import { acceptingFixture } from "./accepting-fixtures.js";
import { hasObjectSource, replacesExisting } from "./object-sources.js";
import { sampleRequest } from "./sample-request.js";

/** A request of an operation that succeeds. */
export interface RequestPlan {
  readonly operation: Operation;
  /** Setup steps: the objects of the path, outermost first, then the steps of the settings. */
  readonly setupSteps: readonly Step[];
  /** The call, which gets a documented success. */
  readonly call: CallStep;
  /** Names of the path's objects by parameter: `computeId` → `instance`. */
  readonly names: Readonly<Record<string, string>>;
  /** Names of objects that one call uses up, so that another call needs others. */
  readonly usedUp: readonly string[];
  readonly requires: readonly Capability[];
  readonly exclusive: boolean;
}

export interface RequestPlanOptions {
  /**
   * `own`: the case creates the path's object, since it changes it. `shared`: the case uses the worker's object, since it is rejected or only
   * reads. Parents are always shared.
   */
  readonly objects: "own" | "shared";
}

/** False when the path has parameters without a reference to an object that the suite can create or list: their objects may be missing. */
export function hasKnownPath(context: ConformanceContext, operation: Operation): boolean {
  const stated = ownValue(context.settings.operations, operation.name)?.path ?? {};
  return operation.parameters.every(
    (each) => each.in !== "path" || isKnownObject(context, each) || Object.hasOwn(stated, each.name),
  );
}

/** A described resource without a source needs a fixture of the settings, which the run asks for. One that a path implies may not exist. */
function isKnownObject(context: ConformanceContext, { reference }: Parameter): boolean {
  if (reference === undefined) return false;
  return !reference.to.startsWith("/") || hasObjectSource(context, reference.to);
}

/** Plans a valid request of an operation. */
export function planRequest(
  context: ConformanceContext,
  operation: Operation,
  { objects }: RequestPlanOptions,
): RequestPlan {
  const fitting = ownValue(context.settings.operations, operation.name) ?? {};
  const { makes, path, names, isUsedUp } = pathOf(context, operation, objects);
  const byResource = Object.fromEntries(
    operation.parameters.flatMap(({ name, reference }) => {
      const as = ownValue(names, name);
      return reference === undefined || as === undefined ? [] : [[reference.to, as] as const];
    }),
  );
  const { body, setupSteps, usedUp } = sampleRequest(context, operation, { names: byResource });
  const call: CallStep = {
    call: operation.name,
    ...(fitting.by === undefined ? {} : { by: fitting.by }),
    ...(Object.keys(path).length === 0 && fitting.path === undefined ? {} : { path: { ...path, ...fitting.path } }),
    ...requiredParameters(context, operation, { kind: "query", stated: fitting.query }),
    ...requiredParameters(context, operation, { kind: "headers", stated: fitting.headers }),
    ...requiredParameters(context, operation, { kind: "cookies", stated: undefined }),
    ...(body === undefined ? {} : { body }),
  };
  return {
    operation,
    setupSteps: [...makes, ...setupSteps, ...statedSteps(fitting, objects)],
    call,
    names,
    usedUp: [...(isUsedUp ? [makes.at(-1)?.as ?? ""] : []), ...usedUp],
    requires: fitting.requires ?? [],
    exclusive: fitting.exclusive ?? false,
  };
}

/** The setup steps of the settings. What they make for the path is the case's own if the case changes it. */
function statedSteps({ before = [], path }: AcceptedRequest, objects: RequestPlanOptions["objects"]): readonly Step[] {
  const inPath = referencedNames(path ?? {});
  return before.map((step) =>
    "make" in step && objects === "own" && inPath.has(step.as) ? { ...step, fresh: true } : setupStep(step),
  );
}

/** True for a request without the body that it requires: the server may reject it before it looks for the path's object. */
export function lacksBody({ operation, call }: RequestPlan): boolean {
  return operation.requestBody?.required === true && call.body === undefined;
}

/** The plan's call with changes. */
export function callStep(plan: RequestPlan, changed: Partial<CallStep>): CallStep {
  return { ...plan.call, ...changed };
}

/** The plan's call with an expectation and optional changes. */
export function expectStep(plan: RequestPlan, expect: Expectation, changed: Partial<CallStep> = {}): CallStep {
  return { ...plan.call, ...changed, expect };
}

/** Marks a step as setup: if it fails, the case could not run. */
export function setupStep(step: Step): Step {
  return "call" in step ? { ...step, setup: true } : step;
}

/** Pointer to the field that identifies a resource in paths. */
export function idPointer(parameter: Parameter): string {
  return `/${parameter.reference?.by ?? "id"}`;
}

function pathOf(
  context: ConformanceContext,
  operation: Operation,
  objects: RequestPlanOptions["objects"],
): {
  readonly makes: readonly MakeStep[];
  readonly path: Readonly<Record<string, Template>>;
  readonly names: Readonly<Record<string, string>>;
  /** True if the call ends the state in which the path's own object accepts it. */
  readonly isUsedUp: boolean;
} {
  const parameters = operation.parameters.filter((each) => each.in === "path");
  const last = parameters.findLast((each) => isKnownObject(context, each));
  const needsOwn = replacesExisting(context, last?.reference?.to);
  const fitting = ownValue(context.settings.operations, operation.name);
  const makes: MakeStep[] = [];
  const path = Object.create(null) as Record<string, Template>;
  const names = Object.create(null) as Record<string, string>;
  const createdNames = new Map<string, string>();
  for (const parameter of parameters) {
    const { reference } = parameter;
    if (reference === undefined || !isKnownObject(context, parameter)) {
      path[parameter.name] = parameterSample(context, parameter.schema);
      continue;
    }
    const as = objectName(reference.to, parameter.name);
    const laid = ownValue(fitting?.with ?? {}, reference.to);
    const inputs = Object.fromEntries([...createdNames].map(([resource, name]) => [resource, { $get: name }] as const));
    const isOwn = parameter === parameters.at(-1);
    makes.push({
      make: isOwn ? acceptingFixture(context, operation, { resource: reference.to }) : reference.to,
      as,
      ...(createdNames.size === 0 ? {} : { of: inputs }),
      ...(laid === undefined ? {} : { with: laid }),
      ...(objects === "own" && (needsOwn || parameter === last) ? { fresh: true as const } : {}),
    });
    createdNames.set(reference.to, as);
    names[parameter.name] = as;
    path[parameter.name] = { $get: `${as}#${idPointer(parameter)}` };
  }
  return { makes, path, names, isUsedUp: usesUpTarget(context, operation) };
}

function usesUpTarget({ api, resources }: ConformanceContext, { name, parameters }: Operation): boolean {
  const pathParameter = parameters.findLast((each) => each.in === "path" && each.reference !== undefined)?.reference
    ?.to;
  if (resources.get(pathParameter ?? "")?.delete === name) return true;
  return api.stateMachines.some(({ resource, transitions }) => {
    const moves = transitions.filter(
      ({ event, subject }) => event.kind === "operation" && event.operation === name && subject === undefined,
    );
    const starts = new Set(moves.flatMap(({ from }) => from));
    const canRepeat = moves.some(({ to, then }) => starts.has(to) || starts.has(then.at(-1) ?? to));
    return resource === pathParameter && moves.length > 0 && !canRepeat;
  });
}

const locations = { query: "query", headers: "header", cookies: "cookie" } as const;

/** The stated parameters, else samples of the required ones. */
function requiredParameters(
  context: ConformanceContext,
  { parameters }: Operation,
  { kind, stated }: { readonly kind: keyof typeof locations; readonly stated: CallStep["query"] },
): Pick<CallStep, keyof typeof locations> {
  if (stated !== undefined) return { [kind]: stated };
  const required = parameters.filter((each) => each.in === locations[kind] && each.required);
  if (required.length === 0) return {};
  return {
    [kind]: Object.fromEntries(
      required.map((each) => {
        // Any entity tag matches: an invented one would fail.
        const isCondition = each.in === "header" && /^if-match$/i.test(each.name);
        return [each.name, isCondition ? "*" : parameterSample(context, each.schema)] as const;
      }),
    ),
  };
}

/** The objects that steps create, as inputs of fixtures. */
export function inputsFrom(steps: readonly Step[]): Readonly<Record<string, { readonly $get: string }>> {
  return Object.fromEntries(steps.flatMap((step) => ("make" in step ? [[step.make, { $get: step.as }] as const] : [])));
}
