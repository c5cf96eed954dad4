import { defineCommand, flag, list, parsed, type Command, type Option } from "@plumbline/command-line";
import { tagOfCase } from "../report/counts.js";
import { pluralize } from "../report/format-text.js";
import type { Case, Suite } from "../suite.js";
import type { CommandIo } from "./io.js";
import { readShard, selectCases, type Shard } from "./selection.js";

/** The options that select cases. */
export type SelectionOptions = Readonly<{
  only: Option<readonly string[] | undefined>;
  skip: Option<readonly string[] | undefined>;
  readOnly: Option<boolean>;
  noFrame: Option<boolean>;
  shard: Option<Shard | undefined>;
}>;

export function selectionOptions(suite: Suite): SelectionOptions {
  // Scripts for shells contain words without quotes.
  const words = suite.cases
    .flatMap((each) => [tagOfCase(each, suite), each.kind])
    .filter((word) => /^[\w./:-]+$/.test(word));
  const names = [...new Set(words)].toSorted();
  return {
    only: list(
      "LIST",
      "runs only matching cases: ids or prefixes, requirements, areas, operations or kinds, with * for any text, separated by commas; may be repeated. An operation selects the cases of others that test it, too",
      names,
    ),
    skip: list("LIST", "excludes matching cases, likewise", names),
    readOnly: flag("runs only cases that change nothing on the server"),
    noFrame: flag("leaves out the cases that read everything before and after an operation, a third of all requests"),
    shard: parsed(
      "I/N",
      "runs only part I of N of these cases, such as 2/3: each machine of several runs another part",
      readShard,
    ),
  };
}

/** Creates the command that prints the ids of cases, or the requirements. */
export function createListCommand(suite: Suite): Command<CommandIo> {
  return defineCommand({
    text: "Prints the id of each case, a line each.",
    options: {
      ...selectionOptions(suite),
      requirements: flag("prints each requirement with the number of its cases, or why it has none"),
      json: flag("a JSON array"),
    },
    examples: [
      `${suite.command} list --only ${exampleNames(suite).area} --skip limits`,
      `${suite.command} list --requirements`,
    ],
    run: (values, { stdout }: CommandIo) => {
      stdout.write(formatCases(selectCases(suite, values), suite, values));
      return 0;
    },
  });
}

/** A case and an area of a suite, for examples. */
export function exampleNames({ cases }: Suite): { readonly id: string; readonly area: string } {
  const id = cases[0]?.id ?? "area/operation/case";
  return { id, area: id.split("/")[0] ?? id };
}

function formatCases(
  cases: readonly Case[],
  suite: Suite,
  { requirements, json }: { readonly requirements: boolean; readonly json: boolean },
): string {
  if (!requirements) {
    const ids = cases.map((each) => each.id);
    return json ? `${JSON.stringify(ids, null, 2)}\n` : `${ids.join("\n")}\n`;
  }
  const counts = new Map<string, number>();
  for (const id of cases.flatMap((each) => each.requirements)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const rows = Object.entries(suite.requirements).map(([id, { text, untested }]) => {
    const count = counts.get(id) ?? 0;
    return { id, cases: count, text, ...(count === 0 && untested !== undefined ? { untested } : {}) };
  });
  if (json) return `${JSON.stringify(rows, null, 2)}\n`;
  const width = Math.max(0, ...rows.map(({ id }) => id.length));
  const lines = rows.map(({ id, cases: count, untested }) => {
    const why = untested === undefined ? "none of these cases" : `untested: ${untested}`;
    return `${id.padEnd(width)}  ${count > 0 ? pluralize(count, "case") : why}`;
  });
  return `${lines.join("\n")}\n`;
}
