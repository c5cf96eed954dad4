import { type Code, jsonLiteral } from "@plumbline/kit/codegen";
import { emitCondition, objectLiteral } from "@plumbline/kit/codegen/conditions";
import type { Api, InitialState, StateMachine, Transition, TransitionEvent } from "@plumbline/kit/model";
import type { EventData } from "@plumbline/server-runtime/mock";
import { findOperation } from "./lookups.js";
import { type EmitContext, objectData, valuesData } from "./operations.js";
import { someItems } from "./short-literals.js";

/** Prints a state machine. */
export function stateMachineData(api: Api, stateMachine: StateMachine, { context }: EmitContext): Code {
  const { name, resource, field, states, hidden, initial, transitions } = stateMachine;
  return objectLiteral({
    name: jsonLiteral(name),
    resource: jsonLiteral(resource),
    field: field === undefined ? undefined : jsonLiteral(field),
    states: jsonLiteral(states),
    hidden: Object.keys(hidden).length === 0 ? undefined : jsonLiteral(hidden),
    initial: someItems(initial.map((each) => objectLiteral(stepsMembers(api, each, { name, resource, context })))),
    transitions: someItems(transitions.map((each) => transitionData(api, each, { name, resource, context, states }))),
  });
}

interface StateMachineContext extends Pick<EmitContext, "context"> {
  readonly name: string;
  readonly resource: string;
}

function transitionData(
  api: Api,
  transition: Transition,
  { states, ...about }: StateMachineContext & { readonly states: readonly string[] },
): Code {
  const { event, subject, from, while: limit } = transition;
  const operation = event.kind === "operation" ? findOperation(api, event.operation) : undefined;
  return objectLiteral({
    ...stepsMembers(api, transition, about),
    from: JSON.stringify(from) === JSON.stringify(states) ? undefined : jsonLiteral(from),
    subject: subject && operation && objectData(api, operation, subject),
    while: limit === undefined ? undefined : jsonLiteral(limit),
  });
}

function stepsMembers(
  api: Api,
  { event, when, to, then, sets = {}, duration }: InitialState,
  { name, resource, context }: StateMachineContext,
): Readonly<Record<string, Code | undefined>> {
  return {
    on: jsonLiteral({ ...eventData(event) }),
    when: when && emitCondition(when, context, `${name} ${to}`),
    to: jsonLiteral(to),
    then: then.length === 0 ? undefined : jsonLiteral(then),
    sets: valuesData(api, sets, resource),
    durationSeconds: duration && jsonLiteral(duration.seconds),
  };
}

function eventData(event: TransitionEvent): EventData {
  switch (event.kind) {
    case "operation":
      return { operation: event.operation };
    case "platform":
      return { platform: event.platform };
    case "after":
      return { after: event.after.seconds };
    case "at":
      return { at: event.at };
  }
}
