import type { Issues } from "../../http/index.js";
import { isOwnedByCaller } from "../access/ownership.js";
import { isWithinScopes } from "../access/scope-sets.js";
import { findMetErrorRule } from "../conditions/error-rules.js";
import { valuesAt, valuesOf } from "../conditions/expressions.js";
import { findMutabilityViolation, mergeChange, newIssues } from "../conditions/mutability.js";
import { applyValueRules, platformFields } from "../conditions/value-rules.js";
import type { ObservedTransition } from "../observe/observe.js";
import type { OperationPlan } from "../operation-plan.js";
import { rowField } from "../resources/resource-cache.js";
import { violatedTransition, type StateRule } from "../state-machines/state-rules.js";
import type { RequestEvaluation } from "./request-evaluation.js";
import type { StepFactory } from "./step.js";

/** Sets values that depend on stored data or on the caller. */
export const setValues: StepFactory = ({ values }) => {
  if (values.length === 0) return undefined;
  return (evaluation) => {
    evaluation.body = applyValueRules(values, evaluation);
  };
};

/** Checks that fields change only as the description allows. */
export const checkMutability: StepFactory = ({ mutability }, { options }, errors) => {
  if (mutability.length === 0) return undefined;
  return async (evaluation) => {
    const { orderedValues = {} } = options;
    const violated = await findMutabilityViolation(mutability, evaluation, (order) => {
      if (orderedValues[order] === undefined)
        throw new TypeError(
          `Missing option \`orderedValues.${order}\`. Provide a function that returns the values in their order.`,
        );
      return orderedValues[order](evaluation.handlerContext);
    });
    if (violated !== undefined) throw errors.at(violated.error, [violated.pointer.join(".")]);
  };
};

/** Validates the complete object after the change is merged into it. */
export const checkMergedObject: StepFactory = ({ mergedSchema: check, completed }, _server, errors) => {
  if (check === undefined) return undefined;
  return (evaluation) => {
    const issues: Issues = [];
    check(mergeChange(evaluation.target, evaluation.body), issues);
    if (issues.length === 0) return;
    const before: Issues = [];
    check(mergeChange(evaluation.target, undefined), before);
    // The platform validates the fields that it completes.
    const platformPointers = platformFields(completed, evaluation);
    const caused = newIssues(evaluation.body, issues, before).filter(
      ({ path }) => !platformPointers.some((pointer) => pointer.every((token, index) => token === path[index])),
    );
    if (caused.length > 0) throw errors.invalidBody(caused);
  };
};

/** Checks that scopes in a body stay within their ceilings. */
export const checkScopeCeilings: StepFactory = ({ ceilings }, { definition }, errors) => {
  if (ceilings.length === 0) return undefined;
  const { scopeGrammar } = definition;
  return (evaluation) => {
    for (const { pointer, atMost, error } of ceilings) {
      const [ceiling] = valuesOf(atMost, evaluation);
      const isFit = (scopes: unknown) =>
        scopeGrammar !== undefined &&
        typeof scopes === "string" &&
        typeof ceiling === "string" &&
        isWithinScopes(scopes, ceiling, scopeGrammar);
      const requested = valuesAt(evaluation.body, pointer).filter((scopes) => scopes !== null);
      if (!requested.every(isFit)) throw errors.documented(error);
    }
  };
};

/** Checks the documented conditions under which a request fails. */
export const checkConditions: StepFactory = ({ errorRules }, _server, errors) => {
  if (errorRules.length === 0) return undefined;
  return (evaluation) => {
    const match = findMetErrorRule(errorRules, evaluation);
    if (match !== undefined) throw errors.within(match.rule.id, match.location);
  };
};

/** A public resource can be read by all callers, but only its owner may change it. */
export const checkOwnership: StepFactory = ({ operation, resources }, { definition, registry }, errors) => {
  const { parameter } = resources.target ?? {};
  const isChange = ["PUT", "PATCH", "DELETE"].includes(operation.definition.method);
  if (!isChange || parameter === undefined) return undefined;
  return ({ caller, refs }) => {
    const chain = refs.parameterChain(parameter) ?? [];
    if (chain.every(({ resource }) => definition.resources[resource]?.public === undefined)) return;
    if (!isOwnedByCaller(caller, chain, registry)) throw errors.forbidden(undefined);
  };
};

/** Checks that objects are in a state from which the operation has a transition. */
export const checkStates: StepFactory = (plan, { registry }, errors) => {
  if (plan.states.length === 0) return undefined;
  return (evaluation) => {
    const { observation } = evaluation.request;
    const transitions: ObservedTransition[] = [];
    observation?.noteTransitions(transitions);
    for (const rule of plan.states) {
      for (const row of transitioningRows(rule, plan, evaluation)) {
        const { states } = registry.stores[rule.resource] ?? {};
        const state = states?.[rule.stateMachine]?.(row) ?? rowField(row, rule.field ?? "");
        if (typeof state !== "string")
          throw new TypeError(
            `Missing option \`resources.${rule.resource}.states.${rule.stateMachine}\`. Provide a function that returns the state of a row.`,
          );
        const violated = violatedTransition(rule, state, evaluation);
        if (observation !== undefined)
          transitions.push({ stateMachine: rule.stateMachine, from: state, isAllowed: violated === undefined });
        if (violated !== undefined) throw errors.at(violated.error);
      }
    }
  };
};

function transitioningRows(
  { subject }: StateRule,
  { bodyReferences }: OperationPlan,
  { target, refs }: RequestEvaluation,
): readonly unknown[] {
  if (subject === undefined) return target === undefined ? [] : [target];
  if (subject.part === "path") return refs.parameter(subject.name ?? "") ?? [];
  const key = subject.pointer.join("/");
  const { chains } = refs.referenced(bodyReferences.find((each) => each.key === key));
  return chains.flatMap((chain) => chain?.[0]?.row ?? []);
}
