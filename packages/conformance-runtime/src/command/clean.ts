import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { defineCommand, string, UsageError, type Command, type OptionValues } from "@plumbline/command-line";
import { pluralize, escapeToOneLine } from "../report/format-text.js";
import type { Suite } from "../suite.js";
import type { CommandDependencies } from "./dependencies.js";
import { toRunAbortedError } from "./errors.js";
import type { CommandIo } from "./io.js";
import { requireCredentials, readTarget, targetOptions } from "./target.js";

const options = {
  runId: string("ID", "id of the run, as it has printed it"),
  journal: string("FILE", "path of the journal. Default: .conformance/RUNID.jsonl", "file"),
  ...targetOptions,
};

/** Creates the command that deletes what a run has left on the server. Exit code 1: a deletion failed. */
export function createCleanCommand(suite: Suite, dependencies: CommandDependencies): Command<CommandIo> {
  return defineCommand({
    usage: "--run-id ID [options]",
    text: "Deletes the objects in a run's journal that the run has not deleted, newest first.",
    options,
    examples: [`${suite.command} clean --run-id k3f9x2ab --url https://staging.example/v4`],
    run: async (values, io: CommandIo) => clean(suite, values, { io, dependencies }),
  });
}

/** The default path of a run's journal. */
export function journalPath(runId: string): string {
  return `.conformance/${runId}.jsonl`;
}

async function clean(
  suite: Suite,
  values: OptionValues<typeof options>,
  { io, dependencies }: { io: CommandIo; dependencies: CommandDependencies },
): Promise<number> {
  const { runId } = values;
  if (runId === undefined) throw new UsageError("Missing option --run-id. Pass the id that the run has printed.");
  if (!/^[a-z0-9]{8}$/.test(runId)) {
    throw new UsageError(
      `--run-id ${JSON.stringify(runId)} is not a run id. A run id has eight lowercase letters and digits.`,
    );
  }
  const journalName = values.journal ?? journalPath(runId);
  const journal = resolve(io.cwd(), journalName);
  if (!existsSync(journal)) {
    throw new UsageError(`Missing journal ${journalName}. Run this in the folder of the run, or pass --journal FILE.`);
  }
  const target = readTarget(values, suite, io);
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
