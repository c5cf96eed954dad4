import type { LintRule } from "../rule.js";

/** Entries of `mapping` resolve to schemas, by reference or by name. */
export const discriminatorsRule: LintRule = function* (survey) {
  for (const { node } of survey.hosts.filter((host) => host.type === "Schema")) {
    for (const [, entry] of node.child("discriminator")?.child("mapping")?.entries() ?? []) {
      if (typeof entry.value !== "string" || survey.schemas.has(entry.value)) continue;
      if (entry.withValue({ $ref: entry.value }).follow() !== undefined) continue;
      const message = `There is no schema "${entry.value}".`;
      const fix = "Write the name of a schema under components/schemas, or a reference to one.";
      yield { code: "openapi/no-unresolved-refs", at: entry, message, fix };
    }
  }
};
