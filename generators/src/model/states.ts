import type { Place } from "../spec/place.js";
import type { InitialState, StateMachine, Transition, Trigger } from "./api.js";
import { readCondition, readExpression } from "./conditions.js";
import { given, textsOf } from "./data.js";
import { readDuration } from "./limits.js";
import { pascalCase } from "./names.js";
import type { Reading } from "./reading.js";
import { readSources } from "./sources.js";
import { readTake } from "./values.js";

export interface MachineHolder {
  readonly resource: string;
  /** The property whose values are the states. `undefined` if the state machine belongs to the schema itself. */
  readonly field: string | undefined;
}

/** Reads `x-state-machine` of a schema or a property. A list contains several state machines without a field. */
export function readMachines(place: Place, holder: MachineHolder, reading: Reading): readonly StateMachine[] {
  const found = place.get("x-state-machine");
  if (found === undefined) return [];
  const machines = Array.isArray(found.raw) ? found.items() : [found];
  return machines.map((machine) => readMachine(machine, place, holder, reading));
}

function readMachine(machine: Place, place: Place, holder: MachineHolder, reading: Reading): StateMachine {
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
    initial: (machine.get("initial")?.items() ?? []).map((item) => readInitial(item, reading)),
    transitions: (machine.get("transitions")?.items() ?? []).map((item) => readTransition(item, states, reading)),
    sources: readSources(machine),
    origin: machine.origin,
  };
}

function readInitial(item: Place, reading: Reading): InitialState {
  return {
    by: readTrigger(item, reading),
    ...given("when", readCondition(item.get("when"), reading.read)),
    to: item.text("to") ?? "",
    then: textsOf(item.get("then")),
    ...given("sets", readSets(item)),
    ...given("takes", readDuration(item.text("takes"))),
    sources: readSources(item),
    origin: item.origin,
  };
}

function readTransition(item: Place, states: readonly string[], reading: Reading): Transition {
  const from = item.get("from");
  const except = from?.get("except");
  return {
    by: readTrigger(item, reading),
    ...given("on", readExpression(item, "on")),
    from: except === undefined ? textsOf(from) : states.filter((state) => !textsOf(except).includes(state)),
    to: item.text("to") ?? "",
    then: textsOf(item.get("then")),
    ...given("when", readCondition(item.get("when"), reading.read)),
    ...given("sets", readSets(item)),
    ...given("while", item.text("while")),
    ...given("limit", item.text("limit")),
    ...given("takes", readDuration(item.text("takes"))),
    ...given("else", item.text("else")),
    sources: readSources(item),
    origin: item.origin,
  };
}

function readSets(item: Place): InitialState["sets"] {
  const fields = item.get("sets")?.entries();
  return fields && Object.fromEntries(fields.map(([field, take]) => [field, readTake(take.raw)]));
}

function readTrigger(item: Place, { operationName }: Reading): Trigger {
  const operation = item.text("by");
  if (operation !== undefined) return { kind: "operation", operation: operationName(operation) };
  const by = item.get("by");
  const platform = by?.text("platform");
  if (platform !== undefined) return { kind: "platform", platform };
  const after = readDuration(by?.text("after"));
  if (after !== undefined) return { kind: "after", after };
  return { kind: "at", at: by?.text("at") ?? "" };
}
