import type { LintRule } from "../rule.js";

/** The keys of `responses` are statuses, ranges, `default` or extension fields. */
export const statusesRule: LintRule<"operations/status"> = {
  codes: { "operations/status": ["error", "warning", "A key of responses is not a status."] },
  *check({ operations }, { ruleset }) {
    for (const { node } of operations) {
      for (const [status, at] of node.get("responses")?.entries() ?? []) {
        if (/^([1-5]([0-9]{2}|XX)|default|x-.*)$/i.test(status)) continue;
        // "200 OK" is read as 200.
        const readAs = /^\s*([1-5]([0-9]{2}|XX))(?![a-z0-9])/i.exec(status)?.[1];
        const decision = readAs === undefined ? "This response is left out." : `It is read as ${readAs}.`;
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
