import { DiagnosticsError } from "@plumbline/kit/model";
import { areUnchanged, recordInputs, type ParseCache, type RecordedInputs } from "@plumbline/kit/openapi/files";
import { startLintWorker, type LintWorker } from "@plumbline/kit/openapi/lint-worker";
import { watchInputs } from "../../incremental/input-watcher.js";
import { createRunQueue } from "../../incremental/run-queue.js";
import { ControlsPathError, type DescribedMock } from "../../mock/described-mock.js";
import { ListenError, listenHttp, type HttpHost } from "../../mock/http-host.js";
import { createServedMock } from "../../mock/served-mock.js";
import { toCommandFailure, type CommandFailure } from "../command-failure.js";
import { loadConfig, UsageError, type CommandIo, type ExitCode, type ParsedArgs } from "../command.js";
import { loadMock, type LoadedMock, type MockCommandOptions } from "./load-mock.js";
import { createMockReporter, type ReadyMock } from "./mock-reporter.js";
import { readSeedData } from "./read-seed-data.js";

/** Serves the mock of a description until a signal ends the process. */
export async function serveMock(args: ParsedArgs, io: CommandIo, options: MockCommandOptions): Promise<ExitCode> {
  const reporter = createMockReporter(io, args.flag("json"));
  const linter = startLintWorker();
  const parsed: ParseCache = new Map();
  let current: DescribedMock | undefined;
  let inputs: RecordedInputs | undefined;

  async function load(): Promise<LoadedMock> {
    const file = args.text("data");
    const data = file === undefined ? undefined : await readSeedData(file, io.folder);
    const [config] = (await loadConfig(args, io)).descriptions;
    if (config === undefined) throw new UsageError("plumbline.yaml lists no description.");
    const hasControls = args.flag("controls");
    const isReload = current !== undefined;
    return loadMock(config, { options, data, hasControls, io, linter, previous: current?.state() ?? [], isReload });
  }

  const recorded = recordInputs(load, parsed);
  let host: HttpHost;
  try {
    const loaded = await recorded.done;
    inputs = await recorded.inputs();
    current = loaded.mock;
    const served = createServedMock({
      current: () => current ?? loaded.mock,
      origin: () => host.origin,
      handled: reporter.handled,
      failed: reporter.broke,
    });
    host = await listenHttp(served, options);
    reporter.ready(describeMock(loaded.mock, host));
    return await serveUntilSignal({ linter, lint: loaded.lint, host });
  } catch (error) {
    linter.close();
    const failure = failureOf(error, io);
    if (failure === undefined) throw error;
    if ("diagnostics" in failure) throw new DiagnosticsError(failure.diagnostics);
    reporter.failed(failure);
    return 1;
  }

  async function serveUntilSignal(serving: {
    readonly linter: LintWorker;
    readonly lint: LoadedMock["lint"];
    readonly host: HttpHost;
  }): Promise<ExitCode> {
    const watching = args.flag("watch") ? watchInputs(() => reloads.enqueue()) : undefined;
    const reloads = createRunQueue(async () => reload(serving.host, (next) => watching?.follow(next)));
    if (inputs !== undefined) watching?.follow(inputs);
    return new Promise((resolve, reject) => {
      const end = (code: ExitCode): void => {
        for (const signal of terminationSignals) process.off(signal, stop);
        watching?.close();
        serving.linter.close();
        void serving.host.close().then(() => resolve(code), reject);
      };
      const stop = (): void => end(0);
      for (const signal of terminationSignals) process.on(signal, stop);
      serving.lint().then(
        (warnings) => warnings > 0 && reporter.warned(warnings),
        (error: unknown) => {
          const failure = failureOf(error, io);
          if (failure === undefined) return reject(error instanceof Error ? error : new Error(String(error)));
          reporter.failed(failure);
          end(1);
        },
      );
    });
  }

  /** Loads the description again. With errors, the mock of the previous version goes on. */
  async function reload(running: HttpHost, follow: (inputs: RecordedInputs) => void): Promise<void> {
    if (inputs !== undefined && (await areUnchanged(inputs))) return;
    const next = recordInputs(load, parsed);
    try {
      const { mock } = await next.done;
      current = mock;
      reporter.reloaded(describeMock(mock, running));
    } catch (error) {
      // A file of the command line may come back.
      const failure = error instanceof UsageError ? { message: error.message } : failureOf(error, io);
      if (failure === undefined) reporter.broke(error);
      else reporter.failed(failure);
    }
    inputs = await next.inputs();
    follow(inputs);
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
