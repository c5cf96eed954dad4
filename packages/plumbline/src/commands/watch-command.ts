import path from "node:path";
import { UsageError } from "@plumbline/command-line";
import type { ReportedDifference } from "@plumbline/kit/diff";
import { DiagnosticsError } from "@plumbline/kit/model";
import {
  areUnchanged,
  hashFiles,
  recordInputs,
  type RecordedInputs,
  type ParseCache,
} from "@plumbline/kit/openapi/files";
import { startLintWorker, type LintWorker } from "@plumbline/kit/openapi/lint-worker";
import { slowArtifacts } from "../artifact-kinds.js";
import { exitIfStillRunning } from "../generate/watchdog.js";
import { planGeneration, type FolderDiagnostics } from "../generation-plan.js";
import { findCacheFolder, folderCache, layeredCache, memoryCache, noCache, type Cache } from "../incremental/cache.js";
import { createIncremental, type Incremental } from "../incremental/incremental.js";
import { pollInputs } from "../incremental/input-poller.js";
import { watchInputs, type InputWatcher } from "../incremental/input-watcher.js";
import { createRunQueue, type RunQueue } from "../incremental/run-queue.js";
import { ForeignFileError, writePackages, type WriteResult } from "../write/writer.js";
import { compareWithBaseline } from "./baseline.js";
import { toCommandFailure, type CommandFailure } from "./command-failure.js";
import { createCommandRunner, type CommandRunner } from "./command-runner.js";
import {
  selectedArtifacts,
  loadConfig,
  relocateDiagnostics,
  type ExitCode,
  type CommandIo,
  type DescriptionValues,
} from "./command.js";
import { createWatchReporter, type WatchOutcome, type WatchReporter } from "./watch-reporter.js";

/** The options of `plumbline generate` that a watching run has. */
export interface WatchValues extends DescriptionValues {
  readonly noCache: boolean;
  readonly poll: boolean;
  /** The command to run after each change of the output. */
  readonly run: string | undefined;
  readonly json: boolean;
}

/** Generates, and again after each change of an input, until a signal ends the process. After errors the files stay unchanged. */
export async function watchAndGenerate(values: WatchValues, io: CommandIo): Promise<ExitCode> {
  return new WatchSession(values, io).run();
}

/** Holds the watcher, the thread of the linter and the command of `--run`, and what a run leaves for the next one. */
class WatchSession {
  readonly #values: WatchValues;
  readonly #io: CommandIo;
  readonly #reporter: WatchReporter;
  readonly #runner: CommandRunner | undefined;
  readonly #watcher: InputWatcher;
  readonly #incremental: Incremental;
  readonly #compare: ReturnType<typeof compareWithBaseline>;
  readonly #linter: LintWorker = startLintWorker();
  readonly #parsed: ParseCache = new Map();
  readonly #turns: RunQueue = createRunQueue(() => this.#turn().catch((error: unknown) => this.#fail(error)));
  #disk: Cache = noCache;
  /** Undefined: the next turn generates even if the files are unchanged. */
  #inputs: RecordedInputs | undefined;
  #isFirst = true;
  #isCommandDue = true;
  #isOver = false;
  #end: () => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;

  constructor(values: WatchValues, io: CommandIo) {
    const { run: command, json: quiet, poll } = values;
    this.#values = values;
    this.#io = io;
    this.#reporter = createWatchReporter(io, quiet);
    this.#runner = command === undefined ? undefined : createCommandRunner(command, { folder: io.folder, quiet });
    this.#watcher = poll ? pollInputs(this.#turns.enqueue) : watchInputs(this.#turns.enqueue);
    // The first run also reads what earlier commands left on the disk; results of this command stay in memory.
    const disk: Cache = { ...noCache, get: async (key) => this.#disk.get(key) };
    this.#incremental = createIncremental(layeredCache(memoryCache(maxCachedArtifacts), disk));
    this.#compare = compareWithBaseline(io.folder);
  }

  /** Resolves after a signal. Rejects with an unexpected error. */
  async run(): Promise<ExitCode> {
    return new Promise((resolve, reject) => {
      this.#end = () =>
        void this.#close().then(() => {
          exitIfStillRunning();
          resolve(0);
        });
      // A run that the end interrupts may fail.
      this.#fail = (error) => void (this.#isOver || this.#close().then(() => reject(error)));
      // Closing a terminal does not end a command in another process group.
      for (const signal of terminationSignals) process.on(signal, this.#end);
      this.#turns.enqueue();
    });
  }

  async #close(): Promise<void> {
    this.#isOver = true;
    this.#watcher.close();
    this.#linter.close();
    await this.#runner?.stop();
    for (const signal of terminationSignals) process.off(signal, this.#end);
  }

  async #turn(): Promise<void> {
    if (this.#isOver || (await this.#isUpToDate())) return;
    const started = performance.now();
    this.#reporter.begin();
    const recorded = recordInputs(() => this.#generate(), this.#parsed);
    const generated = await this.#settle(recorded.done);
    const inputs = await this.#follow(await recorded.inputs(), generated);
    if ("failure" in generated) return this.#reporter.failed(generated.failure);
    this.#isFirst = false;
    this.#disk = noCache;
    const report = ({ outcome }: RunResult): void => {
      this.#isCommandDue ||= outcome.written.length + outcome.removed.length > 0;
      const seconds = Math.round(performance.now() - started) / 1000;
      this.#reporter.generated({ ...outcome, seconds }, Object.keys(inputs.files).length);
    };
    report(generated);
    if (generated.runDeferred !== undefined) {
      // Files that were saved meanwhile go before the slow artifacts.
      if (!(await areUnchanged(inputs))) {
        this.#inputs = undefined; // even if the files are unchanged by then, the suite is still pending
        return this.#turns.enqueue();
      }
      const complete = await this.#settle(generated.runDeferred());
      if ("failure" in complete) this.#reporter.failed(complete.failure, generated.outcome.pending);
      else report(complete);
    }
    this.#runCommand();
  }

  /** Saving a file without a change needs no run. */
  async #isUpToDate(): Promise<boolean> {
    if (this.#inputs === undefined) return false;
    this.#watcher.follow(this.#inputs);
    if (!(await areUnchanged(this.#inputs))) return false;
    this.#reporter.unchanged();
    return true;
  }

  /** Watches the inputs of a run, and the foreign files that it met until they are moved away. */
  async #follow(read: RecordedInputs, generated: RunResult | RunFailure): Promise<RecordedInputs> {
    const foreignFiles = "failure" in generated ? generated.foreignFiles : [];
    const inputs = { ...read, files: { ...read.files, ...(await hashFiles(foreignFiles)) } };
    this.#inputs = inputs;
    this.#watcher.follow(inputs);
    // Files that were not watched before may have changed meanwhile.
    if (!(await areUnchanged(inputs))) this.#turns.enqueue();
    return inputs;
  }

  async #generate(): Promise<RunResult> {
    const io = this.#io;
    const config = await loadConfig(this.#values, io);
    if (this.#isFirst) this.#disk = this.#openDiskCache(path.dirname(config.descriptions[0]?.description ?? io.folder));
    let differences: readonly ReportedDifference[] = [];
    const plan = await planGeneration(config, {
      only: selectedArtifacts(this.#values, config),
      deferredKinds: slowArtifacts,
      incremental: this.#incremental,
      startLinting: this.#linter.start,
      onResults: (reads) => (differences = this.#compare(reads)),
    });
    throwIfRejected(plan.rejected, io);
    const toOutcome = (results: readonly WriteResult[], pending: readonly string[]): RunResult["outcome"] => ({
      ...countFiles(results, io),
      warnings: relocateDiagnostics(plan.warnings, io),
      differences,
      pending,
    });
    const first = await writePackages(...plan.packages);
    const { runDeferred } = plan;
    if (runDeferred === undefined) return { outcome: toOutcome([first], []) };
    const configured = new Set(config.descriptions.flatMap(({ artifacts }) => artifacts.map(({ kind }) => kind)));
    return {
      outcome: toOutcome(
        [first],
        slowArtifacts.filter((kind) => configured.has(kind)),
      ),
      runDeferred: async () => {
        const { packages, rejected } = await runDeferred();
        throwIfRejected(rejected, io);
        return { outcome: toOutcome([first, await writePackages(...packages)], []) };
      },
    };
  }

  #openDiskCache(from: string): Cache {
    const folder = this.#values.noCache ? undefined : findCacheFolder(from);
    return folder === undefined ? noCache : folderCache(folder);
  }

  async #settle(run: Promise<RunResult>): Promise<RunResult | RunFailure> {
    return run.catch((error: unknown) => {
      // A file of the command line may come back.
      const isTemporary = error instanceof UsageError && !this.#isFirst;
      const failure = isTemporary ? { message: error.message } : toCommandFailure(error, this.#io.folder);
      if (failure === undefined) throw error;
      return { failure, foreignFiles: error instanceof ForeignFileError ? error.paths : [] };
    });
  }

  #runCommand(): void {
    if (!this.#isCommandDue) return;
    this.#isCommandDue = false;
    const command = this.#values.run ?? "";
    // The next change does not wait for the command.
    void this.#runner?.run().then((exit) => exit !== undefined && this.#reporter.ran(command, exit));
  }
}

const terminationSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The number of cached artifacts, so that undoing a change is fast. Those of a large suite have some megabytes. */
const maxCachedArtifacts = 16;

/** The result of a run, and the function that generates the deferred artifacts. */
interface RunResult {
  readonly outcome: Omit<WatchOutcome, "seconds">;
  readonly runDeferred?: () => Promise<RunResult>;
}

interface RunFailure {
  readonly failure: CommandFailure;
  readonly foreignFiles: readonly string[];
}

function throwIfRejected(rejected: readonly FolderDiagnostics[], io: CommandIo): void {
  if (rejected.length > 0) throw new DiagnosticsError(relocateDiagnostics(rejected, io));
}

function countFiles(
  results: readonly WriteResult[],
  io: CommandIo,
): Pick<WatchOutcome, "written" | "removed" | "unchanged"> {
  const toDisplayPath = (file: string): string => path.relative(io.folder, file);
  return {
    written: results.flatMap(({ written }) => written.map(toDisplayPath)),
    removed: results.flatMap(({ removed }) => removed.map(toDisplayPath)),
    unchanged: results.reduce((sum, { unchanged }) => sum + unchanged.length, 0),
  };
}
