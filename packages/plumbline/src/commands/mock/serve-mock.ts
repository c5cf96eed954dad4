import { UsageError } from "@plumbline/command-line";
import { DiagnosticsError } from "@plumbline/kit/model";
import { areUnchanged, recordInputs, type ParseCache, type RecordedInputs } from "@plumbline/kit/openapi/files";
import { startLintWorker, type LintWorker } from "@plumbline/kit/openapi/lint-worker";
import { watchInputs } from "../../incremental/input-watcher.js";
import { createRunQueue } from "../../incremental/run-queue.js";
import { ControlsPathError, type DescribedMock } from "../../mock/described-mock.js";
import { ListenError, listenHttp, type HttpHost } from "../../mock/http-host.js";
import { createServedMock } from "../../mock/served-mock.js";
import { toCommandFailure, type CommandFailure } from "../command-failure.js";
import { loadConfig, type CommandIo, type DescriptionValues, type ExitCode } from "../command.js";
import { loadMock, type LoadedMock, type MockCommandOptions } from "./load-mock.js";
import { createMockReporter, type MockReporter, type ReadyMock } from "./mock-reporter.js";
import { readSeedData } from "./read-seed-data.js";

/** Serves the mock of a description until a signal ends the process. */
export async function serveMock(values: ServeMockValues, io: CommandIo): Promise<ExitCode> {
  return new MockSession(values, io).run();
}

/** The values of the command, with their defaults. */
export interface ServeMockValues extends DescriptionValues, MockCommandOptions {
  /** The file with objects that exist from the start. */
  readonly data: string | undefined;
  readonly watch: boolean;
  readonly controls: boolean;
  readonly json: boolean;
}

/** Holds the thread of the linter, and the mock of the current version of the description. */
class MockSession {
  readonly #values: ServeMockValues;
  readonly #io: CommandIo;
  readonly #reporter: MockReporter;
  readonly #linter: LintWorker = startLintWorker();
  readonly #parsed: ParseCache = new Map();
  #current: DescribedMock | undefined;
  #inputs: RecordedInputs | undefined;

  constructor(values: ServeMockValues, io: CommandIo) {
    this.#values = values;
    this.#io = io;
    this.#reporter = createMockReporter(io, values.json);
  }

  async run(): Promise<ExitCode> {
    const recorded = recordInputs(() => this.#load(), this.#parsed);
    try {
      const { mock, lint } = await recorded.done;
      this.#inputs = await recorded.inputs();
      this.#current = mock;
      const served = createServedMock({
        current: () => this.#current ?? mock,
        origin: () => host.origin,
        handled: this.#reporter.handled,
        failed: this.#reporter.broke,
      });
      const host = await listenHttp(served, this.#values);
      this.#reporter.ready(describeMock(mock, host));
      return await this.#serveUntilSignal(host, lint);
    } catch (error) {
      this.#linter.close();
      const failure = failureOf(error, this.#io);
      if (failure === undefined) throw error;
      if ("diagnostics" in failure) throw new DiagnosticsError(failure.diagnostics);
      this.#reporter.failed(failure);
      return 1;
    }
  }

  async #load(): Promise<LoadedMock> {
    const { data: file, controls: hasControls } = this.#values;
    const data = file === undefined ? undefined : await readSeedData(file, this.#io.folder);
    const [config] = (await loadConfig(this.#values, this.#io)).descriptions;
    if (config === undefined) throw new UsageError("plumbline.yaml lists no description.");
    return loadMock(config, {
      options: this.#values,
      data,
      hasControls,
      io: this.#io,
      linter: this.#linter,
      previous: this.#current?.state() ?? [],
      isReload: this.#current !== undefined,
    });
  }

  async #serveUntilSignal(host: HttpHost, lint: LoadedMock["lint"]): Promise<ExitCode> {
    const watching = this.#values.watch ? watchInputs(() => reloads.enqueue()) : undefined;
    const reloads = createRunQueue(async () => this.#reload(host, (next) => watching?.follow(next)));
    if (this.#inputs !== undefined) watching?.follow(this.#inputs);
    return new Promise((resolve, reject) => {
      const end = (code: ExitCode): void => {
        for (const signal of terminationSignals) process.off(signal, stop);
        watching?.close();
        this.#linter.close();
        void host.close().then(() => resolve(code), reject);
      };
      const stop = (): void => end(0);
      for (const signal of terminationSignals) process.on(signal, stop);
      lint().then(
        (warnings) => warnings > 0 && this.#reporter.warned(warnings),
        (error: unknown) => {
          const failure = failureOf(error, this.#io);
          if (failure === undefined) return reject(error instanceof Error ? error : new Error(String(error)));
          this.#reporter.failed(failure);
          end(1);
        },
      );
    });
  }

  /** Loads the description again. With errors, the mock of the previous version goes on. */
  async #reload(host: HttpHost, follow: (inputs: RecordedInputs) => void): Promise<void> {
    if (this.#inputs !== undefined && (await areUnchanged(this.#inputs))) return;
    const next = recordInputs(() => this.#load(), this.#parsed);
    try {
      const { mock } = await next.done;
      this.#current = mock;
      this.#reporter.reloaded(describeMock(mock, host));
    } catch (error) {
      // A file of the command line may come back.
      const failure = error instanceof UsageError ? { message: error.message } : failureOf(error, this.#io);
      if (failure === undefined) this.#reporter.broke(error);
      else this.#reporter.failed(failure);
    }
    this.#inputs = await next.inputs();
    follow(this.#inputs);
  }
}

const terminationSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function failureOf(error: unknown, { folder }: CommandIo): CommandFailure | undefined {
  if (error instanceof ListenError || error instanceof ControlsPathError) return { message: error.message };
  return toCommandFailure(error, folder);
}

function describeMock({ api, basePath }: DescribedMock, { origin }: HttpHost): ReadyMock {
  return { title: api.title, version: api.version, url: `${origin}${basePath}`, operations: api.operations.length };
}
