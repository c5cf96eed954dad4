import type { Caller, Capability, Case, Kind, Step } from "@plumbline/conformance-runtime";
import type { ArtifactOptions } from "../generator.js";
import type { Api, Operation, Resource, Source } from "../model/api.js";
import { shapesOf, type ShapesByName } from "../model/shapes-by-name.js";
import { alsoOf } from "./also.js";
import { inferredOf } from "./inferred.js";
import { noSettings, type Settings } from "./settings.js";

/** What the cases of a concern are made from. */
export interface Context {
  readonly api: Api;
  readonly options: ArtifactOptions;
  readonly settings: Settings;
  /** The description of the server's test controls, where there is one. */
  readonly controls: Api | undefined;
  /** Those with a path, by name; and the linked ones. */
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

/** The requirements that something comes from, those that an assumption settles among them. */
export function requirementsOf(sources: readonly Source[] | undefined): readonly string[] {
  const ids = (sources ?? []).flatMap((source) =>
    "requirement" in source ? [source.requirement] : (source.assumption.settles ?? []),
  );
  return [...new Set(ids)];
}

/** The requirements of the first of these that has any: of a thing itself, else of what is around it. */
export function nearestRequirements(...around: readonly (readonly Source[] | undefined)[]): readonly string[] {
  return around.map(requirementsOf).find((each) => each.length > 0) ?? [];
}

export interface NewCase {
  readonly operation: Operation;
  readonly kind: Kind;
  /** What follows area and operation in the id, in parts. */
  readonly about: readonly string[];
  readonly title: string;
  readonly requirements: readonly string[];
  /** What is said around what it tests: it is laid to that as well, unless the settings say which requirements it tests. */
  readonly around?: readonly string[];
  readonly needs?: readonly Capability[];
  readonly alone?: boolean;
  readonly safe?: boolean;
  readonly steps: readonly Step[];
}

/** A case with its id. Whatever else its steps need is added: callers, the clock, the controls. */
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

/** What steps need of the server or of who runs the suite, their recipes included. */
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
