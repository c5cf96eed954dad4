import { randomInt } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { formatHtmlReport } from "../report/html.js";
import { formatJsonReport } from "../report/json.js";
import { formatJunitReport } from "../report/junit.js";
import type { RunInfo } from "../report/reproduce.js";
import { formatTextReport } from "../report/text.js";
import type { KnownFailure, RunOptions, RunReport, Scenarios } from "../results.js";
import type { Suite } from "../suite.js";
import { createRunId } from "../values/unique-values.js";
import { readJournal } from "../cleanup/journal.js";
import { journalPath } from "./clean.js";
import type { CommandDependencies } from "./dependencies.js";
import { supportsColor, type CommandIo, type InterruptSignal } from "./io.js";
import { readSelection, selectionOptions } from "./list.js";
import type { ParsedOptions, OptionNames } from "./options.js";
import { createProgressReporter } from "./progress-reporter.js";
import { selectCases } from "./selection.js";
import { readJson, requireCredentials, readTarget, targetCommandOptions } from "./target.js";
import { formatError } from "../values/format-error.js";
import { RunAbortedError, UsageError, toRunAbortedError } from "./errors.js";
import { formatSuggestion } from "./edit-distance.js";

export const runCommandOptions: OptionNames = {
  ...targetCommandOptions,
  ...selectionOptions,
  seed: "text",
  workers: "text",
  "request-budget": "text",
  "known-failures": "file",
  "fail-fast": "flag",
  quick: "flag",
  journal: "file",
  report: "texts",
  json: "flag",
};

/** How long a quick run takes at most. */
const quickSeconds = 60;

export interface RunCommandContext {
  readonly io: CommandIo;
  readonly dependencies: CommandDependencies;
  readonly scenarios: Scenarios;
}

/**
 * Runs the suite and prints the report.
 *
 * @returns The exit code.
 */
export async function executeRunCommand(
  suite: Suite,
  given: ParsedOptions,
  { io, dependencies, scenarios }: RunCommandContext,
): Promise<number> {
  const cases = selectCases(suite, readSelection(given));
  const target = readTarget(given, suite, io);
  requireCredentials(target, suite);
  const { url, credentials, controls, profile } = target;
  const requestedReports = readRequestedReports(given);
  const selected = new Set(cases.map((each) => each.id));
  const ids = new Set(suite.cases.map((each) => each.id));
  // Entries of unselected cases are left out. Entries without a case in the suite stay, so that the run reports them.
  const knownFailures = readKnownFailures(given, io).filter(({ id }) => selected.has(id) || !ids.has(id));
  const runId = createRunId();
  const workers = given.wholeNumber("workers", 1, 256);
  const requestBudget = given.wholeNumber("request-budget", 1, Number.MAX_SAFE_INTEGER);
  const options: PreparedRun = {
    url,
    credentials,
    controls,
    cases,
    seed: given.wholeNumber("seed", 0, 0xffff_ffff) ?? randomInt(1, 1_000_000),
    workers,
    requestBudget,
    failFast: given.flag("fail-fast"),
    ...(given.flag("quick") ? { quickSeconds } : {}),
    runId,
    journal: resolve(io.cwd(), given.text("journal") ?? journalPath(runId)),
    knownFailures,
    scenarios,
  };
  io.stderr.write(`${suite.title} ${suite.version} at ${url}, seed ${options.seed}, run ${runId}\n`);
  const facts: RunInfo = { controls, profile };
  const started = new Date();
  const { report, interrupt } = await runWithProgress(suite, options, { io, dependencies }).catch((error: unknown) => {
    const isLeft = existsSync(options.journal) && readJournal(options.journal, runId).length > 0;
    const wayOut = isLeft ? `${suite.command} clean --run-id ${runId} deletes what it has created.` : "";
    const aborted = toRunAbortedError(error, wayOut);
    // A build server that reads only the report has to see why there are no cases.
    if (aborted instanceof RunAbortedError)
      writeReports(requestedReports, { report: abortedReport(options, { started, error: aborted }), suite, facts, io });
    throw aborted;
  });
  const text = given.flag("json")
    ? formatJsonReport(report, suite, facts)
    : formatTextReport(report, suite, { ...facts, color: supportsColor(io.stdout, io.env) });
  io.stdout.write(text);
  const isWritten = writeReports(requestedReports, { report, suite, facts, io });
  if (interrupt !== undefined) return interrupted[interrupt];
  // A wrong credential or address is invalid usage: nothing was tested.
  if (report.stopped?.kind === "credential" || report.stopped?.kind === "address") return 2;
  return report.passed && isWritten ? 0 : 1;
}

/** The report of a run that ended without results. */
function abortedReport(
  { runId, seed, url }: PreparedRun,
  { started, error }: { readonly started: Date; readonly error: Error },
): RunReport {
  const durationSeconds = (Date.now() - started.getTime()) / 1000;
  const facts = { runId, seed, url, started: started.toISOString(), durationSeconds };
  return { ...facts, requests: 0, results: [], errors: [error.message], passed: false };
}

// The convention of shells: 128 plus the number of the signal.
const interrupted = { SIGINT: 130, SIGTERM: 143 } satisfies Record<InterruptSignal, number>;

type PreparedRun = Omit<RunOptions, "onProgress" | "signal"> & { readonly journal: string; readonly runId: string };

async function runWithProgress(
  suite: Suite,
  options: PreparedRun,
  { io, dependencies }: Omit<RunCommandContext, "scenarios">,
): Promise<{ readonly report: RunReport; readonly interrupt: InterruptSignal | undefined }> {
  const progress = createProgressReporter({ output: io.stderr, now: () => performance.now() });
  const stopping = new AbortController();
  let interrupt: InterruptSignal | undefined;
  // Handled once: a second signal ends the process.
  const listeners = (["SIGINT", "SIGTERM"] as const).map((signal) => ({
    signal,
    listener: () => {
      interrupt ??= signal;
      const later = `${suite.command} clean --run-id ${options.runId}`;
      progress.report({
        kind: "note",
        text: `Stopping and deleting what was created. To exit at once, interrupt again; then run ${later}`,
      });
      stopping.abort();
    },
  }));
  for (const { signal, listener } of listeners) io.once(signal, listener);
  try {
    const onProgress: RunOptions["onProgress"] = (each) => progress.report(each);
    const report = await dependencies.runSuite(suite, { ...options, onProgress, signal: stopping.signal });
    return { report, interrupt };
  } finally {
    for (const { signal, listener } of listeners) io.removeListener(signal, listener);
    progress.end();
  }
}

type Format = keyof typeof formats;

const formats = { junit: formatJunitReport, json: formatJsonReport, html: formatHtmlReport } satisfies Record<
  string,
  (report: RunReport, suite: Suite, facts: RunInfo) => string
>;

interface RequestedReport {
  readonly format: Format;
  readonly file: string;
}

function readRequestedReports(options: ParsedOptions): readonly RequestedReport[] {
  return options.texts("report").map((text) => {
    const [format = "", ...rest] = text.split("=");
    const file = rest.join("=");
    if (!isFormat(format)) {
      const names = Object.keys(formats);
      throw new UsageError(
        `--report ${JSON.stringify(text)}: unknown format ${JSON.stringify(format)}.${formatSuggestion(format, names)} Write ${names.join(", ")} before an equals sign.`,
      );
    }
    if (file === "") throw new UsageError(`--report ${JSON.stringify(text)} names no file. Write ${format}=FILE.`);
    return { format, file };
  });
}

function isFormat(text: string): text is Format {
  return Object.hasOwn(formats, text);
}

/** Returns false when a report could not be written. */
function writeReports(
  requestedReports: readonly RequestedReport[],
  { report, suite, facts, io }: { report: RunReport; suite: Suite; facts: RunInfo; io: CommandIo },
): boolean {
  return requestedReports
    .map(({ format, file }) => {
      const path = resolve(io.cwd(), file);
      try {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, formats[format](report, suite, facts));
        return true;
      } catch (error) {
        io.stderr.write(`The ${format} report could not be written: ${formatError(error)}\n`);
        return false;
      }
    })
    .every(Boolean);
}

function readKnownFailures(options: ParsedOptions, io: CommandIo): readonly KnownFailure[] {
  const file = options.text("known-failures");
  if (file === undefined) return [];
  const option = `--known-failures ${file}`;
  const data = readJson(resolve(io.cwd(), file), option);
  if (!Array.isArray(data)) throw new UsageError(`${option} is not a JSON array. Write [{"id": "…", "message": "…"}].`);
  return data.map((each: unknown, index) => {
    const { id, message, reason = "", ...others } = Object(each) as Readonly<Record<string, unknown>>;
    const isEntry = typeof id === "string" && typeof message === "string" && message !== "";
    // The reason is for readers of the list.
    if (!isEntry || typeof reason !== "string" || Object.keys(others).length > 0) {
      throw new UsageError(
        `${option}: entry ${index + 1} is not {"id": "…", "message": "…"}, with part of what the case says in the message. A "reason" may follow.`,
      );
    }
    return { id, message };
  });
}
