import { isValid } from "@plumbline/server-runtime/http";
import type { MockSnapshot } from "@plumbline/server-runtime/mock";
import type { GeneratedMock } from "./generate-mock.js";

/**
 * The state of a mock, as far as the next version of its description allows it: objects whose resource still exists, whose values the schema
 * accepts, whose states are known, and whose parent is among them.
 */
export function carryState(
  { store, users, clockOffsetMs }: MockSnapshot,
  { definition, checks }: Pick<GeneratedMock, "definition" | "checks">,
): MockSnapshot {
  const keys = new Set<number>();
  const objects = store.objects.filter(({ key, resource, values, states, parent }) => {
    const check = checks[resource];
    const type = definition.resources[resource];
    if (type === undefined || (check !== undefined && !isValid(check, values))) return false;
    if (parent === undefined ? type.parent !== undefined && type.owner.length === 0 : !keys.has(parent)) return false;
    const machines = definition.stateMachines.filter((each) => each.resource === resource);
    const isInKnownStates = machines.every(({ name, states: all }) => all.includes(states[name]?.state ?? ""));
    if (isInKnownStates) keys.add(key);
    return isInKnownStates;
  });
  // Documents are responses that no resource explains: their schemas may have changed. Counters keep identifiers from repeating.
  const documents = store.documents.filter(([key]) => key.startsWith("identifiers/"));
  return { store: { objects, documents, lastKey: store.lastKey }, users, clockOffsetMs, running: [] };
}
