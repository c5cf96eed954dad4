import type { LintNode } from "../lint-node.js";
import type { LintRule } from "../rule.js";
import { lintSchemaParts } from "../spec-index.js";

/** A schema is one of its own branches. No value determines its type, TypeScript rejects it, and a validator does not terminate. */
export const circularSchemasRule: LintRule<"description/circular"> = {
  codes: { "description/circular": ["error", "error", "A reference or a schema leads only back to itself."] },
  *check(index) {
    for (const schema of new Set(index.schemas.values())) {
      if (!isBranchOfItself(schema)) continue;
      const message = "This schema is one of its own branches, with nothing between.";
      const fix = "Take the branch out, or put a property between.";
      yield { code: "description/circular", at: schema, message, fix };
    }
  },
};

function isBranchOfItself(schema: LintNode): boolean {
  const visited = new Set<string>();
  const pending = [...lintSchemaParts(schema)];
  for (let spot = pending.pop(); spot !== undefined; spot = pending.pop()) {
    for (const hop of spot.resolutionChain()) {
      if (hop.key === schema.key) return true;
      if (visited.has(hop.key)) continue;
      visited.add(hop.key);
      pending.push(...lintSchemaParts(hop));
    }
  }
  return false;
}
