import {
  type Api,
  describeCondition,
  describeExpression,
  durationInWords,
  type InitialState,
  ownValue,
  type StateMachine,
  toPlainText,
  type Transition,
  type TransitionEvent,
} from "../../model/index.js";
import { compareByTable, sourceRows, type ComparisonTable } from "../comparison-table.js";
import { isDeepEqual, isDeepEqualExcept } from "../deep-equal.js";
import { reportDifference, type ComparisonContext } from "../description-comparison.js";
import { matchLists, compareNames } from "../match-lists.js";
import { matchRenamedValues } from "../match-renamed-values.js";
import { joinValues, shorten } from "../shorten.js";

/** Compares state machines. */
export function compareStateMachines(old: Api, next: Api, at: ComparisonContext): void {
  const { both, removed, added } = matchLists(old.stateMachines, next.stateMachines, ({ name }) => name);
  for (const [before, after] of both)
    compareByTable(stateMachineTable, withCurrentNames(before, at), after, {
      ...at,
      subject: after.name,
      location: after.name,
    });
  for (const { name, origin } of added)
    reportDifference(at, "state-machine-added", { subject: name, newOrigin: origin });
  for (const { name, origin } of removed)
    reportDifference(at, "state-machine-removed", { subject: name, oldOrigin: origin });
}

/** A state machine with the current names of its operations. */
function withCurrentNames(stateMachine: StateMachine, { comparison }: ComparisonContext): StateMachine {
  const renamed = <T extends { readonly event: TransitionEvent }>(each: T): T =>
    each.event.kind === "operation"
      ? { ...each, event: { ...each.event, operation: comparison.currentOperationName(each.event.operation) } }
      : each;
  return {
    ...stateMachine,
    initial: stateMachine.initial.map(renamed),
    transitions: stateMachine.transitions.map(renamed),
  };
}

const stateMachineTable: ComparisonTable<StateMachine> = {
  name: "reported where state machines are matched",
  resource: compareSubject,
  field: compareSubject,
  states: compareStates,
  hidden: compareHiddenStates,
  initial: compareInitialStates,
  transitions: compareTransitions,
  ...sourceRows,
};

function compareSubject(old: StateMachine, next: StateMachine, at: ComparisonContext): void {
  const describe = ({ resource, field }: StateMachine) => (field === undefined ? resource : `${resource}.${field}`);
  reportDifference(at, "state-machine-changed", { old: describe(old), new: describe(next), newOrigin: next.origin });
}

function compareStates(old: StateMachine, next: StateMachine, at: ComparisonContext): void {
  const { added, removed } = compareNames(old.states, next.states);
  for (const state of added) reportDifference(at, "state-added", { new: state, newOrigin: next.origin });
  const newStates = matchRenamedValues({ removed, added });
  for (const state of removed)
    reportDifference(at, "state-removed", { old: state, newOrigin: next.origin, renamedTo: newStates.get(state) });
  if (added.length === 0 && removed.length === 0 && !isDeepEqual(old.states, next.states))
    reportDifference(at, "state-order-changed", { newOrigin: next.origin });
}

function compareHiddenStates(old: StateMachine, next: StateMachine, at: ComparisonContext): void {
  for (const state of new Set([...Object.keys(old.hidden), ...Object.keys(next.hidden)])) {
    const [before, after] = [old, next].map((each) => ownValue(each.hidden, state) ?? "itself");
    const isThroughout = [old, next].every((each) => each.states.includes(state)); // else the state itself is a difference
    if (before !== after && isThroughout)
      reportDifference(at, "hidden-state-changed", {
        old: `${before} (${state})`,
        new: `${after} (${state})`,
        newOrigin: next.origin,
      });
  }
}

/** Compares initial states. The first one that matches counts, so their order matters. */
function compareInitialStates(old: StateMachine, next: StateMachine, at: ComparisonContext): void {
  const keyOf = (each: InitialState): string => `${formatTrigger(each.event)} ${shorten(each.when ?? "always")}`;
  const { both, removed, added } = matchLists(old.initial, next.initial, keyOf);
  for (const [before, after] of both)
    if (!isDeepEqual(before, after))
      reportDifference(at, "initial-state-changed", {
        old: formatInitialState(before),
        new: formatInitialState(after),
        newOrigin: after.origin,
      });
  for (const each of added)
    reportDifference(at, "initial-state-added", { new: formatInitialState(each), newOrigin: each.origin });
  for (const each of removed)
    reportDifference(at, "initial-state-removed", { old: formatInitialState(each), oldOrigin: each.origin });
  const [before, after] = [
    old.initial.filter((each) => !removed.includes(each)),
    next.initial.filter((each) => !added.includes(each)),
  ].map((all) => joinValues(all.map(keyOf), "; "));
  if (before !== after)
    reportDifference(at, "initial-state-changed", {
      old: `in the order ${before}`,
      new: `in the order ${after}`,
      newOrigin: next.origin,
    });
}

/** Compares transitions, which match by trigger and target. */
function compareTransitions(old: StateMachine, next: StateMachine, at: ComparisonContext): void {
  const keyOf = (each: Transition): string => `${formatTrigger(each.event)} ${each.subject?.text ?? ""} ${each.to}`;
  const { both, removed, added } = matchLists(old.transitions, next.transitions, keyOf);
  for (const [before, after] of both) {
    const here = after.origin;
    const what = `${at.subject} (${formatTrigger(after.event)})`;
    const { added: more, removed: less } = compareNames(before.from, after.from);
    if (more.length > 0)
      reportDifference(at, "transition-from-added", { subject: what, new: joinValues(more), newOrigin: here });
    if (less.length > 0)
      reportDifference(at, "transition-from-removed", { subject: what, old: joinValues(less), newOrigin: here });
    if (isDeepEqualExcept(["from"], before, after)) continue;
    reportDifference(at, "transition-changed", {
      old: formatTransition(before),
      new: formatTransition(after),
      newOrigin: here,
    });
  }
  for (const each of added)
    reportDifference(at, "transition-added", { new: formatTransition(each), newOrigin: each.origin });
  for (const each of removed)
    reportDifference(at, "transition-removed", { old: formatTransition(each), oldOrigin: each.origin });
}

function formatTrigger(trigger: TransitionEvent): string {
  if (trigger.kind === "operation") return `by ${trigger.operation}`;
  if (trigger.kind === "platform") return `by the platform's ${trigger.platform}`;
  return trigger.kind === "after" ? `after ${durationInWords(trigger.after)}` : `at ${trigger.at}`;
}

function setsOf(sets: InitialState["sets"]): readonly string[] {
  return sets === undefined ? [] : [`with ${shorten(sets)}`];
}

function formatInitialState({ event, when, to, then, sets, duration }: InitialState): string {
  return [
    formatTrigger(event),
    "as",
    [to, ...then].join(" then "),
    ...setsOf(sets),
    ...(duration === undefined ? [] : [`in ${durationInWords(duration)}`]),
    ...formatCondition(when),
  ].join(" ");
}

function formatTransition(transition: Transition): string {
  const { event, subject, from, to, then, when, sets, while: lasting, limit, duration, error: otherwise } = transition;
  return [
    `${formatTrigger(event)} from ${joinValues(from, " or ")} to ${[to, ...then].join(" then ")}`,
    ...(subject === undefined ? [] : [`on ${toPlainText(describeExpression(subject))}`]),
    ...setsOf(sets),
    ...(duration === undefined ? [] : [`in ${durationInWords(duration)}`]),
    ...(lasting === undefined ? [] : [`while ${lasting}`]),
    ...(limit === undefined ? [] : [`up to ${limit}`]),
    ...(otherwise === undefined ? [] : [`or ${otherwise}`]),
    ...formatCondition(when),
  ].join(" ");
}

function formatCondition(when: Transition["when"]): readonly string[] {
  return when === undefined ? [] : [`if ${toPlainText(describeCondition(when))}`];
}
