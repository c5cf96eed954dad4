import type { CallStep, Capability, Expect, MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, Parameter } from "../model/api.js";
import { jsonContent } from "../model/media.js";
import { once } from "../model/once.js";
import type { Context } from "./context.js";
import { bodySampleOf, sampleOf } from "./samples.js";

/** A request of an operation that succeeds. */
export interface Plan {
  readonly operation: Operation;
  /** Setup steps: the objects of the path, outermost first, then the steps of the settings. */
  readonly before: readonly Step[];
  /** The call, which gets a documented success. */
  readonly call: CallStep;
  /** Names of the path's objects by parameter: `computeId` → `instance`. */
  readonly names: Readonly<Record<string, string>>;
  readonly needs: readonly Capability[];
  readonly alone: boolean;
}

export interface PlanOptions {
  /**
   * `own`: the case creates the path's object, since it changes it. `shared`: the case uses the lane's object, since it is rejected or only
   * reads. Parents are always shared.
   */
  readonly objects: "own" | "shared";
}

/** False when the path has parameters without a reference: their objects may be missing. */
export function isCertain(context: Context, operation: Operation): boolean {
  const stated = context.settings.operations[operation.name]?.path ?? {};
  return operation.parameters.every(
    (each) => each.in !== "path" || each.reference !== undefined || Object.hasOwn(stated, each.name),
  );
}

/** Plans a valid request of an operation. */
export function planOf(context: Context, operation: Operation, { objects }: PlanOptions): Plan {
  const fitting = context.settings.operations[operation.name] ?? {};
  const { makes, path, names } = pathOf(context, operation, objects);
  const body = fitting.body ?? bodyOf(context, operation);
  const headers = fitting.headers;
  const call: CallStep = {
    call: operation.name,
    ...(fitting.by === undefined ? {} : { by: fitting.by }),
    ...(Object.keys(path).length === 0 && fitting.path === undefined ? {} : { path: { ...path, ...fitting.path } }),
    ...(fitting.query === undefined ? requiredQuery(context, operation) : { query: fitting.query }),
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
  return {
    operation,
    before: [...makes, ...(fitting.before ?? []).map(given)],
    call,
    names,
    needs: fitting.needs ?? [],
    alone: fitting.alone ?? false,
  };
}

/** The plan's call with changes. */
export function calling(plan: Plan, changed: Partial<CallStep>): CallStep {
  return { ...plan.call, ...changed };
}

/** The plan's call with an expectation and optional changes. */
export function expecting(plan: Plan, expect: Expect, changed: Partial<CallStep> = {}): CallStep {
  return { ...plan.call, ...changed, expect };
}

/** The name of a resource's object in steps: `instance`, `domainRecord`. Inferred resources have the name of their parameter. */
export function nameOf(resource: string, parameter = "object"): string {
  if (resource.startsWith("/")) return parameter;
  return resource.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+/, (start) => start.toLowerCase());
}

/** Marks a step as setup: if it fails, the case could not run. */
export function given(step: Step): Step {
  return "call" in step ? { ...step, given: true } : step;
}

/** Pointer to the field that identifies a resource in paths. */
export function idPointer(parameter: Parameter): string {
  return `/${parameter.reference?.by ?? "id"}`;
}

/** True when the creation of an object deletes an earlier one with the same parent. */
export function takesPlace({ api }: Context, resource: string | undefined): boolean {
  return resource !== undefined && replaced(api).has(resource);
}

const replaced = once((api): ReadonlySet<string> => {
  const found = api.operations.flatMap(({ effects }) => {
    const made = new Set(effects.filter(({ does }) => does === "create").map(({ to }) => to));
    return effects.filter(({ does, to, except }) => does === "delete" && except !== undefined && made.has(to));
  });
  return new Set(found.flatMap(({ to }) => to ?? []));
});

function pathOf(
  context: Context,
  operation: Operation,
  objects: PlanOptions["objects"],
): {
  readonly makes: readonly MakeStep[];
  readonly path: Readonly<Record<string, Template>>;
  readonly names: Readonly<Record<string, string>>;
} {
  const parameters = operation.parameters.filter((each) => each.in === "path");
  const last = parameters.findLast((each) => each.reference !== undefined);
  const needsOwn = takesPlace(context, last?.reference?.to);
  const fitting = context.settings.operations[operation.name];
  const makes: MakeStep[] = [];
  const path: Record<string, Template> = {};
  const names: Record<string, string> = {};
  const made = new Map<string, string>();
  for (const parameter of parameters) {
    const { reference } = parameter;
    if (reference === undefined) {
      path[parameter.name] = sampleOf(context, parameter.shape);
      continue;
    }
    const as = nameOf(reference.to, parameter.name);
    const laid = fitting?.with?.[reference.to];
    const of = Object.fromEntries([...made].map(([resource, name]) => [resource, { $get: name }] as const));
    makes.push({
      make: reference.to,
      as,
      ...(made.size === 0 ? {} : { of }),
      ...(laid === undefined ? {} : { with: laid }),
      ...(objects === "own" && (needsOwn || parameter === last) ? { fresh: true as const } : {}),
    });
    made.set(reference.to, as);
    names[parameter.name] = as;
    path[parameter.name] = { $get: `${as}#${idPointer(parameter)}` };
  }
  return { makes, path, names };
}

function requiredQuery(context: Context, { parameters }: Operation): Pick<CallStep, "query"> {
  const required = parameters.filter((each) => each.in === "query" && each.required);
  if (required.length === 0) return {};
  return { query: Object.fromEntries(required.map((each) => [each.name, sampleOf(context, each.shape)] as const)) };
}

function bodyOf(context: Context, { body }: Operation): Template | undefined {
  if (body === undefined) return undefined;
  const content = jsonContent(body.contents);
  if (content === undefined) return undefined;
  return bodySampleOf(context, content);
}
