import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pluralize, escapeToOneLine } from "../report/format-text.js";
import type { Suite } from "../suite.js";
import type { CommandDependencies } from "./dependencies.js";
import type { CommandIo } from "./io.js";
import type { ParsedOptions, OptionNames } from "./options.js";
import { requireCredentials, readTarget, targetCommandOptions } from "./target.js";
import { UsageError, toRunAbortedError } from "./errors.js";

export const cleanCommandOptions: OptionNames = { ...targetCommandOptions, "run-id": "text", journal: "file" };

/** The default path of a run's journal. */
export function journalPath(runId: string): string {
  return `.conformance/${runId}.jsonl`;
}

/** Deletes what a run has left on the server. Exit code 1 when a deletion failed. */
export async function runCleanCommand(
  suite: Suite,
  options: ParsedOptions,
  { io, dependencies }: { io: CommandIo; dependencies: CommandDependencies },
): Promise<number> {
  const runId = options.text("run-id");
  if (runId === undefined) throw new UsageError("Missing option --run-id. Pass the id that the run has printed.");
  if (!/^[a-z0-9]{8}$/.test(runId)) {
    throw new UsageError(
      `--run-id ${JSON.stringify(runId)} is not a run id. A run id has eight lowercase letters and digits.`,
    );
  }
  const journalName = options.text("journal") ?? journalPath(runId);
  const journal = resolve(io.cwd(), journalName);
  if (!existsSync(journal)) {
    throw new UsageError(`Missing journal ${journalName}. Run this in the folder of the run, or pass --journal FILE.`);
  }
  const target = readTarget(options, suite, io);
  requireCredentials(target, suite);
  const { url, controls, credentials } = target;
  const where = { url, credentials, controls };
  const { removed, remaining } = await dependencies
    .cleanUp(suite, { journal, runId, ...where })
    .catch((error: unknown) => {
      throw toRunAbortedError(error, "Fix the cause and run the command again.");
    });
  io.stdout.write(
    `${pluralize(removed, "thing")} of run ${runId} deleted${remaining.length === 0 ? ", none left." : "."}\n`,
  );
  for (const each of remaining) io.stderr.write(`${escapeToOneLine(each)}\n`);
  return remaining.length === 0 ? 0 : 1;
}
