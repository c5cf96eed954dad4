import type { CallStep, Capability, Expect, MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, Parameter } from "../model/api.js";
import { jsonContent } from "../model/media.js";
import { once } from "../model/once.js";
import type { Context } from "./context.js";
import { bodySampleOf, sampleOf } from "./samples.js";

/** How an operation is called so that it succeeds. */
export interface Plan {
  readonly operation: Operation;
  /** What has to be there first: the objects of the path, outermost first, then what the settings say. */
  readonly before: readonly Step[];
  /** The fitting call, answered with a documented success. */
  readonly call: CallStep;
  /** What the objects of the path are called: `computeId` → `instance`. */
  readonly names: Readonly<Record<string, string>>;
  readonly needs: readonly Capability[];
  readonly alone: boolean;
}

export interface PlanOptions {
  /**
   * `own`: the object of the path is the case's own, since the case changes it. `shared`: the lane's, since the case is refused or only
   * reads. What it stands in is shared either way.
   */
  readonly objects: "own" | "shared";
}

/** False where the path names objects of which nothing is known: whether the fitting request finds them is the server's to say. */
export function isCertain(context: Context, operation: Operation): boolean {
  const stated = context.settings.operations[operation.name]?.path ?? {};
  return operation.parameters.every(
    (each) => each.in !== "path" || each.reference !== undefined || Object.hasOwn(stated, each.name),
  );
}

/** The fitting request of an operation. */
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

/** The plan's call with something else in it. */
export function calling(plan: Plan, changed: Partial<CallStep>): CallStep {
  return { ...plan.call, ...changed };
}

/** The plan's call with an answer that is expected of it, and other parts where they are given. */
export function expecting(plan: Plan, expect: Expect, changed: Partial<CallStep> = {}): CallStep {
  return { ...plan.call, ...changed, expect };
}

/** What a resource's object is called in steps: `instance`, `domainRecord`; one that follows from paths, as its parameter. */
export function nameOf(resource: string, parameter = "object"): string {
  if (resource.startsWith("/")) return parameter;
  return resource.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+/, (start) => start.toLowerCase());
}

/** A step that prepares: what goes wrong in it keeps the case from being run. */
export function given(step: Step): Step {
  return "call" in step ? { ...step, given: true } : step;
}

/** The field of a resource that names it in paths. */
export function idPointer(parameter: Parameter): string {
  return `/${parameter.reference?.by ?? "id"}`;
}

/** True when making one of a resource takes away another in the same object, so that two cannot be in one. */
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
