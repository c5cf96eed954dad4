import type { Api, InitialState, StateMachine, Transition, Trigger } from "../model/api.js";
import { report, type At } from "./comparison.js";
import { matched, won } from "./matched.js";
import { same, sameBut } from "./same.js";
import { listed, short } from "./short.js";
import { compareBy, places, type Table } from "./table.js";

/** Compares state machines. */
export function machines(old: Api, next: Api, at: At): void {
  const { both, removed, added } = matched(old.machines, next.machines, ({ name }) => name);
  for (const [before, after] of both)
    compareBy(table, renamed(before, at), after, { ...at, thing: after.name, place: after.name });
  for (const { name, origin } of added) report(at, "machine-added", { what: name, here: origin });
  for (const { name, origin } of removed) report(at, "machine-removed", { what: name, gone: origin });
}

/** A state machine with the current names of its operations. */
function renamed(machine: StateMachine, { comparison }: At): StateMachine {
  const called = <T extends { readonly by: Trigger }>(each: T): T =>
    each.by.kind === "operation"
      ? { ...each, by: { ...each.by, operation: comparison.called(each.by.operation) } }
      : each;
  return { ...machine, initial: machine.initial.map(called), transitions: machine.transitions.map(called) };
}

const table: Table<StateMachine> = {
  name: "reported where state machines are matched",
  resource: subject,
  field: subject,
  states,
  hidden,
  initial: starts,
  transitions,
  ...places,
};

function subject(old: StateMachine, next: StateMachine, at: At): void {
  const shown = ({ resource, field }: StateMachine) => (field === undefined ? resource : `${resource}.${field}`);
  report(at, "machine-changed", { old: shown(old), new: shown(next), here: next.origin });
}

function states(old: StateMachine, next: StateMachine, at: At): void {
  const { added, removed } = won(old.states, next.states);
  for (const state of added) report(at, "state-added", { new: state, here: next.origin });
  for (const state of removed) report(at, "state-removed", { old: state, here: next.origin });
  if (added.length === 0 && removed.length === 0 && !same(old.states, next.states))
    report(at, "state-order-changed", { here: next.origin });
}

function hidden(old: StateMachine, next: StateMachine, at: At): void {
  for (const state of new Set([...Object.keys(old.hidden), ...Object.keys(next.hidden)])) {
    const [before, after] = [old, next].map((each) => each.hidden[state] ?? "itself");
    const isThroughout = [old, next].every((each) => each.states.includes(state)); // else the state itself is a difference
    if (before !== after && isThroughout)
      report(at, "state-shown-changed", { old: `${before} (${state})`, new: `${after} (${state})`, here: next.origin });
  }
}

/** Compares initial states. The first one that matches counts, so their order matters. */
function starts(old: StateMachine, next: StateMachine, at: At): void {
  const keyOf = (each: InitialState): string => `${causeOf(each.by)} ${short(each.when ?? "always")}`;
  const { both, removed, added } = matched(old.initial, next.initial, keyOf);
  for (const [before, after] of both)
    if (!same(before, after))
      report(at, "start-changed", { old: startOf(before), new: startOf(after), here: after.origin });
  for (const each of added) report(at, "start-added", { new: startOf(each), here: each.origin });
  for (const each of removed) report(at, "start-removed", { old: startOf(each), gone: each.origin });
  const [before, after] = [
    old.initial.filter((each) => !removed.includes(each)),
    next.initial.filter((each) => !added.includes(each)),
  ].map((all) => listed(all.map(keyOf), "; "));
  if (before !== after)
    report(at, "start-changed", { old: `in the order ${before}`, new: `in the order ${after}`, here: next.origin });
}

/** Compares transitions, which match by trigger and target. */
function transitions(old: StateMachine, next: StateMachine, at: At): void {
  const keyOf = (each: Transition): string => `${causeOf(each.by)} ${each.on?.text ?? ""} ${each.to}`;
  const { both, removed, added } = matched(old.transitions, next.transitions, keyOf);
  for (const [before, after] of both) {
    const here = after.origin;
    const what = `${at.thing} (${causeOf(after.by)})`;
    const { added: more, removed: less } = won(before.from, after.from);
    if (more.length > 0) report(at, "transition-from-added", { what, new: listed(more), here });
    if (less.length > 0) report(at, "transition-from-removed", { what, old: listed(less), here });
    if (sameBut(["from"], before, after)) continue;
    report(at, "transition-changed", { old: moveOf(before), new: moveOf(after), here });
  }
  for (const each of added) report(at, "transition-added", { new: moveOf(each), here: each.origin });
  for (const each of removed) report(at, "transition-removed", { old: moveOf(each), gone: each.origin });
}

function causeOf(trigger: Trigger): string {
  if (trigger.kind === "operation") return `by ${trigger.operation}`;
  if (trigger.kind === "platform") return `by the platform's ${trigger.platform}`;
  return trigger.kind === "after" ? `after ${trigger.after.text}` : `at ${trigger.at}`;
}

function setsOf(sets: InitialState["sets"]): readonly string[] {
  return sets === undefined ? [] : [`with ${short(sets)}`];
}

function startOf({ by, when, to, then, sets, takes }: InitialState): string {
  return [
    causeOf(by),
    "as",
    [to, ...then].join(" then "),
    ...setsOf(sets),
    ...(takes === undefined ? [] : [`in ${takes.text}`]),
    ...whenOf(when),
  ].join(" ");
}

function moveOf(transition: Transition): string {
  const { by, on, from, to, then, when, sets, while: lasting, limit, takes, else: otherwise } = transition;
  return [
    `${causeOf(by)} from ${listed(from, " or ")} to ${[to, ...then].join(" then ")}`,
    ...(on === undefined ? [] : [`on ${on.text}`]),
    ...setsOf(sets),
    ...(takes === undefined ? [] : [`in ${takes.text}`]),
    ...(lasting === undefined ? [] : [`while ${lasting}`]),
    ...(limit === undefined ? [] : [`up to ${limit}`]),
    ...(otherwise === undefined ? [] : [`or ${otherwise}`]),
    ...whenOf(when),
  ].join(" ");
}

function whenOf(when: Transition["when"]): readonly string[] {
  return when === undefined ? [] : [`when ${short(when)}`];
}
