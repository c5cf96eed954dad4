import type { Api, Operation, StateMachine, Transition, InitialState, Json } from "@plumbline/kit/model";
import { isJsonObject } from "@plumbline/kit/model";
import type { ProxyResponse } from "../../proxy.js";
import { targetKey, valuesOf } from "../expressions.js";
import { errorOf, isSuccess, successOf } from "../messages.js";
import type { Call, Mutant, MutantKind, ProxyContext, Violation } from "../mutant.js";
import { mapObjects } from "../overrides.js";
import { pick } from "../random.js";
import { placeOf, requirementsOf } from "../statements.js";
import { isValid } from "../validation.js";
import { definitionOf } from "./limits.js";
import { isError, mutantOf } from "./operations.js";
import { shownObject } from "./written-values.js";

/** State machines that begin in other states, reject what they allow, allow what they reject, or stay where they are. */
export function stateMutants(api: Api, seed: number): readonly Mutant[] {
  return api.stateMachines.flatMap((machine) => [
    ...machine.initial.flatMap((initial) => initialMutants(api, { machine, initial })),
    ...machine.transitions.flatMap((transition) => transitionMutants(api, { machine, transition, seed })),
  ]);
}

interface Machine {
  readonly machine: StateMachine;
}

/** The state that responses show. */
function shownState({ hidden }: StateMachine, state: string): string {
  return hidden[state] ?? state;
}

function initialMutants(
  api: Api,
  { machine, initial }: Machine & { readonly initial: InitialState },
): readonly Mutant[] {
  const { event, when, to, then, origin, sources } = initial;
  const { field, resource } = machine;
  const operation = operationOf(api, event);
  if (operation === undefined || field === undefined) return [];
  const statement = { place: placeOf(origin), requirements: requirementsOf(sources), operations: api.operations };
  const states = [to, ...then].map((each) => shownState(machine, each));
  const other = machine.states.find((each) => !states.includes(each) && machine.hidden[each] === undefined);
  const earlier = machine.initial
    .slice(0, machine.initial.indexOf(initial))
    .filter((each) => operationOf(api, each.event) === operation);
  const isMeant = (call: Call): boolean =>
    call.operation.name === operation.name &&
    holds(api, when, call) &&
    !earlier.some((each) => each.when !== undefined && holds(api, each.when, call));
  const showing = (kind: MutantKind, detail: string, from: string, shown: string): Mutant =>
    named(
      mutantOf(statement, { kind, detail: `${operation.name}/${detail}` }, () =>
        replacingState({ field, resource, from, shown, isMeant }),
      ),
      operation,
    );
  return [
    ...states
      .slice(0, 1)
      .flatMap((state) =>
        other === undefined ? [] : [showing("initial state", `${other} instead of ${state}`, state, other)],
      ),
    ...states
      .slice(1)
      .map((state, at) => showing("state not reached", `${states[at]} instead of ${state}`, state, states[at] ?? "")),
  ];
}

function named(mutant: Mutant, ...operations: readonly (Operation | undefined)[]): Mutant {
  return { ...mutant, operations: operations.flatMap((each) => each?.name ?? []) };
}

function operationOf({ operations }: Api, event: Transition["event"]): Operation | undefined {
  return event.kind === "operation" ? operations.find(({ name }) => name === event.operation) : undefined;
}

/** Whether the part of a condition that a request shows holds. */
function holds(api: Api, when: InitialState["when"], { body }: Call): boolean {
  return when?.body === undefined || isValid(api, when.body, body ?? {});
}

interface ReplacedState {
  readonly field: string;
  readonly resource: string;
  /** The state that the server is in. */
  readonly from: string;
  readonly shown: string;
  /** The request that causes it. */
  readonly isMeant: (call: Call) => boolean;
}

/** Objects that a request creates show another state. */
function replacingState({ field, resource, from, shown, isMeant }: ReplacedState): Violation {
  const created = new Set<string>();
  return {
    onResponse: (answer, call, proxy) => {
      if (isMeant(call) && isSuccess(answer)) {
        const object = shownObject(answer, call, proxy);
        if (object?.resource === resource) created.add(object.id);
        mapObjects(answer, { call, api: proxy.api }, (each) => {
          if (each.object.resource === resource) created.add(each.object.id);
          return each.value;
        });
      }
      return mapObjects(answer, { call, api: proxy.api }, ({ object, value }) =>
        object.resource === resource && created.has(object.id) ? withState(value, { field, from, shown }) : value,
      );
    },
  };
}

function withState(value: Json, { field, from, shown }: Pick<ReplacedState, "field" | "from" | "shown">): Json {
  return isJsonObject(value) && value[field] === from
    ? { ...(value as Readonly<Record<string, Json>>), [field]: shown }
    : value;
}

interface MachineTransition extends Machine {
  readonly transition: Transition;
  readonly seed: number;
}

function transitionMutants(api: Api, { machine, transition, seed }: MachineTransition): readonly Mutant[] {
  const { origin, sources, error, event } = transition;
  const operation = operationOf(api, event);
  const statement = { place: placeOf(origin), requirements: requirementsOf(sources), operations: api.operations };
  const name = operation?.name ?? JSON.stringify(event);
  const definition = operation === undefined || error === undefined ? undefined : definitionOf(api, operation, error);
  const from = pick(
    transition.from.map((each) => shownState(machine, each)),
    seed,
    placeOf(origin),
  );
  const rejected =
    operation === undefined || from === undefined || machine.field === undefined
      ? []
      : [
          named(
            mutantOf(statement, { kind: "transition rejected", detail: `${name}/from ${from}` }, () => ({
              onRequest: (call, proxy) => {
                if (call.operation.name !== operation.name) return undefined;
                const states = subjectsOf(transition, { machine, call, proxy }).map((id) =>
                  stateOf(proxy, machine, id),
                );
                return states.includes(from) ? errorOf(definition?.status ?? 409, call, proxy) : undefined;
              },
            })),
            operation,
          ),
        ];
  const accepted =
    operation === undefined || definition === undefined
      ? []
      : [
          named(
            mutantOf(statement, { kind: "transition accepted", detail: `${name}/from any state` }, () => ({
              onResponse: (answer, call, proxy) =>
                call.operation.name === operation.name && isError(api, { answer, call, error: definition })
                  ? successOf(call, proxy)
                  : answer,
            })),
            operation,
          ),
        ];
  return [...rejected, ...accepted, ...unreached(api, { machine, transition, seed })];
}

/** The objects stay in the state that they were in. */
function unreached(api: Api, { machine, transition }: MachineTransition): readonly Mutant[] {
  const { to, then, origin, sources, event, from } = transition;
  const { field, resource } = machine;
  const operation = operationOf(api, event);
  if (field === undefined || to.startsWith("$")) return [];
  const statement = { place: placeOf(origin), requirements: requirementsOf(sources), operations: api.operations };
  const states = new Set([to, ...then].map((each) => shownState(machine, each)));
  const before = new Set(from.map((each) => shownState(machine, each)).filter((each) => !states.has(each)));
  const isCause = (call: Call): boolean => operation === undefined || call.operation.name === operation.name;
  const mutant = mutantOf(
    statement,
    { kind: "state not reached", detail: `${operation?.name ?? JSON.stringify(event)}/${to}` },
    () => {
      const staying = new Map<string, string>();
      return {
        onResponse: (answer, call, proxy) => {
          if (operation !== undefined && isCause(call) && isSuccess(answer))
            for (const id of subjectsOf(transition, { machine, call, proxy, answer })) {
              const state = stateOf(proxy, machine, id);
              if (state !== undefined && before.has(state)) staying.set(id, state);
            }
          return mapObjects(answer, { call, api: proxy.api }, ({ object, value }) => {
            if (object.resource !== resource || !isJsonObject(value) || typeof value[field] !== "string") return value;
            const earlier = stateOf(proxy, machine, object.id);
            if (operation === undefined && earlier !== undefined && before.has(earlier) && states.has(value[field]))
              staying.set(object.id, earlier);
            const kept = staying.get(object.id);
            return kept !== undefined && states.has(value[field])
              ? { ...(value as Readonly<Record<string, Json>>), [field]: kept }
              : value;
          });
        },
      };
    },
  );
  return [operation === undefined ? named(mutant, ...readersOf(api, resource)) : named(mutant, operation)];
}

function readersOf(api: Api, resource: string): readonly Operation[] {
  const { read, list } = api.resources.find(({ name }) => name === resource) ?? {};
  return api.operations.filter(({ name }) => name === read || name === list);
}

/** The ids of the objects that change state. */
function subjectsOf(
  { subject }: Transition,
  {
    machine,
    call,
    proxy,
    answer,
  }: Machine & { readonly call: Call; readonly proxy: ProxyContext; readonly answer?: ProxyResponse },
): readonly string[] {
  const evaluated = { api: proxy.api, call, memory: proxy.memory, ...(answer === undefined ? {} : { answer }) };
  if (subject !== undefined)
    return valuesOf(subject, evaluated).flatMap((each) =>
      typeof each === "string" || typeof each === "number" ? [String(each)] : [],
    );
  const target = targetKey(evaluated);
  return target?.resource === machine.resource ? [target.id] : [];
}

function stateOf({ memory }: ProxyContext, { resource, field = "" }: StateMachine, id: string): string | undefined {
  const state = memory.objects.get(resource)?.get(id)?.[field];
  return typeof state === "string" ? state : undefined;
}
