import {
  type InitialState,
  type StateMachine,
  type Transition,
  type TransitionEvent,
  pascalCase,
} from "../../model/index.js";
import type { SpecNode } from "../read/spec-node.js";
import { readCondition, readExpression } from "./conditions.js";
import { readDuration } from "./limits.js";
import { definedFields, readStrings } from "./plain-data.js";
import type { ReadContext } from "./read-context.js";
import { readSources } from "./sources.js";
import { readValueSource } from "./value-rules.js";

export interface StateMachineOwner {
  readonly resource: string;
  /** The property whose values are the states. `undefined` if the state machine belongs to the schema itself. */
  readonly field: string | undefined;
}

/** Reads `x-state-machine` of a schema or a property. A list contains several state machines without a field. */
export function readStateMachines(
  place: SpecNode,
  holder: StateMachineOwner,
  reading: ReadContext,
): readonly StateMachine[] {
  const extension = place.get("x-state-machine");
  if (extension === undefined) return [];
  const stateMachines = Array.isArray(extension.raw) ? extension.items() : [extension];
  return stateMachines.map((stateMachine) => readStateMachine(stateMachine, place, holder, reading));
}

function readStateMachine(
  stateMachine: SpecNode,
  place: SpecNode,
  holder: StateMachineOwner,
  reading: ReadContext,
): StateMachine {
  const hidden = Object.fromEntries(
    (stateMachine.get("hidden")?.entries() ?? []).map(
      ([state, shown]) => [state, typeof shown.raw === "string" ? shown.raw : ""] as const,
    ),
  );
  const stated = stateMachine.has("states")
    ? readStrings(stateMachine.get("states"))
    : readStrings(place.follow()?.get("enum"));
  const states = [...new Set([...stated, ...Object.keys(hidden)])];
  const called = stateMachine.text("x-name") ?? stateMachine.text("name");
  return definedFields<StateMachine>({
    name:
      called === undefined
        ? `${holder.resource}${pascalCase(holder.field ?? "state") ?? ""}`
        : (pascalCase(called) ?? called),
    resource: holder.resource,
    field: holder.field,
    states,
    hidden,
    initial: (stateMachine.get("initial")?.items() ?? []).map((item) => readInitialState(item, reading)),
    transitions: (stateMachine.get("transitions")?.items() ?? []).map((item) => readTransition(item, states, reading)),
    sources: readSources(stateMachine),
    origin: stateMachine.origin,
  });
}

function readInitialState(item: SpecNode, reading: ReadContext): InitialState {
  return definedFields<InitialState>({
    event: readTransitionEvent(item, reading),
    when: readCondition(item.get("when"), reading.read),
    to: item.text("to") ?? "",
    then: readStrings(item.get("then")),
    sets: readSets(item),
    duration: readDuration(item.text("duration")),
    sources: readSources(item),
    origin: item.origin,
  });
}

function readTransition(item: SpecNode, states: readonly string[], reading: ReadContext): Transition {
  const from = item.get("from");
  const except = from?.get("except");
  return definedFields<Transition>({
    event: readTransitionEvent(item, reading),
    subject: readExpression(item, "subject"),
    from: except === undefined ? readStrings(from) : states.filter((state) => !readStrings(except).includes(state)),
    to: item.text("to") ?? "",
    then: readStrings(item.get("then")),
    when: readCondition(item.get("when"), reading.read),
    sets: readSets(item),
    while: item.text("while"),
    limit: item.text("limit"),
    duration: readDuration(item.text("duration")),
    error: item.text("error"),
    sources: readSources(item),
    origin: item.origin,
  });
}

function readSets(item: SpecNode): InitialState["sets"] {
  const fields = item.get("sets")?.entries();
  return fields && Object.fromEntries(fields.map(([field, take]) => [field, readValueSource(take.raw)]));
}

function readTransitionEvent(item: SpecNode, { operationName }: ReadContext): TransitionEvent {
  const operation = item.text("event");
  if (operation !== undefined) return { kind: "operation", operation: operationName(operation) };
  const by = item.get("event");
  const platform = by?.text("platform");
  if (platform !== undefined) return { kind: "platform", platform };
  const after = readDuration(by?.text("after"));
  if (after !== undefined) return { kind: "after", after };
  return { kind: "at", at: by?.text("at") ?? "" };
}
