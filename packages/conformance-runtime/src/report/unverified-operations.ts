import type { RunReport } from "../results.js";
import type { Suite } from "../suite.js";
import { escapeToOneLine } from "./format-text.js";

/** An operation of which no request of the run got a documented success: its responses were hardly checked. */
export interface UnverifiedOperation {
  readonly operation: string;
  /** The statuses that it responded with, in ascending order. Empty: no request was sent. */
  readonly statuses: readonly number[];
}

/**
 * The operations without a success. A run of chosen cases has those whose valid request was among them, and a run that stopped has none: it says
 * why it stopped.
 */
export function unverifiedOperations(
  { results, responses, stopped, quick }: RunReport,
  suite: Suite,
): readonly UnverifiedOperation[] {
  if (responses === undefined || stopped !== undefined) return [];
  const isWhole = quick === undefined && results.length >= suite.cases.length;
  const accepted = new Set(
    results.flatMap((each) => (each.case.kind === "accepts" && each.notStarted !== true ? [each.case.operation] : [])),
  );
  return Object.entries(suite.operations).flatMap(([operation, info]): UnverifiedOperation[] => {
    const documented = Object.keys(info.responses).filter((status) => status === "default" || /^[123]/.test(status));
    if (info.path === "" || documented.length === 0 || !(isWhole || accepted.has(operation))) return [];
    const statuses = Object.keys(responses[operation] ?? {}).map(Number);
    const isSuccess = (status: number): boolean =>
      status > 0 &&
      status < 400 &&
      [String(status), `${Math.floor(status / 100)}XX`, "default"].some((each) => documented.includes(each));
    return statuses.some(isSuccess)
      ? []
      : [{ operation, statuses: statuses.filter((each) => each > 0).toSorted((a, b) => a - b) }];
  });
}

const maxListed = 20;

/** A headline, a line for each operation, and the way out. Empty without such operations. */
export function formatUnverifiedOperations(unverified: readonly UnverifiedOperation[]): readonly string[] {
  if (unverified.length === 0) return [];
  const more = unverified.length - maxListed;
  return [
    unverified.length === 1 ? "1 operation never succeeded:" : `${unverified.length} operations never succeeded:`,
    ...unverified
      .slice(0, maxListed)
      .map(({ operation, statuses }) =>
        escapeToOneLine(
          `  ${operation}: ${statuses.length === 0 ? "no request was sent" : `only ${statuses.join(", ")}`}`,
        ),
      ),
    ...(more > 0 ? [`  and ${more} more: --report json=FILE has them`] : []),
    "The suite has not checked what they respond. Unless a failure above is the cause, add a fixture of the object to `fixtures` or a valid request to `operations` of the suite's settings.",
  ];
}
