import { findInterpretation } from "../redocly/interpretations.js";
import { redoclyCodes } from "../redocly/codes.js";
import type { LintRule } from "../rule.js";

/** The keys of `responses` are statuses, ranges or `default`. */
export const statusesRule: LintRule<"operations/status"> = {
  codes: {
    "operations/status": {
      strict: "error",
      minimal: "warning",
      summary: "A key of responses is not a status.",
    },
  },
  *check({ operations }, { ruleset }) {
    for (const { node } of operations) {
      for (const [status, at] of node.get("responses")?.entries() ?? []) {
        if (/^([1-5]([0-9]{2}|XX)|default|x-.*)$/i.test(status)) continue;
        const read = /^\s*([1-5]([0-9]{2}|XX))(?![a-z0-9])/i.exec(status)?.[1];
        const decision = read === undefined ? "This response is left out." : `It is read as ${read}.`;
        const fix = "Write a status such as 200, a range such as 4XX, or default.";
        yield {
          code: "operations/status",
          at,
          message: `"${status}" is not a status code.`,
          fix: ruleset === "strict" ? fix : `${decision} To decide otherwise: ${fix.replace("Write", "write")}`,
        };
      }
    }
  },
};

/** From OpenAPI 3.1 on there is no `nullable`. Redocly reports it, but not beside a reference. */
export const nullableReferencesRule: LintRule<"openapi/struct"> = {
  codes: {
    "openapi/struct": redoclyCodes["openapi/struct"],
  },
  *check({ root, hosts }, { ruleset }) {
    if (root.text("openapi")?.startsWith("3.0") !== false) return;
    for (const { node, type } of hosts) {
      const at = type === "Schema" && node.reference !== undefined ? node.child("nullable") : undefined;
      if (at === undefined) continue;
      const message = "Property `nullable` is not expected here.";
      const fix =
        ruleset === "strict"
          ? "Write `anyOf` with the reference and `type: 'null'`."
          : findInterpretation({ rule: "struct", message, pointer: at.location.pointer, document: undefined });
      yield { code: "openapi/struct", at, message, ...(fix !== undefined && { fix }) };
    }
  },
};
