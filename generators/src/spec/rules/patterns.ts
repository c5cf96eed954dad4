import { createRequire } from "node:module";
import type { Rule } from "../rule.js";
import { isRecord, type Spot } from "../spot.js";
import { fieldNames } from "../vocabulary.js";

// The pure JavaScript build: the package's main file would look for a Java program or a native one, and answer by what it finds.
const { checkSync } = createRequire(import.meta.url)("recheck/lib/browser.js") as typeof import("recheck");

/** Patterns compile, and no text makes them run for ages. */
export const patterns: Rule = function* (survey) {
  for (const { spot, type } of survey.hosts) {
    const pattern = type === "Schema" ? spot.text("pattern") : undefined;
    if (pattern === undefined) continue;
    const at = spot.at(["pattern"]);
    const fault = syntaxFault(pattern);
    if (fault !== undefined) {
      yield { code: "patterns/syntax", at, message: `This is no regular expression: ${fault}.`, fix: "Patterns are compiled with the u flag: escape only what has to be escaped." };
      continue;
    }
    const attack = attackOn(pattern);
    if (attack !== undefined) yield { code: "patterns/backtracking", at, message: attack, fix: "Make what is repeated begin or end with something that cannot also be matched by its neighbour." };
  }
};

/** A string with a pattern or a format has a bound that is judged first. */
export const boundedStrings: Rule = function* (survey) {
  for (const { spot, type } of survey.hosts) {
    if (type !== "Schema" || inExtension(spot) || !isRecord(spot.value)) continue;
    const { pattern, format, maxLength, enum: values, const: only } = spot.object;
    const types = [spot.object["type"]].flat();
    if ((pattern === undefined && format === undefined) || maxLength !== undefined || values !== undefined || only !== undefined) continue;
    if (!types.includes("string")) continue;
    const which = pattern === undefined ? "format" : "pattern";
    yield { code: "patterns/unbounded", at: spot.at([which]), message: `This string has a ${which} and no maxLength.`, fix: "Add maxLength, so that no long text is ever matched." };
  }
};

const extension = new RegExp(`/(${fieldNames.join("|")})(/|$)`);

function inExtension(spot: Spot): boolean {
  return extension.test(spot.location.pointer);
}

function syntaxFault(pattern: string): string | undefined {
  try {
    new RegExp(pattern, "u");
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.replace(/^Invalid regular expression: \/.*\/u?: /s, "").toLowerCase();
  }
}

const judged = new Map<string, string | undefined>();

/** What a hostile text can do to a pattern; a pattern is judged once, since it takes up to a second. */
function attackOn(pattern: string): string | undefined {
  if (judged.has(pattern)) return judged.get(pattern);
  const answer = mayRepeat(pattern) ? describe(pattern) : undefined;
  judged.set(pattern, answer);
  return answer;
}

/** Without two repetitions there is nothing to go back and forth between. */
function mayRepeat(pattern: string): boolean {
  return (pattern.match(/[*+}]/g)?.length ?? 0) > 1;
}

function describe(pattern: string): string | undefined {
  const { status, complexity } = checkSync(pattern, "u", { timeout: 5000, seed: 1 });
  if (status !== "vulnerable") return undefined;
  const growth = complexity?.type === "exponential" ? "exponential in" : `the length to the power of ${complexity && "degree" in complexity ? complexity.degree : 2} of`;
  return `Matching this pattern can take time ${growth} the text.`.replace("of the text", "for a text");
}
