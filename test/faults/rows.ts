import type { Edit, Fault } from "./fault.js";

/** An edited fault: operation and detail, description, broken requirements, edits. */
export type Row = readonly [place: string, says: string, requirements: readonly string[], ...edits: readonly Edit[]];

/** Creates faults of one kind and class. */
export function faultsOf(what: string, number: number, rows: readonly Row[]): readonly Fault[] {
  return rows.map(([place, says, requirements, ...edits]) => ({
    id: `${what}/${place}`,
    class: number,
    operation: place.split("/")[0] ?? "",
    requirements,
    says,
    edits,
  }));
}
