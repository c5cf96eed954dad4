import type { LintRule } from "../rule.js";
import { followVocabularyReference } from "../vocabulary.js";

/** Durations are ISO 8601 durations with a unit. */
export const durationsRule: LintRule<"limits/unit" | "states/unit"> = {
  codes: {
    "limits/unit": ["error", "warning", "The window of a limit is not an ISO 8601 duration with a unit."],
    "states/unit": ["error", "warning", "A duration of a state machine is not an ISO 8601 duration with a unit."],
  },
  *check(index) {
    const { schema } = followVocabularyReference({ $ref: "common.schema.json#/$defs/duration" });
    const form = new RegExp(schema.pattern ?? "", "u");
    for (const { extension, at, value } of index.usesOf("duration")) {
      if (typeof value === "string" && form.test(value)) continue;
      const isNumber = /^\d+(\.\d+)?$/.test(String(value));
      const subject = typeof value === "string" || typeof value === "number" ? `"${value}"` : "This";
      yield {
        code: extension.field === "x-limits" ? "limits/unit" : "states/unit",
        at,
        message: isNumber ? `${subject} has no unit.` : `${subject} is not an ISO 8601 duration.`,
        fix: `Write an ISO 8601 duration, such as ${isNumber ? `PT${String(value)}S` : "PT30S, PT24H or P30D"}.`,
      };
    }
  },
};
