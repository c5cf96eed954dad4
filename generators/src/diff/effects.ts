import type { Effect, Operation } from "../model/api.js";
import { report, whatAt, type At } from "./comparison.js";
import { text } from "./info.js";
import { matched } from "./matched.js";
import { sameBut } from "./same.js";
import { short } from "./short.js";

/** Compares the effects of an operation by id. */
export function effects(old: Operation, next: Operation, at: At): void {
  const { both, removed, added } = matched(old.effects, next.effects, ({ id }) => id);
  const what = whatAt(at);
  for (const [before, after] of both) {
    // The workflow that verifies it concerns the suite only.
    if (!sameBut(["summary", "proof"], before, after))
      report(at, "effect-changed", { what, old: shown(before), new: shown(after), here: after.origin });
    if (before.summary !== after.summary) text(before, after, { ...at, thing: `the effect ${after.id}` });
  }
  for (const each of added) report(at, "effect-added", { what, new: shown(each), here: each.origin });
  for (const each of removed) report(at, "effect-removed", { what, old: shown(each), gone: each.origin });
}

function shown({ id, does, to, of, where, except, count, values, when }: Effect): string {
  return [
    id,
    ...(does === undefined ? [] : [`(${does}${to === undefined ? "" : ` ${to}`})`]),
    ...(of === undefined ? [] : [`of ${of.text}`]),
    ...(where === undefined ? [] : [`where ${short(where)}`]),
    ...(except === undefined ? [] : [`except ${except.text}`]),
    ...(count === undefined ? [] : [`${short(count)} times`]),
    ...(Object.keys(values).length === 0 ? [] : [short(values)]),
    ...(when === undefined ? [] : [`when ${short(when)}`]),
  ].join(" ");
}
