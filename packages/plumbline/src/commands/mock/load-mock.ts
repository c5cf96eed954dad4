import path from "node:path";
import { DiagnosticsError } from "@plumbline/kit/model";
import { buildApi, loadDescription, type Description } from "@plumbline/kit/openapi";
import type { LintWorker } from "@plumbline/kit/openapi/lint-worker";
import type { MockSnapshot } from "@plumbline/server-runtime/mock";
import type { DescriptionConfig } from "../../config/config.js";
import { createDescribedMock, type DescribedMock } from "../../mock/described-mock.js";
import { SeedDataError } from "../../mock/seed-data.js";
import { diagnoseStackOverflow } from "../../pipeline.js";
import { relocateDiagnostic, type CommandIo } from "../command.js";
import type { LocatedSeedData } from "./read-seed-data.js";

/** The options of the command, read and checked. */
export interface MockCommandOptions {
  readonly port: number;
  readonly host: string;
  readonly pace: number;
  readonly seed: number;
}

/** Above this number of characters, the next version of a description is served before the linter has ended. */
const maxLintedFirst = 2 ** 21;

export interface LoadedMock {
  readonly mock: DescribedMock;
  /** Returns the number of warnings once the linter has ended. Rejects with a DiagnosticsError where it finds errors. */
  readonly lint: () => Promise<number>;
}

export interface LoadMockOptions {
  readonly options: Pick<MockCommandOptions, "pace" | "seed">;
  /** The objects of `--data`. Undefined: none. */
  readonly data: LocatedSeedData | undefined;
  readonly hasControls: boolean;
  readonly io: CommandIo;
  readonly linter: LintWorker;
  readonly previous: readonly MockSnapshot[];
  /** Whether the mock of an earlier version goes on meanwhile. Otherwise the linter runs later, since it takes longer to load than the mock. */
  readonly isReload: boolean;
}

/**
 * Reads a description, and creates its mock. The first version, and a large one, are linted later.
 *
 * @throws DiagnosticsError with all errors of the description.
 */
export async function loadMock(
  config: DescriptionConfig,
  { io, linter, ...options }: LoadMockOptions,
): Promise<LoadedMock> {
  try {
    const description = await loadDescription(config.description, config.overlays, config.boundary);
    const lint = async (): Promise<number> => lintDescription(config, { description, linter, io });
    const size = description.files.reduce((sum, { text }) => sum + text.length, 0);
    const linted = options.isReload && size <= maxLintedFirst ? lint() : undefined;
    linted?.catch(() => undefined); // awaited below
    const mock = await createMock(config, description, options).catch(async (error: unknown) => {
      await (linted ?? lint()); // its diagnostics say more
      throw error;
    });
    const warnings = await linted;
    return { mock, lint: warnings === undefined ? lint : async () => warnings };
  } catch (error) {
    if (error instanceof DiagnosticsError && relocatedErrors.has(error)) throw error;
    if (error instanceof SeedDataError && options.data !== undefined) throw options.data.diagnose(error);
    const diagnostics = error instanceof DiagnosticsError ? error.diagnostics : diagnoseStackOverflow(error, config);
    throw relocated(diagnostics, config, io);
  }
}

async function createMock(
  { names, nestedArrays, keywords }: DescriptionConfig,
  description: Description,
  { options: { pace, seed }, data, hasControls, previous }: Omit<LoadMockOptions, "io" | "linter">,
): Promise<DescribedMock> {
  const api = buildApi(description, { names, nestedArrays, keywords, requirements: undefined, ruleset: "minimal" });
  const mock = { pace, seed, ...(data === undefined ? {} : { data: data.objects }) };
  return createDescribedMock(api, { locate: description.locate, mock, hasControls, previous });
}

async function lintDescription(
  config: DescriptionConfig,
  {
    description,
    linter,
    io,
  }: { readonly description: Description; readonly linter: LintWorker; readonly io: CommandIo },
): Promise<number> {
  const { description: file, overlays, boundary, keywords } = config;
  const { diagnostics } = linter.start([{ file, overlays, boundary, keywords, ruleset: "minimal" }]);
  const problems = [...((await diagnostics[0]) ?? []), ...description.diagnostics];
  if (problems.some(({ severity }) => severity === "error")) throw relocated(problems, config, io);
  return problems.length;
}

/** Errors whose paths are relative to the current folder already. */
const relocatedErrors = new WeakSet<DiagnosticsError>();

function relocated(
  diagnostics: DiagnosticsError["diagnostics"],
  { description }: DescriptionConfig,
  io: CommandIo,
): DiagnosticsError {
  const error = new DiagnosticsError(
    diagnostics.map((each) => relocateDiagnostic(each, path.dirname(description), io)),
  );
  relocatedErrors.add(error);
  return error;
}
