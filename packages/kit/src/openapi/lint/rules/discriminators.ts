import { findUnlistedValues } from "../../read/property-values.js";
import { redoclyCodes } from "../redocly/codes.js";
import type { LintRule } from "../rule.js";

/** Entries of `mapping` resolve to schemas, by reference or by name, which allow their values. */
export const discriminatorsRule: LintRule<"discriminators/unlisted" | "openapi/no-unresolved-refs"> = {
  codes: {
    "discriminators/unlisted": ["error", "warning", "A mapping has a value that its schema does not allow."],
    "openapi/no-unresolved-refs": redoclyCodes["openapi/no-unresolved-refs"],
  },
  *check(index, { ruleset }) {
    for (const { node } of index.hosts.filter((host) => host.type === "Schema")) {
      for (const [, entry] of node.child("discriminator")?.child("mapping")?.entries() ?? []) {
        if (typeof entry.value !== "string" || index.schemas.has(entry.value)) continue;
        if (entry.withValue({ $ref: entry.value }).follow() !== undefined) continue;
        const message = `There is no schema "${entry.value}".`;
        const fix = "Write the name of a schema under components/schemas, or a reference to one.";
        yield { code: "openapi/no-unresolved-refs", at: entry, message, fix };
      }
      for (const { entry, value, enums } of findUnlistedValues(node)) {
        const reading =
          enums.length > 0
            ? "It is read as if the enum listed the value, too."
            : "The values of the enum select the schema instead.";
        const message = `The schema does not allow the value "${value}".`;
        const fix = `${ruleset === "minimal" ? `${reading} ` : ""}Add the value to the enum, or correct the mapping.`;
        yield { code: "discriminators/unlisted", at: entry, message, fix };
      }
    }
  },
};
