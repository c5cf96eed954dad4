import { runSuite, type Case, type CaseResult, type Suite } from "@plumbline/conformance-runtime";
import { likelyKinds } from "./likely-cases.js";
import { startMutantProxy, type MutantProxy } from "./mutant-proxy.js";
import type { Mutant } from "./mutant.js";
import type { MutantTarget, StartedServer } from "./targets.js";

export interface RunMutantsOptions {
  readonly seed: number;
  readonly onOutcome?: (outcome: MutantOutcome, done: number) => void;
}

export interface MutantOutcome {
  readonly mutant: Mutant;
  /** `untested`: no case tests its requirements, and the suite says why. */
  readonly status: "detected" | "missed" | "untested";
  /** True if cases of its operations found it, and no case of its requirements has met the violation. */
  readonly isByOthers: boolean;
  /** Its requirements that a failed case tests. */
  readonly confirmed: readonly string[];
  /** The failed cases. */
  readonly failed: readonly string[];
  /** True when the violation has changed a request or a response. */
  readonly applied: boolean;
  /** The cases that ran. */
  readonly cases: number;
  readonly durationSeconds: number;
  readonly error?: string;
}

export interface MutantReport {
  readonly outcomes: readonly MutantOutcome[];
  /** Cases that fail without a mutant, with reasons. */
  readonly alarms: readonly { readonly id: string; readonly message: string }[];
}

/** Runs, for each mutant, the cases that its requirements are attributed to, until they find it. */
export async function runMutants(
  target: MutantTarget,
  mutants: readonly Mutant[],
  options: RunMutantsOptions,
): Promise<MutantReport> {
  const outcomes: MutantOutcome[] = [];
  const index = indexCases(target.suite);
  const confirmed = new Set<string>();
  let running: Running | undefined;
  try {
    for (const [place, mutant] of mutants.entries()) {
      const isDue = !target.isDisposable && place % mutantsPerServer === 0;
      if (running === undefined || isDue) {
        await running?.close();
        running = await startRunning(target);
      }
      const outcome = await outcomeOf(mutant, { target, running, index, confirmed, seed: options.seed });
      outcomes.push(outcome);
      options.onOutcome?.(outcome, outcomes.length);
    }
  } finally {
    await running?.close();
  }
  const failed = new Set(outcomes.flatMap((each) => each.failed));
  return await withoutFalseAlarms(target, { outcomes, failed, seed: options.seed });
}

/** Objects that mutants leave make lists longer. */
const mutantsPerServer = 60;

interface Running {
  readonly server: StartedServer;
  readonly proxy: MutantProxy;
  readonly close: () => Promise<void>;
}

async function startRunning(target: MutantTarget): Promise<Running> {
  const server = await target.start();
  const proxy = await startMutantProxy(server.url, target.api);
  return {
    server,
    proxy,
    close: async () => {
      await proxy.close();
      await server.close();
    },
  };
}

interface CaseIndex {
  readonly byRequirement: ReadonlyMap<string, readonly Case[]>;
  readonly byOperation: ReadonlyMap<string, readonly Case[]>;
}

function indexCases({ cases }: Suite): CaseIndex {
  const group = (keysOf: (each: Case) => readonly string[]): ReadonlyMap<string, readonly Case[]> => {
    const groups = new Map<string, Case[]>();
    for (const each of cases)
      for (const key of new Set(keysOf(each))) {
        const known = groups.get(key);
        if (known === undefined) groups.set(key, [each]);
        else known.push(each);
      }
    return groups;
  };
  return {
    byRequirement: group(({ requirements }) => requirements),
    byOperation: group(({ operation, steps }) => [
      operation,
      ...steps.flatMap((step) => ("call" in step ? [step.call] : [])),
    ]),
  };
}

interface MutantContext {
  /** The requirements of which a mutant was found by a case that tests them. */
  readonly confirmed: Set<string>;
  readonly target: MutantTarget;
  readonly running: Running;
  readonly index: CaseIndex;
  readonly seed: number;
}

/** Cases beyond this number are not run: the mutant counts as missed. */
const maxCases = 150;
const maxSlowCases = 20;
/** No requirement narrows them down: an operation has up to 700 cases. */
const maxOtherCases = 1000;

async function outcomeOf(mutant: Mutant, context: MutantContext): Promise<MutantOutcome> {
  const started = performance.now();
  const { suite } = context.target;
  const tested = mutant.requirements.filter((each) => suite.requirements[each]?.untested === undefined);
  const done = (rest: Omit<MutantOutcome, "mutant" | "durationSeconds">): MutantOutcome => ({
    mutant,
    ...rest,
    durationSeconds: (performance.now() - started) / 1000,
  });
  if (mutant.requirements.length > 0 && tested.length === 0)
    return done({ status: "untested", isByOthers: false, confirmed: [], failed: [], cases: 0, applied: false });
  const confirmed = new Set<string>();
  const failed: string[] = [];
  const errors: string[] = [];
  let count = 0;
  let isApplied = false;
  const open = (): readonly string[] => tested.filter((each) => !confirmed.has(each) && !context.confirmed.has(each));
  const runBatch = async (wanted: readonly Case[]): Promise<void> => {
    const running = context.target.isDisposable ? await startRunning(context.target) : context.running;
    try {
      count += await runCases(wanted, mutant, {
        ...context,
        running,
        onFailure: ({ case: { id, requirements } }) => {
          failed.push(id);
          for (const each of requirements) if (tested.includes(each)) confirmed.add(each);
          return open().length === 0;
        },
      });
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
    }
    if (running.proxy.changes() > 0) isApplied = true;
    if (running !== context.running) await running.close();
  };
  const attributed = casesOf(mutant, context.index);
  for (const cases of batchesOf(attributed)) {
    // Once it is found, only the cases of requirements run that no mutant has confirmed.
    const needed = new Set(failed.length === 0 ? tested : open());
    const wanted =
      mutant.requirements.length === 0 ? cases : cases.filter((each) => each.requirements.some((id) => needed.has(id)));
    if (wanted.length > 0) await runBatch(wanted);
    if (failed.length > 0 && (open().length === 0 || count > maxCasesOnceFound)) break;
  }
  const isFoundByOwn = failed.length > 0;
  // The cases of the requirements have not met the violation: a node of the description carries statements of several requirements.
  if (!isFoundByOwn && !isApplied && mutant.requirements.length > 0)
    for (const cases of batchesOf(otherCasesOf(mutant, context.index, attributed))) {
      await runBatch(cases);
      if (failed.length > 0 || isApplied) break;
    }
  for (const each of confirmed) context.confirmed.add(each);
  return done({
    status: failed.length > 0 ? "detected" : "missed",
    isByOthers: failed.length > 0 && !isFoundByOwn,
    confirmed: [...confirmed],
    failed,
    cases: count,
    applied: isApplied,
    ...(errors.length === 0 ? {} : { error: errors[0] ?? "" }),
  });
}

/** After as many cases the remaining requirements of a mutant wait for another mutant. */
const maxCasesOnceFound = 24;

/** The cases that the requirements of a mutant are attributed to, or those of its operations if it has none. */
function casesOf(mutant: Mutant, { byRequirement, byOperation }: CaseIndex): readonly Case[] {
  const { requirements, operations } = mutant;
  return orderCases(
    mutant,
    requirements.length === 0
      ? operations.flatMap((each) => byOperation.get(each) ?? [])
      : requirements.flatMap((each) => byRequirement.get(each) ?? []),
  );
}

/** The other cases of its operations. */
function otherCasesOf(mutant: Mutant, { byOperation }: CaseIndex, attributed: readonly Case[]): readonly Case[] {
  const ran = new Set(attributed);
  const others = mutant.operations.flatMap((each) => byOperation.get(each) ?? []).filter((each) => !ran.has(each));
  return orderCases(mutant, others, maxOtherCases);
}

/** Cases of the mutant's operations that test most of its requirements come first, and the shortest of them first. */
function orderCases(
  { kind, requirements, operations }: Mutant,
  found: readonly Case[],
  most = maxCases,
): readonly Case[] {
  const wanted = new Set(requirements);
  const of = new Set(operations);
  const rank = (each: Case): number =>
    (of.has(each.operation) ? 0 : 1000) -
    20 * each.requirements.filter((id) => wanted.has(id)).length +
    each.steps.length +
    (each.exclusive === true ? 100 : 0);
  const ranks = new Map([...new Set(found)].map((each) => [each, rank(each)] as const));
  const ordered = [...ranks.keys()].toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
  // Without a clock the cases of limits wait.
  const isSlow = (each: Case): boolean => each.kind === "limits" && likelyKinds[kind]?.includes("limits") !== true;
  const isLikely = (each: Case): boolean =>
    kind === "isolation" ? each.requires.includes("other-account") : likelyKinds[kind]?.includes(each.kind) === true;
  const quick = ordered.filter((each) => !isSlow(each));
  const first = [...spread(quick.filter(isLikely)), ...spread(quick.filter((each) => !isLikely(each)))];
  return [...first.slice(0, most - maxSlowCases), ...ordered.filter(isSlow).slice(0, maxSlowCases)];
}

/** Alternates between the kinds of cases, so that the first few are different ones. */
function spread(cases: readonly Case[]): readonly Case[] {
  const byKind = new Map<string, Case[]>();
  for (const each of cases) {
    const key = `${each.kind} ${each.operation}`;
    const known = byKind.get(key);
    if (known === undefined) byKind.set(key, [each]);
    else known.push(each);
  }
  const groups = [...byKind.values()];
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => groups.flatMap((group) => group[at] ?? [])).flat();
}

function batchesOf(cases: readonly Case[]): readonly (readonly Case[])[] {
  const batches: (readonly Case[])[] = [];
  for (let from = 0, size = 8; from < cases.length; from += size, size = Math.min(4 * size, maxCases))
    batches.push(cases.slice(from, from + size));
  return batches;
}

interface RunContext extends MutantContext {
  /** Returns true when no further case is needed. */
  readonly onFailure: (result: CaseResult) => boolean;
}

async function runCases(cases: readonly Case[], mutant: Mutant | undefined, context: RunContext): Promise<number> {
  const { target, running, seed, onFailure } = context;
  const { server, proxy } = running;
  const found = new AbortController();
  proxy.show(mutant?.start());
  const ended = createSignal();
  let count = 0;
  try {
    const run = runSuite(target.suite, {
      url: proxy.url,
      ...(server.controls === undefined ? {} : { controls: server.controls }),
      credentials: server.credentials,
      cases,
      seed,
      workers: 1,
      signal: AbortSignal.any([found.signal, AbortSignal.timeout(timeoutMs)]),
      ...(target.scenarios === undefined ? {} : { scenarios: target.scenarios }),
      onProgress: (progress) => {
        if (progress.kind !== "case" || progress.result.notStarted === true) return;
        count += 1;
        if (progress.result.status === "fail" && onFailure(progress.result)) found.abort();
        // The end of the run deletes what is left, which a violation could prevent.
        if (!found.signal.aborted && count < cases.length) return;
        proxy.stop();
        if (target.isDisposable) ended.resolve();
      },
    });
    await Promise.race([run, ended.promise]);
    // A disposable server ends now, so that nothing is left to delete.
    run.catch(() => undefined);
  } finally {
    proxy.stop();
  }
  return count;
}

function createSignal(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

/** A server that no longer responds does not block the others. */
const timeoutMs = 60_000;

/** Runs the failed cases without a mutant. A case that fails then finds nothing. */
async function withoutFalseAlarms(
  target: MutantTarget,
  {
    outcomes,
    failed,
    seed,
  }: { readonly outcomes: readonly MutantOutcome[]; readonly failed: ReadonlySet<string>; readonly seed: number },
): Promise<MutantReport> {
  const cases = target.suite.cases.filter(({ id }) => failed.has(id));
  const alarms: { id: string; message: string }[] = [];
  if (cases.length > 0) {
    const running = await startRunning(target);
    try {
      await runCases(cases, undefined, {
        target,
        running,
        index: indexCases(target.suite),
        confirmed: new Set(),
        seed,
        onFailure: ({ case: { id }, failures: [first] }) => {
          alarms.push({
            id,
            message:
              first === undefined ? "" : `${first.message}: expected ${first.expected}, received ${first.received}`,
          });
          return false;
        },
      });
    } finally {
      await running.close();
    }
  }
  const wrong = new Set(alarms.map(({ id }) => id));
  return {
    alarms,
    outcomes: outcomes.map((outcome) =>
      outcome.status === "detected" && outcome.failed.every((id) => wrong.has(id))
        ? { ...outcome, status: "missed", isByOthers: false, confirmed: [] }
        : outcome,
    ),
  };
}
