import {
  countOf,
  describeCondition,
  describeExpression,
  durationInWords,
  type ExpressionContext,
  type InitialState,
  type StateMachine,
  type Transition,
  type TransitionEvent,
} from "@plumbline/kit/model";
import { html, phraseHtml, type Html } from "../render/html.js";
import { allOperations, type PageContext } from "../site-context.js";
import { describeSources, type SourcesView } from "./sources.js";

/** A transition, or an initial state, as a row of a table. */
export interface TransitionView {
  readonly machine: string;
  readonly machineHref: string | undefined;
  readonly event: Html;
  /** The states in which it can start; empty for an initial state. */
  readonly from: readonly string[];
  readonly isFromAny: boolean;
  /** The states that follow one after the other. */
  readonly to: readonly string[];
  readonly condition: Html | undefined;
  readonly subject: Html | undefined;
  readonly duration: string | undefined;
  readonly error: { readonly id: string; readonly href: string } | undefined;
  readonly sources: SourcesView | undefined;
}

/** Describes all initial states and transitions of a state machine. */
export function describeTransitions(context: PageContext, machine: StateMachine): readonly TransitionView[] {
  return [
    ...machine.initial.map((each) => describeInitialState(context, machine, each)),
    ...machine.transitions.map((each) => describeTransition(context, machine, each)),
  ];
}

/** Describes what an operation does to states: those that it creates, needs and changes. */
export function describeOperationStates(context: PageContext, operation: string): readonly TransitionView[] {
  const isOurs = ({ event }: { readonly event: TransitionEvent }): boolean =>
    event.kind === "operation" && event.operation === operation;
  return context.api.stateMachines.flatMap((machine) => [
    ...machine.initial.filter(isOurs).map((each) => describeInitialState(context, machine, each)),
    ...machine.transitions.filter(isOurs).map((each) => describeTransition(context, machine, each)),
  ]);
}

function describeInitialState(context: PageContext, machine: StateMachine, initial: InitialState): TransitionView {
  return {
    ...commonParts(context, machine, initial),
    from: [],
    isFromAny: false,
    subject: undefined,
    error: undefined,
  };
}

function describeTransition(context: PageContext, machine: StateMachine, transition: Transition): TransitionView {
  const { event, from, subject, error } = transition;
  return {
    ...commonParts(context, machine, transition),
    from,
    isFromAny: from.length === machine.states.length && from.length > 1,
    subject:
      subject === undefined
        ? undefined
        : phraseHtml(describeExpression(subject, transitionContext(context, machine, event))),
    error: error === undefined ? undefined : { id: error, href: context.links.error(error) },
  };
}

function commonParts(
  context: PageContext,
  machine: StateMachine,
  { event, to, then, when, duration, ...node }: InitialState | Transition,
) {
  const about = transitionContext(context, machine, event);
  return {
    machine: machine.name,
    machineHref: context.links.stateMachine(machine.name),
    event: eventLink(context, event),
    to: [to, ...then].map(stateLabel),
    condition: when === undefined ? undefined : phraseHtml(describeCondition(when, about)),
    duration: duration === undefined ? undefined : durationInWords(duration),
    sources: describeSources(context, [node]),
  };
}

/** What the expressions of a transition can be named by: the parameters of its operation, and the object with the states. */
function transitionContext(
  { api }: PageContext,
  { resource }: StateMachine,
  event: TransitionEvent,
): ExpressionContext {
  const name = event.kind === "operation" ? event.operation : undefined;
  return { parameters: allOperations(api).find((each) => each.name === name)?.parameters, target: resource };
}

/** A state for readers: `$deleted` and `$previous` stand for something else than a value of a field. */
export function stateLabel(state: string): string {
  if (state === "$deleted") return "deleted";
  return state === "$previous" ? "the previous state" : state;
}

function eventLink({ links }: PageContext, event: TransitionEvent): Html {
  if (event.kind !== "operation") return html`${eventText(event)}`;
  const href = links.operation(event.operation);
  return href === undefined ? html`<code>${event.operation}</code>` : html`<a href="${href}">${event.operation}</a>`;
}

/** Describes an event in words. */
export function eventText(event: TransitionEvent): string {
  switch (event.kind) {
    case "operation":
      return event.operation;
    case "platform":
      return event.platform.replaceAll("-", " ");
    case "after":
      return `after ${durationInWords(event.after)}`;
    case "at":
      return `at ${event.at}`;
  }
}

/** Describes the size of a state machine: the states, and the rows of `describeTransitions`. */
export function machineSize({ states, initial, transitions }: StateMachine): string {
  const rows = `${countOf(initial.length, "way")} to begin, ${countOf(transitions.length, "transition")}`;
  return `${countOf(states.length, "state")}, ${rows}`;
}
