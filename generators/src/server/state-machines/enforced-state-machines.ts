import type { Api, StateMachine } from "@plumbline/kit/model";

/** Returns the state machines with an operation that is not allowed in every state. */
export function enforcedStateMachines(api: Api): readonly StateMachine[] {
  return api.stateMachines.filter(({ states, transitions }) => {
    const operations = new Set(
      transitions.flatMap(({ event }) => (event.kind === "operation" ? [event.operation] : [])),
    );
    return [...operations].some((operation) =>
      transitions.some(
        ({ event, from }) => event.kind === "operation" && event.operation === operation && from.length < states.length,
      ),
    );
  });
}
