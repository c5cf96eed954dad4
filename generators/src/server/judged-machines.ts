import type { Api, StateMachine } from "../model/api.js";

/** Returns the state machines with an operation that is not allowed in every state. */
export function judgedMachines(api: Api): readonly StateMachine[] {
  return api.machines.filter(({ states, transitions }) => {
    const operations = new Set(transitions.flatMap(({ by }) => (by.kind === "operation" ? [by.operation] : [])));
    return [...operations].some((operation) =>
      transitions.some(
        ({ by, from }) => by.kind === "operation" && by.operation === operation && from.length < states.length,
      ),
    );
  });
}
