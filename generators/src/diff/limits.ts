import type { Limit } from "../model/api.js";
import { report, whatAt, type At } from "./comparison.js";
import { matched } from "./matched.js";
import { sameBut } from "./same.js";
import { short } from "./short.js";

export function limits(old: readonly Limit[], next: readonly Limit[], at: At): void {
  const { both, removed, added } = matched(old, next, ({ id }) => id);
  const what = whatAt(at);
  // A limit of the API applies to every operation, and is one difference.
  const isShared = at.place === "operation";
  for (const [before, after] of both) {
    if (sameBut(["window"], before, after) && before.window?.seconds === after.window?.seconds) continue;
    const change = changeOf(before, after);
    report(at, `limit-${change}`, { what, old: shown(before), new: shown(after), here: after.origin, isShared });
  }
  for (const each of added) report(at, "limit-added", { what, new: shown(each), here: each.origin, isShared });
  for (const each of removed) report(at, "limit-removed", { what, old: shown(each), gone: each.origin, isShared });
}

/** The direction of a change. A limit that counts something else, or is both tighter and looser, has `changed`. */
function changeOf(old: Limit, next: Limit): "tightened" | "loosened" | "changed" {
  if (!sameBut(["max", "window"], old, next)) return "changed";
  // A longer window counts more requests; a longer retention keeps objects longer.
  const longer = old.kind === "retention" ? 1 : -1;
  const moves = [
    (next.max ?? Number.POSITIVE_INFINITY) - (old.max ?? Number.POSITIVE_INFINITY) || 0,
    longer * ((next.window?.seconds ?? Number.POSITIVE_INFINITY) - (old.window?.seconds ?? Number.POSITIVE_INFINITY)) ||
      0,
  ];
  if (moves.every((move) => move >= 0)) return "loosened";
  return moves.every((move) => move <= 0) ? "tightened" : "changed";
}

function shown({ id, kind, max, window, per, counts, since, reached, until, by, within, error }: Limit): string {
  return [
    `${id} (${kind})`,
    ...(max === undefined ? [] : [`at most ${max}`]),
    ...(window === undefined ? [] : [`in ${window.text}`]),
    ...(per === undefined ? [] : [`per ${per.text}`]),
    ...(counts === undefined ? [] : [`that end with ${short([...counts.errors, ...counts.effects].join(", "))}`]),
    ...(since === undefined ? [] : [`since ${short(since.join(", "))}`]),
    ...(reached === undefined ? [] : [`then ${reached}`]),
    ...(until === undefined ? [] : [`until ${until.settled.text}`]),
    ...(by === undefined ? [] : [`by ${short(by.join(", "))}`]),
    ...(within === undefined ? [] : [`within the ${within}`]),
    ...(error === undefined ? [] : [`or ${error}`]),
  ].join(" ");
}
