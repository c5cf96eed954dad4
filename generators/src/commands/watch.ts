import path from "node:path";
import { cacheFolder, folderCache, layered, memoryCache, noCache, type Cache } from "../cache.js";
import type { Told as Difference } from "../difference-report.js";
import { nothingEarlier } from "../earlier.js";
import { ForeignFileError, write, type Written } from "../emit/writer.js";
import { areSame, inputsOf, recordInputs, type Inputs, type Parsed } from "../inputs.js";
import type { Kind } from "../kinds.js";
import { leaveOverseen } from "../overseen.js";
import { planAll, type Told } from "../plan.js";
import { ProblemError, type Problem } from "../problem.js";
import { keepLinting } from "../spec/background.js";
import { takeTurns } from "../turns.js";
import { watchInputs } from "../watching.js";
import { UsageError, chosenOf, findConfig, relocated, type ExitCode, type Given, type Terminal } from "./command.js";
import { failureOf, type Failure } from "./failure.js";
import { runnerOf } from "./running.js";
import { sinceFirst } from "./since.js";
import { tellerOf } from "./teller.js";

/** The result of one run. Paths are relative to the current folder. */
export interface Outcome {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
  readonly warnings: readonly Problem[];
  /** The differences since the start of the command. */
  readonly differences: readonly Difference[];
  /** Artifacts that are still being generated. The next outcome covers the complete run. */
  readonly pending: readonly string[];
  readonly seconds: number;
}

/** Generates, and again after each change of an input, until a signal ends the process. After errors the files stay unchanged. */
export async function watch(given: Given, terminal: Terminal): Promise<ExitCode> {
  const teller = tellerOf(terminal, given.flag("json"));
  const command = given.text("run");
  const runner =
    command === undefined ? undefined : runnerOf(command, { folder: terminal.folder, quiet: given.flag("json") });
  const linter = keepLinting();
  const earlier = nothingEarlier();
  const parsed: Parsed = new Map();
  const memory = memoryCache(artifactsKept);
  let inputs: Inputs | undefined;
  const compare = sinceFirst(terminal.folder);
  let isFirst = true;
  let isToRun = true;
  /** Foreign files, which are watched until they are moved away. */
  let inTheWay: readonly string[] = [];

  async function turn(): Promise<void> {
    if (isOver) return;
    if (inputs !== undefined) {
      watching.follow(inputs);
      // Saving a file without a change needs no run.
      if (await areSame(inputs)) return;
    }
    const started = performance.now();
    teller.begin();
    inTheWay = [];
    const recorded = recordInputs(make, parsed);
    const made = await settle(recorded.done);
    const read = await recorded.inputs();
    inputs = { ...read, files: { ...read.files, ...(await inputsOf(inTheWay)) } };
    watching.follow(inputs);
    // Files that were not watched before may have changed meanwhile.
    if (!(await areSame(inputs))) turns.ask();
    if (isFailure(made)) return teller.refused(made);
    isFirst = false;
    const files = Object.keys(inputs.files).length;
    const tell = ({ outcome }: Made): void => {
      isToRun ||= outcome.written.length + outcome.removed.length > 0;
      teller.generated({ ...outcome, seconds: Math.round(performance.now() - started) / 1000 }, files);
    };
    tell(made);
    if (made.rest !== undefined) {
      // Files that were saved meanwhile go before the slow artifacts.
      if (!(await areSame(inputs))) {
        inputs = undefined; // even if the files are unchanged by then, the suite is still pending
        return turns.ask();
      }
      const whole = await settle(made.rest());
      if (isFailure(whole)) teller.refused(whole, made.outcome.pending);
      else tell(whole);
    }
    if (!isToRun) return;
    isToRun = false;
    // The next change does not wait for the command.
    void runner?.run().then((exit) => exit !== undefined && teller.ran(command ?? "", exit));
  }

  async function make(): Promise<Made> {
    const config = await findConfig(given, terminal);
    const cache = cacheFor(path.dirname(config.descriptions[0]?.description ?? terminal.folder));
    let differences: readonly Difference[] = [];
    const plan = await planAll(config, {
      only: chosenOf(given, config),
      later: slow,
      cache,
      earlier,
      startLinting: linter.start,
      onReads: (reads) => (differences = compare(reads)),
    });
    const problemsIn = (all: readonly Told[]): readonly Problem[] =>
      all.flatMap(({ folder, problems }) => problems.map((problem) => relocated(problem, folder, terminal)));
    if (plan.refused.length > 0) throw new ProblemError(problemsIn(plan.refused));
    const shown = (files: readonly string[]): readonly string[] =>
      files.map((file) => path.relative(terminal.folder, file));
    const outcomeOf = (done: readonly Written[], pending: readonly string[]): Omit<Outcome, "seconds"> => ({
      written: shown(done.flatMap(({ written }) => written)),
      removed: shown(done.flatMap(({ removed }) => removed)),
      unchanged: done.reduce((sum, { unchanged }) => sum + unchanged.length, 0),
      warnings: problemsIn(plan.warnings),
      differences,
      pending,
    });
    const first = await write(...plan.packages);
    const { later } = plan;
    if (later === undefined) return { outcome: outcomeOf([first], []) };
    const rest = async (): Promise<Made> => {
      const { packages, refused } = await later();
      if (refused.length > 0) throw new ProblemError(problemsIn(refused));
      return { outcome: outcomeOf([first, await write(...packages)], []) };
    };
    return { outcome: outcomeOf([first], slow), rest };
  }

  async function settle(making: Promise<Made>): Promise<Made | Failure> {
    return making.catch((error: unknown) => {
      if (error instanceof ForeignFileError) inTheWay = error.paths;
      // A file of the command line may come back.
      if (error instanceof UsageError && !isFirst) return { message: error.message };
      const failure = failureOf(error, terminal.folder);
      if (failure === undefined) throw error;
      return failure;
    });
  }

  /** The first run reads the disk cache of earlier commands; results of this command stay in memory. */
  function cacheFor(from: string): Cache {
    const folder = given.flag("no-cache") || !isFirst ? undefined : cacheFolder(from);
    return folder === undefined ? memory : layered(memory, { ...noCache, get: folderCache(folder).get });
  }

  const turns = takeTurns(() => turn().catch(fail));
  const watching = watchInputs(turns.ask);
  let fail: (error: unknown) => void = () => undefined;
  let isOver = false;
  return new Promise((resolve, reject) => {
    const end = (): void =>
      void close().then(() => {
        leaveOverseen();
        resolve(0);
      });
    const close = async (): Promise<void> => {
      isOver = true;
      watching.close();
      linter.close();
      await runner?.stop();
      for (const signal of ends) process.off(signal, end);
    };
    // A run that the end interrupts may fail.
    fail = (error) => void (isOver || close().then(() => reject(error)));
    // Closing a terminal does not end a command in another process group.
    for (const signal of ends) process.on(signal, end);
    turns.ask();
  });
}

const ends = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The number of cached artifacts, so that undoing a change is fast. Those of a large suite have some megabytes. */
const artifactsKept = 16;

/** The slow artifacts, which are generated after the others are written. */
const slow: readonly Kind[] = ["conformance"];

/** The result of a run, and the function that generates the deferred artifacts. */
interface Made {
  readonly outcome: Omit<Outcome, "seconds">;
  readonly rest?: () => Promise<Made>;
}

function isFailure(made: Failure | Made): made is Failure {
  return !("outcome" in made);
}
