import type { SourceEdit, Fault } from "./fault.js";

/** An edited fault: operation and detail, description, broken requirements, edits. */
export type FaultRow = readonly [
  place: string,
  description: string,
  requirements: readonly string[],
  ...edits: readonly SourceEdit[],
];

/** Creates faults of one kind and class. */
export function createFaults(what: string, number: number, rows: readonly FaultRow[]): readonly Fault[] {
  return rows.map(([place, description, requirements, ...edits]) => ({
    id: `${what}/${place}`,
    class: number,
    operation: place.split("/")[0] ?? "",
    requirements,
    description,
    edits,
  }));
}
