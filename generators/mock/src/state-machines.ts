import { type Code, jsonLiteral } from "@plumbline/codegen";
import { emitCondition, listLiteral, objectLiteral } from "@plumbline/codegen/conditions";
import type { CompileContext } from "@plumbline/codegen/validation";
import type { Api, InitialState, StateMachine, Transition, TransitionEvent } from "@plumbline/model";
import { emitChosenSource, objectExpression } from "./operations.js";
import { findOperation } from "./lookups.js";

/** Prints a state machine. */
export function stateMachineData(api: Api, stateMachine: StateMachine, context: CompileContext): Code {
  const { name, resource, field, states, hidden, initial, transitions } = stateMachine;
  return objectLiteral({
    name: jsonLiteral(name),
    resource: jsonLiteral(resource),
    field: field === undefined ? undefined : jsonLiteral(field),
    states: jsonLiteral(states),
    hidden: jsonLiteral(hidden),
    initial: listLiteral(initial.map((each) => objectLiteral(stepsMembers(api, each, { name, resource, context })))),
    transitions: listLiteral(transitions.map((each) => transitionData(api, each, { name, resource, context }))),
  });
}

interface StateMachineContext {
  readonly name: string;
  readonly resource: string;
  readonly context: CompileContext;
}

function transitionData(api: Api, transition: Transition, about: StateMachineContext): Code {
  const { event, subject, from, while: limit } = transition;
  const operation = event.kind === "operation" ? findOperation(api, event.operation) : undefined;
  return objectLiteral({
    ...stepsMembers(api, transition, about),
    from: jsonLiteral(from),
    subject: subject && operation && objectExpression(api, operation, subject),
    while: limit === undefined ? undefined : jsonLiteral(limit),
  });
}

function stepsMembers(
  api: Api,
  { event, when, to, then, sets = {}, duration }: InitialState,
  { name, resource, context }: StateMachineContext,
): Readonly<Record<string, Code | undefined>> {
  return {
    event: jsonLiteral(eventData(event)),
    when: when && emitCondition(when, context, `${name} ${to}`),
    to: jsonLiteral(to),
    then: jsonLiteral(then),
    sets: objectLiteral(
      Object.fromEntries(
        Object.entries(sets).map(
          ([field, source]) => [field, emitChosenSource(api, source, { resource, field })] as const,
        ),
      ),
    ),
    durationSeconds: duration && jsonLiteral(duration.seconds),
  };
}

function eventData(event: TransitionEvent) {
  switch (event.kind) {
    case "operation":
      return { kind: event.kind, operation: event.operation };
    case "platform":
      return { kind: event.kind, platform: event.platform };
    case "after":
      return { kind: event.kind, seconds: event.after.seconds };
    case "at":
      return { kind: event.kind, field: event.at };
  }
}
