import { resolve } from "node:path";
import { UsageError } from "@plumbline/command-line";
import { journalPath } from "../command/clean.js";
import { selectCases } from "../command/selection.js";
import { capabilityHint } from "../report/capability-hints.js";
import { tagOfCase } from "../report/counts.js";
import { groupByKey } from "../report/format-text.js";
import { createPaint, formatFailure } from "../report/text-failure.js";
import type { CallerToken, CaseResult, KnownFailure, RunCredentials, RunOptions } from "../results.js";
import { applyKnownFailures } from "../run/known-failures.js";
import { openCaseRun, type CaseRun } from "../schedule/case-run.js";
import type { Case, Suite } from "../suite.js";
import { createRunId } from "../values/unique-values.js";

/** A value, or a function that returns it once the first case runs, such as the address of a server that `beforeAll` starts. */
export type DeferredValue<Value> = Value | (() => Value | Promise<Value>);

/** The server, the cases and how to run them. */
export interface ConformanceTestOptions extends Partial<Pick<RunOptions, "workers" | "signal" | "scenarios">> {
  /** Determines all values. Default: 1. */
  readonly seed?: number;
  /**
   * The address of the API with its base path.
   *
   * @defaultValue `CONFORMANCE_URL`, or the first server of the description
   */
  readonly url?: DeferredValue<string>;
  /**
   * The token of a user who may do most, with all scopes.
   *
   * @defaultValue `CONFORMANCE_TOKEN`
   */
  readonly token?: DeferredValue<CallerToken>;
  /** Further tokens: those of another account, of callers with other attributes, and with fewer scopes. */
  readonly credentials?: DeferredValue<RunCredentials>;
  /** The address of the server's test controls. */
  readonly controls?: DeferredValue<string>;
  /** Ids or prefixes of ids, requirements, areas, operations or kinds. Default: all cases. */
  readonly only?: readonly string[];
  /** The same, for cases to leave out. */
  readonly skip?: readonly string[];
  /** Only cases that change nothing. Default: `false`. */
  readonly readOnly?: boolean;
  /** Cases that may fail, with a part of their messages. Their tests pass, and fail once the case passes. */
  readonly knownFailures?: readonly KnownFailure[];
  /** The path of the journal of created objects. Default: `.conformance/RUNID.jsonl`. `false`: none. */
  readonly journal?: string | false;
  /** Milliseconds for each test, with the time that it waits for rates and for other tests. Default: 0, no limit. */
  readonly timeoutMs?: number;
  /** The start of the ids of unique values: eight lowercase letters and digits. Default: random. */
  readonly runId?: string;
}

/** The functions of a test framework. */
export interface TestFramework {
  readonly describe: (name: string, define: () => void) => void;
  readonly test: (name: string, run: (context: TestRunContext) => Promise<void>, timeoutMs: number) => void;
  readonly afterAll: (clean: () => Promise<void>, timeoutMs: number) => void;
}

/** What a test framework hands to a test. */
export interface TestRunContext {
  /** Ends the test as skipped, with a reason for reporters. */
  readonly skip: (reason: string) => void;
}

/**
 * Registers each case of a suite as a test. The run opens with the first test that runs, and closes after the last: it deletes what its cases
 * created.
 *
 * @throws UsageError for a word of `only` or `skip`, or a known failure, that the suite does not have.
 */
export function registerConformanceTests(
  suite: Suite,
  options: ConformanceTestOptions,
  { describe, test, afterAll }: TestFramework,
): void {
  const { only = [], skip = [], readOnly = false, timeoutMs = 0 } = options;
  const cases = selectCases(suite, { only, skip, readOnly });
  const knownFailures = knownFailuresById(options.knownFailures ?? [], suite);
  const seed = options.seed ?? 1;
  const callSite: { stack?: string } = {};
  Error.captureStackTrace(callSite, registerConformanceTests);
  let opening: Promise<OpenedRun> | undefined;

  describe(`${suite.title} ${suite.version}`, () => {
    afterAll(async () => {
      const opened = await opening?.catch(() => undefined);
      const errors = (await opened?.run.close()) ?? [];
      if (errors.length > 0) throw new ConformanceTestError(errors.join("\n"), callSite);
    }, timeoutMs);
    for (const [tag, ofTag] of groupByKey(cases, (each) => tagOfCase(each, suite)))
      describe(tag, () => {
        for (const [operation, ofOperation] of groupByKey(ofTag, (each) => each.operation))
          describe(operation, () => {
            for (const [title, each] of titledCases(ofOperation))
              test(title, (context) => runTest(each, context), timeoutMs);
          });
      });
  });

  async function runTest(each: Case, context: TestRunContext): Promise<void> {
    opening ??= openTestRun(suite, options, seed);
    const { run, url, controls } = await opening;
    const entry = knownFailures.get(each.id);
    const { results, problems } = applyKnownFailures(
      [await run.runCase(each)],
      entry === undefined ? [] : [entry],
      suite,
    );
    for (const result of results) {
      const { status } = result;
      if (status === "skipped") return context.skip(skipReason(result, suite));
      if (status === "pass" || status === "known-fail") continue;
      const isFailed = status === "fail" || status === "error";
      const info = controls === undefined ? {} : { controls };
      const text = formatFailure(result, { report: { seed, url }, suite, options: info, paint: createPaint(false) });
      throw new ConformanceTestError([...problems, ...(isFailed ? [text] : [])].join("\n"), callSite);
    }
  }
}

/** The error of a test that fails: its message is that of the text report. */
class ConformanceTestError extends Error {
  override readonly name = "ConformanceTestError";
  constructor(message: string, { stack = "" }: { readonly stack?: string }) {
    super(message);
    // The frames of the runner say nothing; reporters link to the call that registered the test.
    this.stack = `${this.name}: ${message}\n${stack.split("\n").slice(1).join("\n")}`;
  }
}

interface OpenedRun {
  readonly run: CaseRun;
  readonly url: string;
  readonly controls: string | undefined;
}

async function openTestRun(suite: Suite, options: ConformanceTestOptions, seed: number): Promise<OpenedRun> {
  const { workers, signal, scenarios, runId = createRunId(), journal } = options;
  const url = (await resolveDeferred(options.url)) ?? environmentValue("CONFORMANCE_URL") ?? suite.servers[0];
  if (url === undefined) throw new UsageError("Missing option `url`. Pass the address of the API with its base path.");
  const main = (await resolveDeferred(options.token)) ?? environmentValue("CONFORMANCE_TOKEN");
  const controls = await resolveDeferred(options.controls);
  const run = await openCaseRun(suite, {
    url,
    seed,
    runId,
    credentials: { main, ...(await resolveDeferred(options.credentials)) },
    controls,
    workers,
    signal,
    scenarios,
    journal: journal === false ? undefined : resolve(journal ?? journalPath(runId)),
    onNote: (text) => console.warn(text),
  });
  return { run, url, controls };
}

async function resolveDeferred<Value extends string | object>(
  deferred: DeferredValue<Value> | undefined,
): Promise<Value | undefined> {
  return typeof deferred === "function" ? (deferred as () => Value | Promise<Value>)() : deferred;
}

function environmentValue(name: string): string | undefined {
  const value = process.env[name];
  return value === "" ? undefined : value;
}

/** Titles that several cases of an operation have are followed by the rest of the id. */
function titledCases(cases: readonly Case[]): readonly (readonly [title: string, each: Case])[] {
  const byTitle = groupByKey(cases, ({ title }) => title);
  return cases.map((each) => {
    const isUnique = byTitle.get(each.title)?.length === 1;
    return [isUnique ? each.title : `${each.title} (${each.id.split("/").slice(2).join("/")})`, each] as const;
  });
}

function knownFailuresById(entries: readonly KnownFailure[], suite: Suite): ReadonlyMap<string, KnownFailure> {
  const ids = new Set(suite.cases.map(({ id }) => id));
  const unknown = entries.find(({ id }) => !ids.has(id));
  if (unknown !== undefined) {
    throw new UsageError(
      `\`knownFailures\` has ${unknown.id}, which is not a case of the suite. Remove it from the list.`,
    );
  }
  return new Map(entries.map((entry) => [entry.id, entry]));
}

function skipReason({ missing }: CaseResult, suite: Suite): string {
  return missing.map((each) => `missing ${each}: ${capabilityHint(each, suite, "tests")}`).join("; ");
}
