import type { CaseResult, KnownFailure } from "../results.js";
import type { Suite } from "../suite.js";

/** Applies the list of known failures to the results, and reports wrong entries of the list. */
export function applyKnownFailures(
  results: readonly CaseResult[],
  knownFailures: readonly KnownFailure[],
  { cases }: Pick<Suite, "cases">,
): { readonly results: readonly CaseResult[]; readonly problems: readonly string[] } {
  const entries = new Map(knownFailures.map((entry) => [entry.id, entry]));
  const ids = new Set(cases.map((each) => each.id));
  const problems = knownFailures
    .filter(({ id }) => !ids.has(id))
    .map(
      ({ id }) => `The list of known failures has ${id}, which is not a case of the suite. Remove it from the list.`,
    );
  const evaluated = results.map((result): CaseResult => {
    const entry = entries.get(result.case.id);
    if (entry === undefined) return result;
    if (result.status === "pass") {
      problems.push(`${entry.id} passes, but is on the list of known failures. Remove it from the list.`);
      return { ...result, status: "unexpected-pass" };
    }
    if (result.status === "fail" && result.failures.some((each) => each.message.includes(entry.message)))
      return { ...result, status: "known-fail" };
    const how = result.status === "fail" ? "it fails with another message" : `it is ${result.status}`;
    problems.push(`${entry.id} is known to fail with "${entry.message}", but ${how}.`);
    return result;
  });
  return { results: evaluated, problems };
}
