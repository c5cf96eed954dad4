import type { LintRule } from "../rule.js";

/** Ids of effects are unique, and an effect has `does` or `verifiedBy`. */
export const effectsRule: LintRule<"effects/duplicate" | "effects/proof"> = {
  codes: {
    "effects/duplicate": ["error", "warning", "Two effects share an id."],
    "effects/proof": ["error", "off", "An effect has neither `does` nor `verifiedBy`."],
  },
  *check(index) {
    const ids = new Set<string>();
    for (const { node } of index.byField("x-effects")) {
      for (const effect of node.items()) {
        const id = effect.text("id");
        if (id === undefined) continue;
        if (ids.has(id))
          yield {
            code: "effects/duplicate",
            at: effect.at(["id"]),
            message: `Another effect is called "${id}" too.`,
            fix: "Give one of them another id.",
          };
        ids.add(id);
        if (effect.has("does") || effect.has("verifiedBy")) continue;
        yield {
          code: "effects/proof",
          at: effect,
          message: `Nothing says what "${id}" does.`,
          fix: "Add `does` and `to`, or `verifiedBy` with the id of a workflow.",
        };
      }
    }
  },
};
