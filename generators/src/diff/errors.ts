import type { Failure } from "../model/api.js";
import { report, whatAt, type At } from "./comparison.js";
import { text } from "./info.js";
import { matched } from "./matched.js";
import { sameBut } from "./same.js";
import { short } from "./short.js";

/** Compares the documented errors by id. */
export function errors(old: readonly Failure[], next: readonly Failure[], at: At): void {
  const { both, removed, added } = matched(old, next, ({ id }) => id);
  const what = whatAt(at);
  for (const [before, after] of both) {
    const here = after.origin;
    if (before.status !== after.status)
      report(at, "error-status-changed", {
        what: `${what}, ${after.id},`,
        old: before.status,
        new: after.status,
        here,
      });
    // The workflow that verifies it concerns the suite only.
    if (!sameBut(["status", "summary", "proof"], before, after))
      report(at, "error-changed", { what, old: shown(before), new: shown(after), here });
    if (before.summary !== after.summary) text(before, after, { ...at, thing: `the error ${after.id}`, pointer: "" });
  }
  for (const each of added) report(at, "error-added", { what, new: shown(each), here: each.origin });
  for (const each of removed) report(at, "error-removed", { what, old: shown(each), gone: each.origin });
}

function shown({ id, status, field, when, mentions, retry }: Failure): string {
  return [
    `${id} (${status})`,
    ...(field === undefined ? [] : [`about ${field ?? "no field"}`]),
    ...(when === undefined ? [] : [`when ${short(when)}`]),
    ...(mentions.length === 0 ? [] : [`with ${mentions.join(", ")}`]),
    ...(retry ? ["with a retry"] : []),
  ].join(" ");
}
