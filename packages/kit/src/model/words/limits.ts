import type { Limit, LimitKind } from "../api.js";
import { type CollectedLimit, uniqueKeyFields } from "../schemas/limits.js";
import { bytesInWords, countOf } from "./counts.js";
import { durationInWords } from "./durations.js";
import { describePer, type ExpressionContext } from "./expressions.js";
import { nameInWords, withArticle } from "./names.js";
import { codePhrase, listPhrases, phrase, type Phrase } from "./phrase.js";

/** Describes a limit without a full stop: `at most 10 requests within 30 seconds per user`. */
export function describeLimit(collected: CollectedLimit, context: ExpressionContext = {}): Phrase {
  const { limit, resource } = collected;
  const per = limit.per === undefined ? [] : describePer(limit.per, { ...context, target: context.target ?? resource });
  return phrase`${limitWords[limit.kind](collected)}${per}`;
}

const limitWords = {
  // A rate of a resource counts what happens to its objects, not requests.
  rate: ({ limit, resource }) =>
    phrase`at most ${countOf(limit.max ?? 0, resource === undefined && limit.per?.root !== "target" ? "request" : "time")}${windowOf(limit)}`,
  "outcome-rate": ({ limit }) => {
    const outcomes = [...(limit.counts?.errors ?? []), ...(limit.counts?.effects ?? [])];
    const max = limit.max ?? 0;
    const kinds =
      outcomes.length === 0
        ? []
        : phrase` that ${max === 1 ? "ends" : "end"} with ${listPhrases(outcomes.map(codePhrase), "or")}`;
    return phrase`at most ${countOf(max, "request")}${kinds}${windowOf(limit)}`;
  },
  concurrency: ({ limit }) => phrase`at most ${limit.max ?? 0} at a time`,
  unique: (collected) => {
    const {
      limit: { within = "owner" },
      resource,
    } = collected;
    const fields = uniqueKeyFields(collected).map(codePhrase);
    if (fields.length === 0) return phrase`each value is unique ${withinWords(within)}`;
    const owner = resource === undefined || within === "array" ? "" : ` of ${withArticle(nameInWords(resource))}`;
    return phrase`${listPhrases(fields, "and")}${owner} ${fields.length > 1 ? "together are" : "is"} unique ${withinWords(within)}`;
  },
  "combined-length": ({ limit: { max = 0, by = [] } }) =>
    by.length === 0
      ? phrase`at most ${countOf(max, "character")} in all items together`
      : phrase`at most ${countOf(max, "character")} in ${listPhrases(by.map(codePhrase), "and")} together`,
  "serialized-length": ({ limit }) => phrase`at most ${countOf(limit.max ?? 0, "character")} as JSON`,
  bytes: ({ limit }) => phrase`at most ${bytesInWords(limit.max ?? 0)}${windowOf(limit)}`,
  retention: ({ limit: { max, window, within, by = [] } }) => {
    const since = by.length === 0 ? [] : phrase` after ${listPhrases(by.map(codePhrase), "and")}`;
    const time = window === undefined ? [] : phrase` for ${durationInWords(window)}${since}`;
    if (max === undefined) return phrase`kept${time}`;
    const place =
      within === undefined || within === "platform" ? "" : ` of each ${within === "array" ? "list" : within}`;
    return phrase`the latest ${max === 1 ? "one" : max}${place} ${max === 1 ? "is" : "are"} kept${time}`;
  },
} as const satisfies Readonly<Record<LimitKind, (collected: CollectedLimit) => Phrase>>;

const scopeWords: Readonly<Record<string, string>> = {
  array: "in its list",
  parent: "within its parent",
  platform: "across the platform",
};

function withinWords(within: string): string {
  return scopeWords[within] ?? `within the ${nameInWords(within)}`;
}

function windowOf({ window }: Limit): string {
  return window === undefined ? "" : ` within ${durationInWords(window)}`;
}
