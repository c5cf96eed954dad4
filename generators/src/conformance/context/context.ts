import type { CallStep, Caller, Capability, Case, CaseKind, Step, Fixture } from "@plumbline/conformance-runtime";
import type { GeneratorOptions } from "@plumbline/kit/codegen";
import {
  type Api,
  documentedErrorBodies,
  type MediaTypeObject,
  type Operation,
  type Resource,
  type Source,
  schemasByName,
  type SchemasByName,
  findJsonContent,
  schemaParts,
  inferResources,
  ownValue,
  pickDefined,
} from "@plumbline/kit/model";
import { documentedError } from "./error-formats.js";
import { extraRequirements } from "./extra-requirements.js";
import type { ConformanceInput, ConformanceSettings } from "./settings.js";

/** The options of a suite: its inputs beside the description are in `input`. */
export type ConformanceOptions = GeneratorOptions<unknown, ConformanceInput>;

/** The input of all case generators. */
export interface ConformanceContext {
  readonly api: Api;
  readonly options: ConformanceOptions;
  readonly settings: ConformanceSettings;
  /** The description of the server's test controls, if there is one. */
  readonly controls: Api | undefined;
  /** All operations by name, including linked ones. */
  readonly operations: ReadonlyMap<string, Operation>;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly schemas: SchemasByName;
  /** The fixtures that are known already, by name. The settings and the description determine them. */
  readonly derivedFixtures: Map<string, Fixture | undefined>;
  /** Whether an object of a resource can be created or listed, as far as known already. */
  readonly objectSources: Map<string, boolean>;
}

export function conformanceContextOf(described: Api, options: ConformanceOptions): ConformanceContext {
  const cached = contextCache.get(options);
  if (cached !== undefined && cached.described === described) return cached.context;
  const context = createContext(described, options);
  contextCache.set(options, { described, context });
  return context;
}

const contextCache = new WeakMap<
  ConformanceOptions,
  { readonly described: Api; readonly context: ConformanceContext }
>();

function createContext(described: Api, options: ConformanceOptions): ConformanceContext {
  const { api } = inferResources(described);
  const { settings, controls } = options.input;
  return {
    api,
    options,
    settings,
    controls,
    operations: new Map([...api.operations, ...api.operationsWithoutPath].map((each) => [each.name, each] as const)),
    resources: new Map(api.resources.map((each) => [each.name, each] as const)),
    schemas: schemasByName(api),
    derivedFixtures: new Map(),
    objectSources: new Map(),
  };
}

/** The ids of requirements among sources, including those that an assumption settles. */
export function requirementIds(sources: readonly Source[] | undefined): readonly string[] {
  const ids = (sources ?? []).flatMap((source) =>
    "requirement" in source ? [source.requirement] : (source.assumption.settles ?? []),
  );
  return [...new Set(ids)];
}

/** The requirements of the first sources that have any, from the innermost to the outermost. */
export function nearestRequirements(...context: readonly (readonly Source[] | undefined)[]): readonly string[] {
  return context.map(requirementIds).find((each) => each.length > 0) ?? [];
}

export interface CaseInit {
  readonly operation: Operation;
  readonly kind: CaseKind;
  /** The segments of the id after area and operation. */
  readonly idParts: readonly string[];
  readonly title: string;
  readonly requirements: readonly string[];
  /** Requirements of the surroundings. The case tests them too, unless the settings assign requirements to it. */
  readonly contextRequirements?: readonly string[];
  readonly requires?: readonly Capability[];
  readonly exclusive?: boolean;
  readonly readOnly?: boolean;
  readonly steps: readonly Step[];
}

/** Creates a case with its id, and adds the capabilities that its steps need. */
export function createCase(context: ConformanceContext, init: CaseInit): Case {
  const {
    operation,
    kind,
    idParts,
    title,
    requirements,
    contextRequirements = [],
    requires = [],
    exclusive = false,
    readOnly = false,
  } = init;
  const steps = init.steps.map((step) => withEveryPage(context, withPossibleError(context, step)));
  const parts = [operation.tag, operation.name, ...idParts].map((part) => part.replaceAll(/[^\w.$@+-]+/g, "-"));
  const all = new Set<Capability>([...requires, ...requiredCapabilities(context, steps)]);
  const disturbs = exclusive || steps.some((step) => "advance" in step || "hold" in step);
  const id = parts.join("/");
  const isNamed = contextRequirements.length > 0 && extraRequirements(context.settings, id).length > 0;
  return {
    id,
    kind,
    operation: operation.name,
    title,
    requirements: [...new Set([...requirements, ...(isNamed ? [] : contextRequirements)])],
    requires: [...all],
    ...(disturbs ? { exclusive: true as const } : {}),
    ...(readOnly ? { readOnly: true as const } : {}),
    steps,
  };
}

/**
 * A described error is looked for in `errors`, or where the documented bodies have their entries. An API whose error bodies have neither is
 * tested by the status alone, and one with problem details by their form, too.
 */
function withPossibleError(context: ConformanceContext, step: Step): Step {
  if (!("call" in step) || step.expect === undefined) return step;
  const { error: stated, ...expect } = step.expect;
  const { type: id, ...members } = stated ?? {};
  const error = stated && members;
  const operation = context.operations.get(step.call);
  const statuses = [expect.status ?? []].flat();
  if (operation === undefined || statuses.length === 0) return step;
  if (hasProblems(context, step, { operation, statuses })) {
    const types = context.api.problemDetails?.types;
    const type = types !== undefined && id !== undefined ? { type: types + encodeURIComponent(id) } : {};
    return { ...step, expect: { ...expect, error: { format: "problem-details", ...members, ...type } } };
  }
  if (error === undefined) return step;
  if (documentedErrorBodies(context.api) !== undefined) {
    const documented = documentedError(context.api, step, { operation, statuses, error });
    return { ...step, expect: { ...expect, ...pickDefined("error", documented) } };
  }
  // A status that is documented without a body has a list of errors only if the error says what is in it.
  const isStated = typeof error.field === "string" || (error.reasonContains ?? []).length > 0;
  const hasList = statuses.every(
    (status) =>
      hasErrorList(context, operation, status) &&
      (isStated || operation.responses.find((each) => each.status === status)?.contents.length !== 0),
  );
  return { ...step, expect: hasList ? { ...step.expect, error } : expect };
}

/** A step that looks for an item reads all pages of the list: other cases create objects in the same account. */
function withEveryPage({ operations }: ConformanceContext, step: Step): Step {
  if (!("call" in step)) return step;
  const pagination = operations.get(step.call)?.pagination;
  const asksForPage = pagination !== undefined && step.query?.[pagination.page] !== undefined;
  const seeksItem = JSON.stringify(step.expect?.body ?? null).includes('"contains"');
  return pagination !== undefined && !asksForPage && seeksItem ? { ...step, everyPage: true } : step;
}

interface RejectedCall {
  readonly operation: Operation;
  readonly statuses: readonly number[];
}

/** Without `x-problem-details`, only the documented bodies are known to be problem details. */
function hasProblems(
  { api }: ConformanceContext,
  { method, address }: CallStep,
  { operation, statuses }: RejectedCall,
): boolean {
  const { problemDetails } = api;
  const isError = statuses.every((status) => status >= 400) && (method ?? operation.method) !== "HEAD";
  if (problemDetails === undefined || !isError) return false;
  if (problemDetails.origin.pointer !== api.origin.pointer) return true;
  return (
    method === undefined &&
    address === undefined &&
    statuses.every((status) => findErrorContent(operation, status)?.mediaType === "application/problem+json")
  );
}

function findErrorContent({ responses }: Operation, status: number): MediaTypeObject | undefined {
  const response =
    responses.find((each) => each.status === status) ??
    responses.find((each) => each.status === `${Math.floor(status / 100)}XX`) ??
    responses.find((each) => each.status === "default");
  return response && findJsonContent(response.contents);
}

function hasErrorList({ api }: ConformanceContext, operation: Operation, status: number): boolean {
  const schema = findErrorContent(operation, status)?.schema;
  // Without a schema the body is unknown, and the documentation of errors holds.
  if (schema === undefined) return true;
  const properties = schemaParts(api, schema).flatMap((part) => part.properties ?? []);
  return properties.length === 0 || properties.some(({ name }) => name === "errors");
}

/** The capabilities that steps need, including those of their fixtures. */
export function requiredCapabilities(
  context: ConformanceContext,
  steps: readonly Step[],
  visited: ReadonlySet<string> = new Set(),
): Capability[] {
  return steps.flatMap((step): Capability[] => {
    if ("advance" in step) return isShort(step.advance) ? [] : ["clock"];
    if ("hold" in step) return ["clock"];
    if ("actor" in step && step.idleSeconds !== undefined) return [];
    if ("actor" in step) return [step.actor.account === "other" ? "other-account" : "users"];
    if ("repeat" in step) return requiredCapabilities(context, step.repeat, visited);
    if ("parallel" in step) return requiredCapabilities(context, step.parallel, visited);
    if ("frame" in step) return requiredCapabilities(context, [step.frame], visited);
    if ("make" in step) {
      const fixture = ownValue(context.settings.fixtures, step.make) ?? context.derivedFixtures.get(step.make);
      const needs = callerCapabilities(step.by);
      if (fixture === undefined || visited.has(step.make)) return needs;
      return [
        ...needs,
        ...fixture.requires,
        ...requiredCapabilities(context, fixture.steps, new Set([...visited, step.make])),
      ];
    }
    if ("call" in step)
      return [...callerCapabilities(step.by), ...(step.call.startsWith("controls:") ? (["controls"] as const) : [])];
    return [];
  });
}

/** True for a time that a run waits for if it cannot advance the clock. */
function isShort(duration: string): boolean {
  const [, seconds] = /^PT(\d+)S$/.exec(duration) ?? [];
  return seconds !== undefined && Number(seconds) <= 10;
}

function callerCapabilities(by: Caller | undefined): Capability[] {
  if (by === "other-account") return ["other-account"];
  if (by === undefined || typeof by === "string") return [];
  if ("caller" in by) return [by.grants === undefined || by.lacksAll === true ? "callers" : "users"];
  return "scopes" in by ? ["tokens"] : [];
}
