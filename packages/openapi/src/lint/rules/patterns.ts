import { isJsonObject } from "@plumbline/model";
import { diagnosticCodes } from "../codes.js";
import { matchingCost } from "../patterns/matching-cost.js";
import { regExpFlags } from "@plumbline/model";
import type { LintFinding, LintRule, LintSettings } from "../rule.js";
import type { LintNode } from "../lint-node.js";
import { extensionFieldNames } from "../vocabulary.js";

/** Patterns compile, and match any text in bounded time. */
export const patternsRule: LintRule = function* (survey, { ruleset }) {
  for (const { node, type } of survey.hosts) {
    if (type !== "Schema") continue;
    for (const [key, at] of node.child("patternProperties")?.entries() ?? [])
      if (regExpFlags(key) === undefined && !inExtension(node)) yield unreadablePattern(at, ruleset);
    const pattern = node.text("pattern");
    if (pattern === undefined) continue;
    const at = node.at(["pattern"]);
    const error = findSyntaxError(pattern);
    if (error !== undefined && inExtension(node)) continue; // reported as conditions/compile
    if (regExpFlags(pattern) === undefined) {
      yield unreadablePattern(at, ruleset);
      continue;
    }
    if (error !== undefined) {
      yield {
        code: "patterns/syntax",
        at,
        message: `This is not a valid regular expression: ${error}.`,
        fix: "Patterns are compiled with the u flag: escape only what has to be escaped.",
      };
      continue;
    }
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

/** A pattern that JavaScript cannot evaluate: others' descriptions are generated without it. */
function unreadablePattern(at: LintNode, ruleset: LintSettings["ruleset"]): LintFinding {
  if (ruleset === "minimal") {
    const message = "JavaScript cannot evaluate this pattern, so nothing checks it.";
    const fix =
      "To have it checked, write it in the dialect of JavaScript, in an overlay where you cannot edit the description.";
    return { code: "patterns/unchecked", at, message, fix };
  }
  const written = at.value;
  const error = (typeof written === "string" ? findSyntaxError(written) : undefined) ?? "javascript cannot evaluate it";
  return {
    code: "patterns/syntax",
    at,
    message: `This is not a valid regular expression: ${error}.`,
    fix: "Patterns are compiled with the u flag: escape only what has to be escaped.",
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

function findSyntaxError(pattern: string): string | undefined {
  try {
    void new RegExp(pattern, "u");
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.replace(/^Invalid regular expression: \/.*\/u?: /s, "").toLowerCase();
  }
}
