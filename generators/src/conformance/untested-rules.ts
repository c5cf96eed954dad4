import type { Case } from "@plumbline/conformance-runtime";
import {
  collectFields,
  collectLimits,
  describePer,
  type Diagnostic,
  findJsonContent,
  type Limit,
  type Operation,
  ownValue,
  type Source,
  type SourceRef,
  type StateMachine,
  toMarkdown,
  type Transition,
} from "@plumbline/kit/model";
import { maxTestedRequests } from "./cases/limits/limit-case.js";
import { requirementIds, type ConformanceContext } from "./context/context.js";
import { hasObjectSource } from "./requests/object-sources.js";
import { findStatePath } from "./requests/state-paths.js";

/**
 * Warns of limits, states, transitions and grants that no case tests, and says why. With `untested` in the settings each requirement has a case or
 * a reason, so nothing is left to warn of.
 */
export function untestedRules(context: ConformanceContext, cases: readonly Case[]): readonly Diagnostic[] {
  if (context.settings.untested !== undefined) return [];
  const tested = new Set(cases.flatMap(({ requirements }) => requirements));
  const ids = cases.map(({ id }) => id.split("/"));
  const namesIn = (...folders: readonly string[]): ReadonlySet<string> =>
    new Set(ids.filter((parts) => folders.every((each) => parts.includes(each))).flat());
  const isTested = (sources: readonly Source[]): boolean => requirementIds(sources).some((each) => tested.has(each));
  const about: RuleContext = {
    context,
    isTested,
    limits: namesIn("limits"),
    events: namesIn("states", "platform"),
    operations: new Set(ids.flatMap(([, name = "", kind]) => (kind === "grants" ? [name] : []))),
  };
  return [
    ...objectWarnings(context),
    ...filterWarnings(context, cases),
    ...limitWarnings(about),
    ...transitionWarnings(about),
    ...grantWarnings(about),
  ];
}

/** Described resources of which the suite has no object. */
function objectWarnings(context: ConformanceContext): readonly Diagnostic[] {
  const { api } = context;
  return api.resources.flatMap(({ name, origin }) => {
    if (name.startsWith("/") || hasObjectSource(context, name)) return [];
    const operations = api.operations.filter(({ parameters }) =>
      parameters.some((each) => each.in === "path" && each.reference?.to === name),
    );
    if (operations.length === 0) return [];
    const names = operations.map((each) => each.name).join(", ");
    return [
      warning(
        context,
        origin,
        `No request creates or lists a ${name}, so the suite has no object for ${names}.`,
        `Add a fixture \`${name}\` to \`fixtures\` of the settings, or let the response of the operation that creates it have the schema ${name}.`,
      ),
    ];
  });
}

function isListed({ filter, order }: Operation): boolean {
  return (filter ?? order) !== undefined;
}

/** Filters of the description and of the settings without a case. */
function filterWarnings(context: ConformanceContext, cases: readonly Case[]): readonly Diagnostic[] {
  const tested = new Set(cases.flatMap(({ kind, operation }) => (kind === "filters" ? [operation] : [])));
  // Where x-lists says how filters are written, a list without the parameters has none.
  const hasSyntax = context.api.operations.some(isListed);
  return context.api.operations.flatMap((operation) => {
    const isStated = ownValue(context.settings.filters ?? {}, operation.name) !== undefined;
    const schemas = operation.responses.flatMap(({ contents }) => findJsonContent(contents)?.schema ?? []);
    const fields = schemas
      .flatMap((schema) => collectFields(context.api, schema))
      .filter(({ pointer, schema }) => schema.filterable !== undefined && pointer.includes("*"));
    const hasParameter = operation.parameters.some(({ name }) => fields.some(({ pointer }) => pointer.at(-1) === name));
    const isFilterable = fields.length > 0 && (!hasSyntax || isListed(operation) || hasParameter);
    if (tested.has(operation.name) || !(isStated || (isFilterable && operation.method === "GET"))) return [];
    return [
      warning(
        context,
        operation.origin,
        `No case tests the filter of ${operation.name}${isStated ? `, and \`filters.${operation.name}\` of the settings has no effect` : ""}.`,
        "A case needs `list` in `x-resource`, a query parameter with the name of an item's field or the filter of `x-lists`, and two items with different values: name fixtures in `filters` that create them within `of#/PARENT` of the list's path, and the field in `distinct`.",
      ),
    ];
  });
}

interface RuleContext {
  readonly context: ConformanceContext;
  /** The ids of limits that have cases, and other segments of the ids of these cases. */
  readonly limits: ReadonlySet<string>;
  /** The events that the server itself causes and that have cases, likewise. */
  readonly events: ReadonlySet<string>;
  /** The operations that have cases of grants. */
  readonly operations: ReadonlySet<string>;
  readonly isTested: (sources: readonly Source[]) => boolean;
}

function limitWarnings({ context, limits, isTested }: RuleContext): readonly Diagnostic[] {
  const { api } = context;
  const errors = new Set([...api.operations.flatMap((each) => each.errors), ...api.errors].map(({ id }) => id));
  return collectLimits(context.api).flatMap(({ limit }) => {
    const { id, sources, origin } = limit;
    if (limits.has(id) || isTested(sources)) return [];
    const { why, fix } = reasonOfLimit(limit, errors);
    return [warning(context, origin, `No case tests the limit "${id}": ${why}.`, fix)];
  });
}

interface Reason {
  readonly why: string;
  readonly fix: string;
}

const workflow = "Add a workflow that tests it.";

function reasonOfLimit({ kind, max = 0, per, error, by = [] }: Limit, errors: ReadonlySet<string>): Reason {
  if (error === undefined && kind !== "retention")
    return { why: "it names no error", fix: "Add `error`, with an error of `x-errors`." };
  if (error !== undefined && !errors.has(error))
    return {
      why: `no operation documents the error "${error}"`,
      fix: `Add "${error}" to \`x-errors\` of the operation.`,
    };
  if (kind === "rate" && max > maxTestedRequests)
    return {
      why: `a case would need more than ${maxTestedRequests} requests`,
      fix: "Run a test of load beside the suite.",
    };
  if (kind === "rate" && per !== undefined)
    return { why: `it counts${toMarkdown(describePer(per))}, and not per user`, fix: workflow };
  if (kind === "unique")
    return {
      why: `no request that documents its error sends ${by.length === 0 ? "the field" : by.join(" and ")}`,
      fix: "Add its error to `x-errors` of the operations that set the field.",
    };
  return { why: `cases of the kind \`${kind}\` need more than the description says`, fix: workflow };
}

/** Triggers that only the server itself causes, and states that nothing else leads to. */
function transitionWarnings({ context, events, isTested }: RuleContext): readonly Diagnostic[] {
  return context.api.stateMachines.flatMap((stateMachine) => {
    if (stateMachine.field === undefined) return [];
    return stateMachine.transitions.flatMap((transition) => {
      const { event, sources, origin } = transition;
      const name = event.kind === "platform" ? event.platform : event.kind === "at" ? event.at : undefined;
      if (name === undefined || isTested(sources)) return [];
      const { resource } = stateMachine;
      if (events.has(name) || context.settings.fixtures[`${resource}!${name}`] !== undefined) return [];
      const only = unreached(context, stateMachine, transition);
      const states = only === undefined ? "" : ` Nothing else leads to the state "${only}".`;
      return [
        warning(
          context,
          origin,
          `No case tests \`${event.kind}: ${name}\` of ${resource}: no request causes it.${states}`,
          event.kind === "at"
            ? `Add test controls of the clock, \`clock\` in the settings, and a workflow that waits until \`${name}\`.`
            : `Add a test control that causes it, and call it in the fixture \`${resource}!${name}\` of the settings.`,
        ),
      ];
    });
  });
}

function unreached(
  context: ConformanceContext,
  stateMachine: StateMachine,
  { to, then }: Transition,
): string | undefined {
  const state = then.at(-1) ?? to;
  if (state.startsWith("$") || context.settings.fixtures[`${stateMachine.resource}@${state}`] !== undefined)
    return undefined;
  return findStatePath(context, stateMachine, state) === undefined ? state : undefined;
}

function grantWarnings({ context, operations, isTested }: RuleContext): readonly Diagnostic[] {
  return context.api.operations.flatMap(({ name, grants }) => {
    const first = grants.find(({ sources }) => !isTested(sources));
    if (first === undefined || operations.has(name)) return [];
    return [
      warning(
        context,
        first.origin,
        `No case tests the grants of ${name}: the suite cannot tell which object they are about.`,
        "Add `x-reference` to the parameter or the field that refers to the object, and `grants` to its `x-resource`.",
      ),
    ];
  });
}

function warning({ options }: ConformanceContext, origin: SourceRef, message: string, fix: string): Diagnostic {
  return { code: "conformance/no-case", severity: "warning", origin: options.locate(origin), message, fix };
}
