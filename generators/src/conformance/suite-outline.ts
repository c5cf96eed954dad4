import type { Case } from "@plumbline/conformance-runtime";

/** The data of a conformance artifact. */
export interface SuiteOutline {
  readonly cases: readonly Case[];
  /** The reasons why requirements have no case, by id. */
  readonly untested: Readonly<Record<string, string>>;
}

/** The cases of each requirement, by its id. */
export function casesByRequirement(cases: readonly Case[]): ReadonlyMap<string, readonly string[]> {
  const idsByRequirement = new Map<string, string[]>();
  for (const { id, requirements } of cases)
    for (const requirement of requirements) {
      const ids = idsByRequirement.get(requirement);
      if (ids === undefined) idsByRequirement.set(requirement, [id]);
      else ids.push(id);
    }
  return idsByRequirement;
}
