import type { LintRule } from "../rule.js";
import { followVocabularyReference } from "../vocabulary.js";

/** Durations are ISO 8601 durations with a unit. */
export const durationsRule: LintRule<"limits/unit" | "states/unit"> = {
  codes: {
    "limits/unit": ["error", "off", "The window of a limit is not an ISO 8601 duration with a unit."],
    "states/unit": ["error", "off", "A duration of a state machine is not an ISO 8601 duration with a unit."],
  },
  *check(index) {
    const { schema } = followVocabularyReference({ $ref: "common.schema.json#/$defs/duration" });
    const form = new RegExp(schema.pattern ?? "", "u");
    for (const { field, node, reading } of index.extensions) {
      for (const { kind, path, value } of reading.uses) {
        if (kind !== "duration" || (typeof value === "string" && form.test(value))) continue;
        const bare = /^\d+(\.\d+)?$/.test(String(value));
        const shown = typeof value === "string" || typeof value === "number" ? `"${value}"` : "This";
        yield {
          code: field === "x-limits" ? "limits/unit" : "states/unit",
          at: node.at(path),
          message: bare ? `${shown} has no unit.` : `${shown} is not an ISO 8601 duration.`,
          fix: `Write an ISO 8601 duration, such as ${bare ? `PT${String(value)}S` : "PT30S, PT24H or P30D"}.`,
        };
      }
    }
  },
};
