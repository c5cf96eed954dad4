import type { Caller, Capability, Case, Kind, Step } from "@plumbline/conformance-runtime";
import type { ArtifactOptions } from "../generator.js";
import type { Api, Operation, Resource, Source } from "../model/api.js";
import { shapesOf, type ShapesByName } from "../model/shapes-by-name.js";
import { alsoOf } from "./also.js";
import { inferredOf } from "./inferred.js";
import { noSettings, type Settings } from "./settings.js";

/** The input of all case generators. */
export interface Context {
  readonly api: Api;
  readonly options: ArtifactOptions;
  readonly settings: Settings;
  /** The description of the server's test controls, if there is one. */
  readonly controls: Api | undefined;
  /** All operations by name, including linked ones. */
  readonly operations: ReadonlyMap<string, Operation>;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly shapes: ShapesByName;
}

export function contextOf(described: Api, options: ArtifactOptions): Context {
  const known = contexts.get(options);
  if (known !== undefined && known.described === described) return known.context;
  const context = makeContext(described, options);
  contexts.set(options, { described, context });
  return context;
}

const contexts = new WeakMap<ArtifactOptions, { readonly described: Api; readonly context: Context }>();

function makeContext(described: Api, options: ArtifactOptions): Context {
  const { api } = inferredOf(described);
  const { settings = noSettings, controls } = options.conformance ?? {};
  return {
    api,
    options,
    settings,
    controls,
    operations: new Map([...api.operations, ...api.linked].map((each) => [each.name, each] as const)),
    resources: new Map(api.resources.map((each) => [each.name, each] as const)),
    shapes: shapesOf(api),
  };
}

/** The ids of requirements among sources, including those that an assumption settles. */
export function requirementsOf(sources: readonly Source[] | undefined): readonly string[] {
  const ids = (sources ?? []).flatMap((source) =>
    "requirement" in source ? [source.requirement] : (source.assumption.settles ?? []),
  );
  return [...new Set(ids)];
}

/** The requirements of the first sources that have any, from the innermost to the outermost. */
export function nearestRequirements(...around: readonly (readonly Source[] | undefined)[]): readonly string[] {
  return around.map(requirementsOf).find((each) => each.length > 0) ?? [];
}

export interface NewCase {
  readonly operation: Operation;
  readonly kind: Kind;
  /** The segments of the id after area and operation. */
  readonly about: readonly string[];
  readonly title: string;
  readonly requirements: readonly string[];
  /** Requirements of the surroundings. The case tests them too, unless the settings assign requirements to it. */
  readonly around?: readonly string[];
  readonly needs?: readonly Capability[];
  readonly alone?: boolean;
  readonly safe?: boolean;
  readonly steps: readonly Step[];
}

/** Creates a case with its id, and adds the capabilities that its steps need. */
export function caseOf(context: Context, given: NewCase): Case {
  const { operation, kind, about, title, requirements, around = [], needs = [], alone = false, safe = false } = given;
  const { steps } = given;
  const parts = [operation.area, operation.name, ...about].map((part) => part.replaceAll(/[^\w.$@+-]+/g, "-"));
  const all = new Set<Capability>([...needs, ...neededBy(context, steps)]);
  const disturbs = alone || steps.some((step) => "advance" in step || "hold" in step);
  const id = parts.join("/");
  const isNamed = around.length > 0 && alsoOf(context.settings, id).length > 0;
  return {
    id,
    kind,
    operation: operation.name,
    title,
    requirements: [...new Set([...requirements, ...(isNamed ? [] : around)])],
    needs: [...all],
    ...(disturbs ? { alone: true as const } : {}),
    ...(safe ? { safe: true as const } : {}),
    steps,
  };
}

/** The capabilities that steps need, including those of their recipes. */
export function neededBy(
  context: Context,
  steps: readonly Step[],
  seen: ReadonlySet<string> = new Set(),
): Capability[] {
  return steps.flatMap((step): Capability[] => {
    if ("advance" in step || "hold" in step) return ["clock"];
    if ("actor" in step) return [step.actor.account === "other" ? "stranger" : "users"];
    if ("repeat" in step) return neededBy(context, step.repeat, seen);
    if ("parallel" in step) return neededBy(context, step.parallel, seen);
    if ("make" in step) {
      const recipe = context.settings.recipes[step.make];
      const own = callerNeeds(step.by);
      if (recipe === undefined || seen.has(step.make)) return own;
      return [...own, ...recipe.needs, ...neededBy(context, recipe.steps, new Set([...seen, step.make]))];
    }
    if ("call" in step)
      return [...callerNeeds(step.by), ...(step.call.startsWith("controls:") ? (["controls"] as const) : [])];
    return [];
  });
}

function callerNeeds(by: Caller | undefined): Capability[] {
  if (by === "stranger") return ["stranger"];
  if (by === undefined || typeof by === "string") return [];
  if ("scopes" in by && !("grants" in by)) return ["tokens"];
  return "grants" in by ? ["users"] : [];
}
