import { pluralize } from "../report/format-text.js";
import type { Suite } from "../suite.js";
import type { CommandIo } from "./io.js";
import type { ParsedOptions, OptionNames } from "./options.js";
import { readShard, selectCases, type CaseSelection } from "./selection.js";

export const selectionOptions: OptionNames = { only: "texts", skip: "texts", "read-only": "flag", shard: "text" };

export const listCommandOptions: OptionNames = { ...selectionOptions, requirements: "flag", json: "flag" };

/** Prints the ids of cases, or the requirements. */
export function runListCommand(suite: Suite, options: ParsedOptions, { stdout }: CommandIo): void {
  const cases = selectCases(suite, readSelection(options));
  if (!options.flag("requirements")) {
    const ids = cases.map((each) => each.id);
    stdout.write(options.flag("json") ? `${JSON.stringify(ids, null, 2)}\n` : `${ids.join("\n")}\n`);
    return;
  }
  const counts = new Map<string, number>();
  for (const id of cases.flatMap((each) => each.requirements)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const rows = Object.entries(suite.requirements).map(([id, { text, untested }]) => {
    const count = counts.get(id) ?? 0;
    return { id, cases: count, text, ...(count === 0 && untested !== undefined ? { untested } : {}) };
  });
  if (options.flag("json")) {
    stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  const width = Math.max(0, ...rows.map(({ id }) => id.length));
  const lines = rows.map(({ id, cases: count, untested }) => {
    const why = untested === undefined ? "none of these cases" : `untested: ${untested}`;
    return `${id.padEnd(width)}  ${count > 0 ? pluralize(count, "case") : why}`;
  });
  stdout.write(`${lines.join("\n")}\n`);
}

export function readSelection(options: ParsedOptions): CaseSelection {
  const shard = options.text("shard");
  return {
    only: options.list("only"),
    skip: options.list("skip"),
    readOnly: options.flag("read-only"),
    shard: shard === undefined ? undefined : readShard(shard),
  };
}
