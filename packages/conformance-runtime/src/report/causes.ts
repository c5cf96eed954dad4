import type { CaseResult, ResponseCounts, RunReport, StopReason } from "../results.js";
import type { Suite } from "../suite.js";
import { causeCandidates, type CauseCandidate, type CauseKind } from "./cause-candidates.js";
import { groupByKey } from "./format-text.js";

/** One thing to fix, and the cases that fail because of it. */
export interface Cause {
  readonly kind: CauseKind;
  /** What is wrong: `GET /books/{id} is not implemented`, `Error bodies have no errors`. */
  readonly title: string;
  /** What to do, in a sentence. */
  readonly advice: string;
  /** The operations whose responses show it. */
  readonly operations: readonly string[];
  /** The cases that failed or could not run, the one with the fewest requests first. Each case has one cause. */
  readonly results: readonly CaseResult[];
  /** How many of them could not run. */
  readonly blocked: number;
  /** The requirements that these cases found broken. */
  readonly requirements: readonly string[];
}

/**
 * Groups failed cases by what to fix, the most fundamental cause first: no response, operations that are not implemented, errors of the
 * server, wrong error bodies, then other differences by the number of their cases. Known failures and cases that the run did not start are
 * left out.
 */
export function findCauses(report: RunReport, suite: Suite): readonly Cause[] {
  const open = report.results.filter(
    ({ status, notStarted }) => notStarted !== true && (status === "fail" || status === "error"),
  );
  const { stopped } = report;
  if (stopped?.kind === "credential" || stopped?.kind === "address") return [targetCause(stopped, open)];
  const missing = findMissingOperations(open, report.responses, suite);
  const candidates = open.flatMap((result) => causeCandidates(result, { suite, missing }));
  const shared = withoutRareOnes(candidates);
  const causes: Cause[] = [];
  const levels = [...groupByKey(shared, ({ level }) => String(level))].toSorted(([a], [b]) => Number(a) - Number(b));
  const explained = new Set<CaseResult>();
  for (const [, those] of levels) causes.push(...causesOf(those, { explained, suite }));
  return causes;
}

/** With a wrong credential or address no response says anything about the server. */
function targetCause({ text }: StopReason, results: readonly CaseResult[]): Cause {
  const [title = text, ...advice] = text.split(/(?<=\.) /);
  return {
    kind: "wrong-target",
    title: title.replace(/\.$/, ""),
    advice: advice.join(" "),
    operations: [],
    results,
    blocked: results.filter(({ status }) => status === "error").length,
    requirements: [],
  };
}

/** `41 cases`, of which some may not have run. */
export function formatCauseCount({ results, blocked }: Pick<Cause, "results" | "blocked">): string {
  const cases = `${results.length.toLocaleString("en-US")} ${results.length === 1 ? "case" : "cases"}`;
  if (blocked === 0) return cases;
  return blocked === results.length
    ? `${cases} could not run`
    : `${cases}, of which ${blocked.toLocaleString("en-US")} could not run`;
}

/** The operations that respond to every request with 404, 405 or 501. Missing credentials and rate limits come before the operation. */
function findMissingOperations(
  open: readonly CaseResult[],
  responses: ResponseCounts | undefined,
  { operations }: Suite,
): ReadonlySet<string> {
  const counts = responses ?? countResponses(open);
  const missing = new Set<string>();
  for (const [operation, statuses] of Object.entries(counts)) {
    const answered = Object.keys(statuses).filter((status) => !["401", "403", "429"].includes(status));
    const { path = "", responses: documented = {} } = operations[operation] ?? {};
    // A documented 404 of a path without parameters is about what the body refers to.
    const isAboutBody = statuses[404] !== undefined && documented["404"] !== undefined && !path.includes("{");
    if (!isAboutBody && answered.length > 0 && answered.every((status) => ["404", "405", "501"].includes(status)))
      missing.add(operation);
  }
  // A correct operation responds with 404 to every request that expects it, and an unprotected one also without valid credentials.
  const contradicted = new Set(
    open.flatMap(({ exchanges, failures }) =>
      failures.flatMap(({ difference, exchange = -1 }) => {
        const isStatus = difference?.part === "status" && /^(?:404|405|501)$/.test(difference.received);
        const isRejection = /^40[13]/.test(difference?.expected ?? "");
        const operation = exchanges[exchange]?.operation;
        return isStatus && !isRejection && operation !== undefined ? [operation] : [];
      }),
    ),
  );
  return new Set([...missing].filter((operation) => contradicted.has(operation)));
}

function countResponses(results: readonly CaseResult[]): ResponseCounts {
  const counts = Object.create(null) as Record<string, Record<number, number>>;
  for (const { operation, status } of results.flatMap(({ exchanges }) => exchanges)) {
    const statuses = (counts[operation] ??= {});
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return counts;
}

/** What few operations have in common is not a common cause. */
const minOperationsOfSharedCause = 3;

function withoutRareOnes(candidates: readonly CauseCandidate[]): readonly CauseCandidate[] {
  const shared = groupByKey(
    candidates.filter(({ isShared }) => isShared),
    ({ key }) => key,
  );
  return candidates.filter(
    ({ isShared, key }) =>
      !isShared || new Set(shared.get(key)?.map(({ operation }) => operation)).size >= minOperationsOfSharedCause,
  );
}

interface CauseContext {
  /** The cases that have a cause. */
  readonly explained: Set<CaseResult>;
  readonly suite: Suite;
}

/** The causes of one level: always the one next that explains most of the cases that are left. */
function causesOf(candidates: readonly CauseCandidate[], { explained, suite }: CauseContext): readonly Cause[] {
  const groups = [...groupByKey(candidates, ({ key }) => key)].map(([, group]) => group);
  const causes: Cause[] = [];
  for (;;) {
    let best: readonly CauseCandidate[] = [];
    let most = 0;
    for (const group of groups) {
      const open = group.filter(({ result }) => !explained.has(result));
      const count = new Set(open.map(({ result }) => result)).size;
      if (count > most) [best, most] = [open, count];
    }
    if (most === 0) return causes;
    causes.push(createCause(best, suite));
    for (const { result } of best) explained.add(result);
  }
}

function createCause(candidates: readonly CauseCandidate[], suite: Suite): Cause {
  const results = [...new Set(candidates.map(({ result }) => result))].toSorted(
    (a, b) => Number(a.status === "error") - Number(b.status === "error") || a.exchanges.length - b.exchanges.length,
  );
  const [first] = candidates;
  if (first === undefined) throw new Error("A cause needs a case.");
  const operations = [...new Set(candidates.map(({ operation }) => operation))];
  const requirements = candidates.flatMap(({ failure, result }) =>
    result.status === "error" ? [] : failure.requirements.length > 0 ? failure.requirements : result.case.requirements,
  );
  return {
    kind: first.kind,
    title: first.titleOf(candidates, operations),
    advice: first.advice,
    operations,
    results,
    blocked: results.filter(({ status }) => status === "error").length,
    requirements: [...new Set(requirements)].filter((id) => Object.hasOwn(suite.requirements, id)),
  };
}
