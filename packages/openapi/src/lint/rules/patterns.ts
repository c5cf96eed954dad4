import { isJsonObject, isValidPattern, toUnicodePattern } from "@plumbline/model";
import { diagnosticCodes } from "../codes.js";
import { matchingCost } from "../patterns/matching-cost.js";
import type { LintFinding, LintRule, LintSettings } from "../rule.js";
import type { LintNode } from "../lint-node.js";
import { extensionFieldNames } from "../vocabulary.js";

/** Patterns compile, and match any text in bounded time. */
export const patternsRule: LintRule = function* (survey, { ruleset }) {
  for (const { node, type } of survey.hosts) {
    if (type !== "Schema") continue;
    const keys = node.child("patternProperties")?.entries() ?? [];
    const pattern = node.text("pattern");
    const at = node.at(["pattern"]);
    const invalid = [...keys, ...(pattern === undefined ? [] : [[pattern, at] as const])].filter(
      ([each]) => !isValidPattern(each),
    );
    // Those of conditions are reported as conditions/compile.
    if (!inExtension(node)) for (const [each, place] of invalid) yield invalidPattern(each, place, ruleset);
    if (pattern === undefined || !isValidPattern(pattern)) continue;
    if (diagnosticCodes["patterns/backtracking"][ruleset] === "off") continue; // the analysis of a pattern may take some seconds
    const growth = matchingCost(pattern);
    const { maxLength } = node.object;
    const longest = typeof maxLength === "number" ? maxLength : Number.POSITIVE_INFINITY;
    if (growth === undefined || growth.steps(longest) <= maxMatchingSteps) continue;
    const message = `The time to match a hostile text ${growth.description}.`;
    yield {
      code: "patterns/backtracking",
      at,
      message,
      fix: "Keep adjacent repetitions from matching the same characters, or add a small maxLength.",
    };
  }
};

/** In others' descriptions a pattern that JavaScript cannot evaluate is left out, and another one is rewritten. */
function invalidPattern(pattern: string, at: LintNode, ruleset: LintSettings["ruleset"]): LintFinding {
  const evaluated = toUnicodePattern(pattern);
  if (ruleset === "minimal" && evaluated === undefined) {
    const message = "JavaScript cannot evaluate this pattern, so nothing checks it.";
    const fix =
      "To have it checked, write it in the dialect of JavaScript, in an overlay where you cannot edit the description.";
    return { code: "patterns/unchecked", at, message, fix };
  }
  const message = `This is not a valid regular expression: ${findSyntaxError(pattern)}.`;
  const fix = "Patterns are compiled with the u flag: escape only what has to be escaped.";
  return {
    code: "patterns/syntax",
    at,
    message,
    fix: ruleset === "minimal" ? `It is read as ${evaluated}. ${fix}` : fix,
  };
}

/** Maximum number of steps, some ten milliseconds. */
const maxMatchingSteps = 10_000_000;

/** A string with a pattern or a format has a maximum length, which is checked first. */
export const boundedStringsRule: LintRule = function* (survey) {
  for (const { node, type } of survey.hosts) {
    if (type !== "Schema" || inExtension(node) || !isJsonObject(node.value)) continue;
    const { pattern, format, maxLength, enum: values, const: only } = node.object;
    const types = [node.object["type"]].flat();
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
      at: node.at([which]),
      message: `This string has a ${which} and no maxLength.`,
      fix: "Add maxLength, so that no long text is ever matched.",
    };
  }
};

const extensionPointer = new RegExp(`/(${extensionFieldNames.join("|")})(/|$)`);

function inExtension(spot: LintNode): boolean {
  return extensionPointer.test(spot.location.pointer);
}

function findSyntaxError(pattern: string): string {
  try {
    return String(new RegExp(pattern, "u"));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.replace(/^Invalid regular expression: \/.*\/u?: /s, "").toLowerCase();
  }
}
