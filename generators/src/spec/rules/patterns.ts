import { codes } from "../codes.js";
import { growthOf } from "../patterns/growth.js";
import type { Rule } from "../rule.js";
import { isRecord, type Spot } from "../spot.js";
import { fieldNames } from "../vocabulary.js";

/** Patterns compile, and match any text in bounded time. */
export const patterns: Rule = function* (survey, { profile }) {
  for (const { spot, type } of survey.hosts) {
    const pattern = type === "Schema" ? spot.text("pattern") : undefined;
    if (pattern === undefined) continue;
    const at = spot.at(["pattern"]);
    const fault = syntaxFault(pattern);
    if (fault !== undefined && inExtension(spot)) continue; // reported as conditions/compile
    if (fault !== undefined) {
      yield {
        code: "patterns/syntax",
        at,
        message: `This is not a valid regular expression: ${fault}.`,
        fix: "Patterns are compiled with the u flag: escape only what has to be escaped.",
      };
      continue;
    }
    if (codes["patterns/backtracking"][profile] === "off") continue; // the analysis of a pattern may take some seconds
    const growth = growthOf(pattern);
    const { maxLength } = spot.object;
    const longest = typeof maxLength === "number" ? maxLength : Number.POSITIVE_INFINITY;
    if (growth === undefined || growth.steps(longest) <= harmless) continue;
    const message = `The time to match a hostile text ${growth.words}.`;
    yield {
      code: "patterns/backtracking",
      at,
      message,
      fix: "Keep adjacent repetitions from matching the same characters, or add a small maxLength.",
    };
  }
};

/** Maximum number of steps, some ten milliseconds. */
const harmless = 10_000_000;

/** A string with a pattern or a format has a maximum length, which is checked first. */
export const boundedStrings: Rule = function* (survey) {
  for (const { spot, type } of survey.hosts) {
    if (type !== "Schema" || inExtension(spot) || !isRecord(spot.value)) continue;
    const { pattern, format, maxLength, enum: values, const: only } = spot.object;
    const types = [spot.object["type"]].flat();
    if (
      (pattern === undefined && format === undefined) ||
      maxLength !== undefined ||
      values !== undefined ||
      only !== undefined
    )
      continue;
    if (!types.includes("string")) continue;
    const which = pattern === undefined ? "format" : "pattern";
    yield {
      code: "patterns/unbounded",
      at: spot.at([which]),
      message: `This string has a ${which} and no maxLength.`,
      fix: "Add maxLength, so that no long text is ever matched.",
    };
  }
};

const extension = new RegExp(`/(${fieldNames.join("|")})(/|$)`);

function inExtension(spot: Spot): boolean {
  return extension.test(spot.location.pointer);
}

function syntaxFault(pattern: string): string | undefined {
  try {
    void new RegExp(pattern, "u");
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.replace(/^Invalid regular expression: \/.*\/u?: /s, "").toLowerCase();
  }
}
