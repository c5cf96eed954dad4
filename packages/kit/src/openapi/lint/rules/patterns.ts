import { isJsonObject, isLinearPattern, isValidPattern, toUnicodePattern } from "../../../model/index.js";
import { fastTextLength } from "../../patterns/backtracking.js";
import type { LintNode } from "../lint-node.js";
import type { LintFinding, LintRule, LintSettings } from "../rule.js";
import { extensionFieldNames } from "../vocabulary.js";

/** Patterns compile, and match any text in linear time. */
export const patternsRule: LintRule<
  "patterns/syntax" | "patterns/unchecked" | "patterns/backtracking" | "patterns/unmatchable"
> = {
  codes: {
    "patterns/syntax": ["error", "warning", "A pattern is not a valid regular expression with the u flag."],
    "patterns/unchecked": ["off", "warning", "JavaScript cannot evaluate a pattern, so nothing checks it."],
    "patterns/backtracking": [
      "error",
      "warning",
      "A pattern can take a backtracking matcher excessive time on a hostile text.",
    ],
    "patterns/unmatchable": ["error", "error", "No matcher matches all texts of a pattern in a short time."],
  },
  *check(index, { ruleset }) {
    for (const { node, type } of index.hosts) {
      if (type !== "Schema") continue;
      const pattern = node.text("pattern");
      const { maxLength } = node.object;
      const longest = typeof maxLength === "number" ? maxLength : Infinity;
      const stated = [
        ...(node.child("patternProperties")?.entries() ?? []).map(([key, at]) => ({
          pattern: key,
          at,
          longest: Infinity,
        })),
        ...(pattern === undefined ? [] : [{ pattern, at: node.at(["pattern"]), longest }]),
      ];
      for (const each of stated) {
        // Those of conditions are reported as conditions/compile.
        if (!isValidPattern(each.pattern) && !inExtension(node)) yield invalidPattern(each.pattern, each.at, ruleset);
        const evaluated = toUnicodePattern(each.pattern);
        if (evaluated !== undefined) yield* slowPattern({ ...each, pattern: evaluated });
      }
    }
  },
};

interface MatchedPattern {
  readonly pattern: string;
  readonly at: LintNode;
  /** The length of the longest text in characters. */
  readonly longest: number;
}

/** Reports a pattern that generated code cannot match as `RegExp` does. */
function* slowPattern({
  pattern,
  at,
  longest,
}: MatchedPattern): Iterable<LintFinding<"patterns/backtracking" | "patterns/unmatchable">> {
  const fastLength = fastTextLength(pattern);
  if (longest <= fastLength) return;
  if (isLinearPattern(pattern)) {
    const message = `Most matchers of this pattern are only sure to be fast with texts of up to ${fastLength} characters: with longer ones, some may become slow.`;
    const fix = "Keep adjacent repetitions from matching the same characters, or add a small maxLength.";
    yield {
      code: "patterns/backtracking",
      at,
      message,
      fix: `Generated code matches it in linear time; others do not. ${fix}`,
    };
  } else if (fastLength < minFastLength) {
    const message = "No matcher of this pattern is fast for all texts, not even for short ones.";
    yield {
      code: "patterns/unmatchable",
      at,
      message,
      fix: "Write it without backreferences, or as several shorter patterns.",
    };
  } else {
    const message = `Every matcher of this pattern becomes slow with some texts of more than ${fastLength} characters, so longer texts never match.`;
    const fix = `Write it without backreferences, or add "maxLength: ${fastLength}".`;
    yield { code: "patterns/backtracking", at, message, fix };
  }
}

/** A pattern of which only shorter texts can be matched is of no use. */
const minFastLength = 16;

/** In others' descriptions a pattern that JavaScript cannot evaluate is left out, and another one is rewritten. */
function invalidPattern(
  pattern: string,
  at: LintNode,
  ruleset: LintSettings["ruleset"],
): LintFinding<"patterns/syntax" | "patterns/unchecked"> {
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

/** A string with a pattern or a format has a maximum length, which is checked first. */
export const boundedStringsRule: LintRule<"patterns/unbounded"> = {
  codes: { "patterns/unbounded": ["error", "off", "A string has a pattern or a format, and no maxLength."] },
  *check(index) {
    for (const { node, type } of index.hosts) {
      if (type !== "Schema" || inExtension(node) || !isJsonObject(node.value)) continue;
      const { pattern, format, maxLength, enum: values, const: only } = node.object;
      const types = [node.object["type"]].flat();
      if (
        (pattern === undefined && format === undefined) ||
        maxLength !== undefined ||
        (format === "binary" && pattern === undefined) || // a file, which is no text
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
  },
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
