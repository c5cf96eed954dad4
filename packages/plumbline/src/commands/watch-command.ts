import path from "node:path";
import { findCacheFolder, folderCache, layeredCache, memoryCache, noCache, type Cache } from "../incremental/cache.js";
import type { ReportedDifference as Difference } from "@plumbline/kit/diff";
import { createIncremental } from "../incremental/incremental.js";
import { ForeignFileError, writePackages, type WriteResult } from "../write/writer.js";
import {
  areUnchanged,
  hashFiles,
  recordInputs,
  type RecordedInputs,
  type ParseCache,
} from "@plumbline/kit/openapi/files";
import { startLintWorker } from "@plumbline/kit/openapi/lint-worker";
import { slowArtifacts } from "../artifact-kinds.js";
import { exitIfStillRunning } from "../generate/watchdog.js";
import { planGeneration, type FolderDiagnostics } from "../generation-plan.js";
import { DiagnosticsError, type Diagnostic } from "@plumbline/kit/model";
import { createRunQueue } from "../incremental/run-queue.js";
import { pollInputs } from "../incremental/input-poller.js";
import { watchInputs } from "../incremental/input-watcher.js";
import {
  UsageError,
  selectedArtifacts,
  loadConfig,
  relocateDiagnostic,
  type ExitCode,
  type ParsedArgs,
  type CommandIo,
} from "./command.js";
import { toCommandFailure, type CommandFailure } from "./command-failure.js";
import { createCommandRunner } from "./command-runner.js";
import { compareWithBaseline } from "./baseline.js";
import { createWatchReporter, type WatchOutcome } from "./watch-reporter.js";

/** Generates, and again after each change of an input, until a signal ends the process. After errors the files stay unchanged. */
export async function watchAndGenerate(args: ParsedArgs, io: CommandIo): Promise<ExitCode> {
  const reporter = createWatchReporter(io, args.flag("json"));
  const command = args.text("run");
  const runner =
    command === undefined ? undefined : createCommandRunner(command, { folder: io.folder, quiet: args.flag("json") });
  const linter = startLintWorker();
  const parsed: ParseCache = new Map();
  // The first run also reads what earlier commands left on the disk; results of this command stay in memory.
  const disk: Cache = { ...noCache, get: async (key) => (isFirst ? diskCache.get(key) : undefined) };
  let diskCache: Cache = noCache;
  const incremental = createIncremental(layeredCache(memoryCache(maxCachedArtifacts), disk));
  let inputs: RecordedInputs | undefined;
  const compare = compareWithBaseline(io.folder);
  let isFirst = true;
  let isToRun = true;
  /** Foreign files, which are watched until they are moved away. */
  let inTheWay: readonly string[] = [];

  async function turn(): Promise<void> {
    if (isOver) return;
    if (inputs !== undefined) {
      watching.follow(inputs);
      // Saving a file without a change needs no run.
      if (await areUnchanged(inputs)) return reporter.unchanged();
    }
    const started = performance.now();
    reporter.begin();
    inTheWay = [];
    const recorded = recordInputs(make, parsed);
    const generated = await settle(recorded.done);
    const read = await recorded.inputs();
    inputs = { ...read, files: { ...read.files, ...(await hashFiles(inTheWay)) } };
    watching.follow(inputs);
    // Files that were not watched before may have changed meanwhile.
    if (!(await areUnchanged(inputs))) turns.enqueue();
    if (isFailure(generated)) return reporter.failed(generated);
    isFirst = false;
    const files = Object.keys(inputs.files).length;
    const report = ({ outcome }: RunResult): void => {
      isToRun ||= outcome.written.length + outcome.removed.length > 0;
      reporter.generated({ ...outcome, seconds: Math.round(performance.now() - started) / 1000 }, files);
    };
    report(generated);
    if (generated.runDeferred !== undefined) {
      // Files that were saved meanwhile go before the slow artifacts.
      if (!(await areUnchanged(inputs))) {
        inputs = undefined; // even if the files are unchanged by then, the suite is still pending
        return turns.enqueue();
      }
      const whole = await settle(generated.runDeferred());
      if (isFailure(whole)) reporter.failed(whole, generated.outcome.pending);
      else report(whole);
    }
    if (!isToRun) return;
    isToRun = false;
    // The next change does not wait for the command.
    void runner?.run().then((exit) => exit !== undefined && reporter.ran(command ?? "", exit));
  }

  async function make(): Promise<RunResult> {
    const config = await loadConfig(args, io);
    if (isFirst) diskCache = diskCacheFor(path.dirname(config.descriptions[0]?.description ?? io.folder));
    let differences: readonly Difference[] = [];
    const plan = await planGeneration(config, {
      only: selectedArtifacts(args, config),
      deferredKinds: slowArtifacts,
      incremental,
      startLinting: linter.start,
      onResults: (reads) => (differences = compare(reads)),
    });
    const problemsIn = (all: readonly FolderDiagnostics[]): readonly Diagnostic[] =>
      all.flatMap(({ folder, diagnostics }) =>
        diagnostics.map((diagnostic) => relocateDiagnostic(diagnostic, folder, io)),
      );
    if (plan.rejected.length > 0) throw new DiagnosticsError(problemsIn(plan.rejected));
    const shown = (files: readonly string[]): readonly string[] => files.map((file) => path.relative(io.folder, file));
    const outcomeOf = (done: readonly WriteResult[], pending: readonly string[]): Omit<WatchOutcome, "seconds"> => ({
      written: shown(done.flatMap(({ written }) => written)),
      removed: shown(done.flatMap(({ removed }) => removed)),
      unchanged: done.reduce((sum, { unchanged }) => sum + unchanged.length, 0),
      warnings: problemsIn(plan.warnings),
      differences,
      pending,
    });
    const first = await writePackages(...plan.packages);
    const { runDeferred } = plan;
    if (runDeferred === undefined) return { outcome: outcomeOf([first], []) };
    const rest = async (): Promise<RunResult> => {
      const { packages, rejected } = await runDeferred();
      if (rejected.length > 0) throw new DiagnosticsError(problemsIn(rejected));
      return { outcome: outcomeOf([first, await writePackages(...packages)], []) };
    };
    const configured = new Set(config.descriptions.flatMap(({ artifacts }) => artifacts.map(({ kind }) => kind)));
    const pending = slowArtifacts.filter((kind) => configured.has(kind));
    return { outcome: outcomeOf([first], pending), runDeferred: rest };
  }

  async function settle(making: Promise<RunResult>): Promise<RunResult | CommandFailure> {
    return making.catch((error: unknown) => {
      if (error instanceof ForeignFileError) inTheWay = error.paths;
      // A file of the command line may come back.
      if (error instanceof UsageError && !isFirst) return { message: error.message };
      const failure = toCommandFailure(error, io.folder);
      if (failure === undefined) throw error;
      return failure;
    });
  }

  function diskCacheFor(from: string): Cache {
    const folder = args.flag("no-cache") ? undefined : findCacheFolder(from);
    return folder === undefined ? noCache : folderCache(folder);
  }

  const turns = createRunQueue(() => turn().catch(fail));
  const watching = args.flag("poll") ? pollInputs(turns.enqueue) : watchInputs(turns.enqueue);
  let fail: (error: unknown) => void = () => undefined;
  let isOver = false;
  return new Promise((resolve, reject) => {
    const end = (): void =>
      void close().then(() => {
        exitIfStillRunning();
        resolve(0);
      });
    const close = async (): Promise<void> => {
      isOver = true;
      watching.close();
      linter.close();
      await runner?.stop();
      for (const signal of terminationSignals) process.off(signal, end);
    };
    // A run that the end interrupts may fail.
    fail = (error) => void (isOver || close().then(() => reject(error)));
    // Closing a terminal does not end a command in another process group.
    for (const signal of terminationSignals) process.on(signal, end);
    turns.enqueue();
  });
}

const terminationSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The number of cached artifacts, so that undoing a change is fast. Those of a large suite have some megabytes. */
const maxCachedArtifacts = 16;

/** The result of a run, and the function that generates the deferred artifacts. */
interface RunResult {
  readonly outcome: Omit<WatchOutcome, "seconds">;
  readonly runDeferred?: () => Promise<RunResult>;
}

function isFailure(generated: CommandFailure | RunResult): generated is CommandFailure {
  return !("outcome" in generated);
}
