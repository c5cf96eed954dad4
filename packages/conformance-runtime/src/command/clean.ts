import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { many, oneLine } from "../report/words.js";
import type { Suite } from "../suite.js";
import type { Engine } from "./engine.js";
import type { CommandIo } from "./io.js";
import type { Given, OptionNames } from "./options.js";
import { requireCredentials, targetOf, targetOptions } from "./target.js";
import { UsageError, brokenOff } from "./usage.js";

export const cleanOptions: OptionNames = { ...targetOptions, "run-id": "text", journal: "text" };

/** The default path of a run's journal. */
export function journalOf(runId: string): string {
  return `.conformance/${runId}.jsonl`;
}

/** Deletes what a run has left on the server. Exit code 1 when a deletion failed. */
export async function clean(
  suite: Suite,
  given: Given,
  { io, engine }: { io: CommandIo; engine: Engine },
): Promise<number> {
  const runId = given.text("run-id");
  if (runId === undefined) throw new UsageError("Missing option --run-id. Pass the id that the run has printed.");
  if (!/^[a-z0-9]{8}$/.test(runId)) {
    throw new UsageError(
      `--run-id ${JSON.stringify(runId)} is not a run id. A run id has eight lowercase letters and digits.`,
    );
  }
  const shown = given.text("journal") ?? journalOf(runId);
  const journal = resolve(io.cwd(), shown);
  if (!existsSync(journal)) {
    throw new UsageError(`Missing journal ${shown}. Run this in the folder of the run, or pass --journal FILE.`);
  }
  const target = targetOf(given, suite, io);
  requireCredentials(target, suite);
  const { url, controls, credentials } = target;
  const where = { url, credentials, ...(controls === undefined ? {} : { controls }) };
  const { removed, left } = await engine.cleanUp(suite, { journal, runId, ...where }).catch((error: unknown) => {
    throw brokenOff(error, "Fix the cause and run the command again.");
  });
  io.stdout.write(`${many(removed, "thing")} of run ${runId} deleted${left.length === 0 ? ", none left." : "."}\n`);
  for (const each of left) io.stderr.write(`${oneLine(each)}\n`);
  return left.length === 0 ? 0 : 1;
}
