import type { Duration } from "../api.js";
import { countOf } from "./counts.js";
import { listPhrases, toPlainText } from "./phrase.js";

const units = { W: "week", D: "day", H: "hour", M: "minute", S: "second" } as const;

/** Returns a duration in the units in which it is written: `PT24H` is `24 hours`, `P1D` is `1 day`. */
export function durationInWords({ text, seconds }: Duration): string {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)([WDHMS])/g)]
    .filter(([, count]) => Number(count) > 0)
    .map(([, count, unit]) => [countOf(Number(count), units[unit as keyof typeof units])]);
  return parts.length === 0 ? countOf(seconds, "second") : toPlainText(listPhrases(parts, "and"));
}
