import { randomInt } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  defineCommand,
  flag,
  formatSuggestion,
  integer,
  repeatable,
  string,
  UsageError,
  type Command,
  type OptionValues,
} from "@plumbline/command-line";
import { readJournal } from "../cleanup/journal.js";
import { formatHtmlReport } from "../report/html.js";
import { formatJsonReport } from "../report/json.js";
import { formatJunitReport } from "../report/junit.js";
import type { RunInfo } from "../report/reproduce.js";
import { formatTextReport } from "../report/text.js";
import type { KnownFailure, RunOptions, RunReport, Scenarios } from "../results.js";
import type { Suite } from "../suite.js";
import { formatError } from "../values/format-error.js";
import { createRunId } from "../values/unique-values.js";
import { journalPath } from "./clean.js";
import type { CommandDependencies } from "./dependencies.js";
import { RunAbortedError, toRunAbortedError } from "./errors.js";
import { supportsColor, type CommandIo, type InterruptSignal } from "./io.js";
import { exampleNames, selectionOptions, type SelectionOptions } from "./list.js";
import { createProgressReporter } from "./progress-reporter.js";
import { selectCases } from "./selection.js";
import { readJson, requireCredentials, readTarget, targetOptions } from "./target.js";

/** How long a quick run takes at most. */
const quickSeconds = 60;

/** The options of a run beside those that select cases. */
const runOptions = {
  seed: integer(
    "N",
    { least: 0, most: 0xffff_ffff },
    "integer that determines order and values. Default: random; the run prints it",
  ),
  workers: integer("N", { least: 1, most: 256 }, "workers side by side"),
  requestBudget: integer(
    "N",
    { least: 1, most: Number.MAX_SAFE_INTEGER },
    "starts no case after this many requests. Default: no limit",
  ),
  quick: flag(
    `runs for at most about ${quickSeconds} s: as many requirements as fit, those of security and loss of data first`,
  ),
  failFast: flag("stops at the first case that fails or cannot run"),
  knownFailures: string(
    "FILE",
    'JSON [{"id", "message"}]: cases that may fail with this message; an entry that passes fails the run',
    "file",
  ),
  journal: string("FILE", "records each created object here. Default: .conformance/RUNID.jsonl", "file"),
  report: repeatable("FORMAT=FILE", "writes a report: junit, json or html; may be repeated"),
  json: flag("prints the JSON report on standard output instead of text"),
};

/** Creates the command that runs the suite and prints the report. */
export function createRunCommand(suite: Suite, context: Omit<RunCommandContext, "io">): Command<CommandIo> {
  const { command } = suite;
  const { id, area } = exampleNames(suite);
  return defineCommand({
    text: "Runs the cases against a server, checks the responses, and deletes what the cases created. The report ends with what to fix first. The run stops early when the server rejects the credential, or when the address is not that of the API.",
    options: { ...targetOptions, ...selectionOptions(suite), ...runOptions },
    examples: [
      `${command} run --url http://127.0.0.1:8080/v4 --controls http://127.0.0.1:8081`,
      `${command} run --url https://staging.example/v4 --profile staging.json --report html=report.html`,
      `${command} run --quick --fail-fast`,
      `${command} run --read-only --only ${area}`,
      `${command} run --only ${id} --seed 7`,
    ],
    run: async (values, io: CommandIo) => executeRun(suite, values, { ...context, io }),
  });
}

type RunValues = OptionValues<typeof runOptions & typeof targetOptions & SelectionOptions>;

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
async function executeRun(
  suite: Suite,
  values: RunValues,
  { io, dependencies, scenarios }: RunCommandContext,
): Promise<number> {
  const cases = selectCases(suite, values);
  const target = readTarget(values, suite, io);
  requireCredentials(target, suite);
  const { url, credentials, controls, profile } = target;
  const requestedReports = readRequestedReports(values);
  const selected = new Set(cases.map((each) => each.id));
  const ids = new Set(suite.cases.map((each) => each.id));
  // Entries of unselected cases are left out. Entries without a case in the suite stay, so that the run reports them.
  const knownFailures = readKnownFailures(values, io).filter(({ id }) => selected.has(id) || !ids.has(id));
  const runId = createRunId();
  const { workers, requestBudget } = values;
  const options: PreparedRun = {
    url,
    credentials,
    controls,
    cases,
    seed: values.seed ?? randomInt(1, 1_000_000),
    workers,
    requestBudget,
    failFast: values.failFast,
    ...(values.quick ? { quickSeconds } : {}),
    runId,
    journal: resolve(io.cwd(), values.journal ?? journalPath(runId)),
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
  const text = values.json
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

function readRequestedReports({ report }: RunValues): readonly RequestedReport[] {
  return report.map((text) => {
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

function readKnownFailures({ knownFailures: file }: RunValues, io: CommandIo): readonly KnownFailure[] {
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
