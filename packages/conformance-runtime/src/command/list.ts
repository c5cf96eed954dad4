import { many } from "../report/words.js";
import type { Suite } from "../suite.js";
import type { CommandIo } from "./io.js";
import type { Given, OptionNames } from "./options.js";
import { selectCases, type Selection } from "./selection.js";

export const selectionOptions: OptionNames = { only: "texts", skip: "texts", safe: "flag" };

export const listOptions: OptionNames = { ...selectionOptions, requirements: "flag", json: "flag" };

/** Prints the ids of cases, or the requirements. */
export function list(suite: Suite, given: Given, { stdout }: CommandIo): void {
  const cases = selectCases(suite, selectionOf(given));
  if (!given.flag("requirements")) {
    const ids = cases.map((each) => each.id);
    stdout.write(given.flag("json") ? `${JSON.stringify(ids, null, 2)}\n` : `${ids.join("\n")}\n`);
    return;
  }
  const counts = new Map<string, number>();
  for (const id of cases.flatMap((each) => each.requirements)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const rows = Object.entries(suite.requirements).map(([id, { says, untested }]) => {
    const count = counts.get(id) ?? 0;
    return { id, cases: count, says, ...(count === 0 && untested !== undefined ? { untested } : {}) };
  });
  if (given.flag("json")) {
    stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  const width = Math.max(0, ...rows.map(({ id }) => id.length));
  const lines = rows.map(({ id, cases: count, untested }) => {
    const why = untested === undefined ? "none of these cases" : `untested: ${untested}`;
    return `${id.padEnd(width)}  ${count > 0 ? many(count, "case") : why}`;
  });
  stdout.write(`${lines.join("\n")}\n`);
}

export function selectionOf(given: Given): Selection {
  return { only: given.list("only"), skip: given.list("skip"), safe: given.flag("safe") };
}
