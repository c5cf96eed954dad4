import { type Issues, contentFor, IssueCollector, parseMediaType, type InputGroups } from "@plumbline/http-runtime";
import type { RequestEvaluation } from "../request/request-evaluation.js";
import {
  newIssues,
  validateChange,
  mergeChange,
  findMutabilityViolation,
  type ChangeContent,
} from "../conditions/mutability.js";
import { checkConcurrencyLimits, checkUniqueLimits } from "./limits.js";
import { valuesAt, valuesOf } from "../conditions/expressions.js";
import { dependsOnBody, appliesToOperation, checkGrants, dependsOnPath, listScopeOf } from "../access/grants.js";
import { lookupBody, lookupPath, lookupSingleton } from "./body-resources.js";
import { isOwnedBy } from "../access/ownership.js";
import type { ReferencedId } from "../resources/body-references.js";
import type { PlannedReference, OperationPlan } from "../operation-plan.js";
import { checkErrorRules } from "../conditions/error-rules.js";
import { rowField, type AncestorChain } from "../resources/resource-cache.js";
import { isWithinScopes } from "../access/scope-sets.js";
import { violatedTransition, type StateRule } from "../state-machines/state-rules.js";
import { platformFields, applyValueRules } from "../conditions/value-rules.js";

/**
 * Checks a request against stored data, in the handler's transaction.
 *
 * @throws RejectedRequestError if the check fails
 */
export type PipelineStep = (evaluation: RequestEvaluation) => Promise<void> | void;

/** Lists the checks of an operation in their order, without those that it does not need. The last step adds the loaded rows to the input. */
export function buildPipeline(plan: Omit<OperationPlan, "steps">): readonly PipelineStep[] {
  const {
    resources,
    grants,
    values,
    mergedSchema: merged,
    ceilings,
    mutability,
    errorRules,
    states,
    limits,
    operation,
  } = plan;
  const { path, body, target, list } = resources;
  const contents = Object.values(operation.definition.body?.contents ?? {});
  const isChange = ["PUT", "PATCH", "DELETE"].includes(operation.definition.method);
  const steps: readonly (readonly [isAsked: boolean, step: PipelineStep])[] = [
    [grants.some(appliesToOperation), (evaluation) => checkGrants(evaluation, appliesToOperation)],
    [path.length > 0, lookupPath],
    [target !== undefined && target.parameter === undefined, lookupSingleton],
    [contents.some(({ stored }) => stored !== undefined), validateStoredContent],
    [grants.some(dependsOnPath), (evaluation) => checkGrants(evaluation, dependsOnPath)],
    [body.length > 0, lookupBody],
    [grants.some(dependsOnBody), (evaluation) => checkGrants(evaluation, dependsOnBody)],
    [values.length > 0, setValues],
    [mutability.length > 0, checkMutability],
    [merged !== undefined, validateMerged],
    [ceilings.length > 0, checkScopeCeilings],
    [errorRules.length > 0, checkErrorRules],
    [isChange && target?.parameter !== undefined, checkOwnership],
    [states.length > 0, checkStates],
    [(limits.unique ?? []).length > 0, checkUniqueLimits],
    [(limits.concurrency ?? []).length > 0, checkConcurrencyLimits],
    [list !== undefined, findListScope],
  ];
  const needed = steps.flatMap(([isNeeded, step]) => (isNeeded ? [step] : []));
  return needed.length === 0 ? [] : [...needed, addRowsToInput];
}

/** Validates a change after its target was loaded. */
function validateStoredContent(evaluation: RequestEvaluation): void {
  const content = contentOf(evaluation);
  if (content === undefined || evaluation.body === undefined) return;
  const issues: Issues = [];
  const unknown = evaluation.server.options.unknown ?? "strip";
  evaluation.body = validateChange(evaluation.body, evaluation.target, { content, unknown, issues });
  throwIssues(issues, evaluation);
}

/** The schema for the media type of the body. */
function contentOf({ plan, context }: RequestEvaluation): ChangeContent | undefined {
  const contents = plan.operation.definition.body?.contents ?? {};
  const [only, ...others] = Object.values(contents);
  if (others.length === 0) return only?.stored;
  const type = parseMediaType(context.header("content-type") ?? "");
  return type === undefined ? undefined : contentFor(contents, type)?.stored;
}

/** A public resource can be read by all callers, but only its owner may change it. */
function checkOwnership(evaluation: RequestEvaluation): void {
  const chain = evaluation.parameters.get(evaluation.plan.resources.target?.parameter ?? "") ?? [];
  const { resources } = evaluation.server.definition;
  if (chain.every(({ resource }) => resources[resource]?.public === undefined)) return;
  if (!isOwnedBy(evaluation.caller, chain, evaluation.server.registry)) throw evaluation.forbidden(undefined);
}

/** Sets values that depend on stored data or on the caller. */
function setValues(evaluation: RequestEvaluation): void {
  evaluation.body = applyValueRules(evaluation.plan.values, evaluation);
}

/** Validates the complete object after the change is merged into it. */
function validateMerged(evaluation: RequestEvaluation): void {
  const { mergedSchema: check, completed } = evaluation.plan;
  const issues: Issues = [];
  check?.(mergeChange(evaluation.target, evaluation.body), issues);
  if (issues.length === 0) return;
  const before: Issues = [];
  check?.(mergeChange(evaluation.target, undefined), before);
  const caused = newIssues(evaluation.body, issues, before);
  // The platform validates the fields that it completes.
  const platformPointers = platformFields(completed, evaluation);
  throwIssues(
    caused.filter(
      ({ path }) => !platformPointers.some((pointer) => pointer.every((token, index) => token === path[index])),
    ),
    evaluation,
  );
}

function throwIssues(issues: Issues, evaluation: RequestEvaluation): void {
  if (issues.length === 0) return;
  const findings = new IssueCollector();
  findings.add(issues, "body");
  throw evaluation.validationError(findings.all);
}

/** Checks that scopes in a body stay within their ceilings. */
function checkScopeCeilings(evaluation: RequestEvaluation): void {
  const { scopeGrammar } = evaluation.server.definition;
  for (const { pointer, atMost, error } of evaluation.plan.ceilings) {
    const [ceiling] = valuesOf(atMost, evaluation);
    const isFit = (scopes: unknown) =>
      scopeGrammar !== undefined &&
      typeof scopes === "string" &&
      typeof ceiling === "string" &&
      isWithinScopes(scopes, ceiling, scopeGrammar);
    const requested = valuesAt(evaluation.body, pointer).filter((scopes) => scopes !== null);
    if (!requested.every(isFit)) throw evaluation.error(error);
  }
}

/** Checks that fields change only as the description allows. */
async function checkMutability(evaluation: RequestEvaluation): Promise<void> {
  const { orderedValues = {} } = evaluation.server.options;
  const violated = await findMutabilityViolation(evaluation.plan.mutability, evaluation, (order) => {
    if (orderedValues[order] === undefined)
      throw new TypeError(
        `Missing option \`orderedValues.${order}\`. Provide a function that returns the values in their order.`,
      );
    return orderedValues[order](evaluation.context);
  });
  if (violated !== undefined) throw evaluation.errorAt(violated.error, [violated.pointer.join(".")]);
}

/** Checks that objects are in a state from which the operation has a transition. */
function checkStates(evaluation: RequestEvaluation): void {
  for (const rule of evaluation.plan.states) {
    for (const row of transitioningRows(rule, evaluation)) {
      const { states } = evaluation.server.registry.stores[rule.resource] ?? {};
      const state = states?.[rule.stateMachine]?.(row) ?? rowField(row, rule.field ?? "");
      if (typeof state !== "string")
        throw new TypeError(
          `Missing option \`resources.${rule.resource}.states.${rule.stateMachine}\`. Provide a function that returns the state of a row.`,
        );
      const violated = violatedTransition(rule, state, evaluation);
      if (violated !== undefined) throw evaluation.errorAt(violated.error);
    }
  }
}

function transitioningRows(
  { subject }: StateRule,
  { plan, chains, target, refs }: RequestEvaluation,
): readonly unknown[] {
  if (subject === undefined) return target === undefined ? [] : [target];
  if (subject.part === "path") return refs.parameter(subject.name ?? "") ?? [];
  const key = subject.pointer.join("/");
  const index = plan.bodyReferences.findIndex((each) => each.key === key);
  return (chains[index] ?? []).flatMap((chain) => chain?.[0]?.row ?? []);
}

/** Finds the part of a list that the caller may see. */
async function findListScope(evaluation: RequestEvaluation): Promise<void> {
  evaluation.input["listScope"] = await listScopeOf(evaluation, evaluation.plan.resources.list ?? "");
}

/** Adds the loaded rows to the handler's input. */
function addRowsToInput(evaluation: RequestEvaluation): void {
  const { input, refs: rows, target, body } = evaluation;
  const { bodyReferences, pathReferences } = evaluation.plan;
  if (body !== undefined) input["body"] = body;
  if (target !== undefined) input["target"] = target;
  if (pathReferences.length === 0 && bodyReferences.length === 0) return;
  const refs: InputGroups = {};
  for (const { parameter } of pathReferences) refs[parameter] = rows.parameter(parameter)?.[0];
  for (let index = 0; index < bodyReferences.length; index += 1) {
    const { name, isMany } = bodyReferences[index] as PlannedReference;
    const chains = evaluation.chains[index] ?? [];
    refs[name] = isMany ? rowsById(evaluation.bodyIds[index] ?? [], chains) : chains[0]?.[0]?.row;
  }
  input["refs"] = refs;
}

function rowsById(
  named: readonly ReferencedId[],
  chains: readonly (AncestorChain | undefined)[],
): ReadonlyMap<unknown, unknown> {
  return new Map(named.map(({ id }, index) => [id, chains[index]?.[0]?.row] as const));
}
