import type { Place } from "../spec/place.js";
import type { InitialState, Shape, StateMachine, Transition, Trigger } from "./api.js";
import { readCondition, readExpression } from "./conditions.js";
import { given, textsOf } from "./data.js";
import { readDuration } from "./limits.js";
import { pascalCase } from "./names.js";
import { readSources } from "./sources.js";

export interface MachineHolder {
  readonly resource: string;
  /** The property whose values are the states; undefined when the machine stands on the schema itself. */
  readonly field: string | undefined;
}

/** The state machines that a schema or a property carries; several sequences without a field stand under `x-state-machine` as a list. */
export function readMachines(
  place: Place,
  holder: MachineHolder,
  readShape: (place: Place) => Shape,
): readonly StateMachine[] {
  const found = place.get("x-state-machine");
  if (found === undefined) return [];
  const machines = Array.isArray(found.raw) ? found.items() : [found];
  return machines.map((machine) => readMachine(machine, place, holder, readShape));
}

function readMachine(
  machine: Place,
  place: Place,
  holder: MachineHolder,
  readShape: (place: Place) => Shape,
): StateMachine {
  const hidden = Object.fromEntries(
    (machine.get("hidden")?.entries() ?? []).map(
      ([state, shown]) => [state, typeof shown.raw === "string" ? shown.raw : ""] as const,
    ),
  );
  const stated = machine.has("states") ? textsOf(machine.get("states")) : textsOf(place.follow()?.get("enum"));
  const states = [...new Set([...stated, ...Object.keys(hidden)])];
  const called = machine.text("x-name") ?? machine.text("name");
  return {
    name:
      called === undefined
        ? `${holder.resource}${pascalCase(holder.field ?? "state") ?? ""}`
        : (pascalCase(called) ?? called),
    resource: holder.resource,
    ...given("field", holder.field),
    states,
    hidden,
    initial: (machine.get("initial")?.items() ?? []).map((item) => readInitial(item, readShape)),
    transitions: (machine.get("transitions")?.items() ?? []).map((item) => readTransition(item, states, readShape)),
    sources: readSources(machine),
    origin: machine.origin,
  };
}

function readInitial(item: Place, readShape: (place: Place) => Shape): InitialState {
  return {
    by: readTrigger(item),
    ...given("when", readCondition(item.get("when"), readShape)),
    to: item.text("to") ?? "",
    then: textsOf(item.get("then")),
    ...given("takes", readDuration(item.text("takes"))),
    sources: readSources(item),
    origin: item.origin,
  };
}

function readTransition(item: Place, states: readonly string[], readShape: (place: Place) => Shape): Transition {
  const from = item.get("from");
  const except = from?.get("except");
  return {
    by: readTrigger(item),
    ...given("on", readExpression(item, "on")),
    from: except === undefined ? textsOf(from) : states.filter((state) => !textsOf(except).includes(state)),
    to: item.text("to") ?? "",
    then: textsOf(item.get("then")),
    ...given("when", readCondition(item.get("when"), readShape)),
    ...given("while", item.text("while")),
    ...given("limit", item.text("limit")),
    ...given("takes", readDuration(item.text("takes"))),
    ...given("else", item.text("else")),
    sources: readSources(item),
    origin: item.origin,
  };
}

function readTrigger(item: Place): Trigger {
  const operation = item.text("by");
  if (operation !== undefined) return { kind: "operation", operation };
  const by = item.get("by");
  const platform = by?.text("platform");
  if (platform !== undefined) return { kind: "platform", platform };
  const after = readDuration(by?.text("after"));
  if (after !== undefined) return { kind: "after", after };
  return { kind: "at", at: by?.text("at") ?? "" };
}
