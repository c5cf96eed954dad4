import { buildErrorRegistry, responseOf } from "../error-registry.js";
import type { LintNode } from "../lint-node.js";
import type { LintRule } from "../rule.js";
import type { LintOperation } from "../spec-index.js";

/** The description of a 400 response names each cause by the `summary` of its error. Other statuses have one cause each. */
export const errorCausesRule: LintRule<"errors/cause"> = {
  codes: { "errors/cause": ["error", "off", "A 400 response does not name a cause."] },
  *check(index) {
    const registry = buildErrorRegistry(index);
    const shared = new Set(
      index.root
        .child("x-errors")
        ?.items()
        .map(({ key }) => key),
    );
    for (const operation of index.operations) {
      const response = responseOf(operation, 400);
      if (response === undefined) continue;
      const description = plain(response.text("description"));
      for (const [id, { status, spot }] of registry.of(operation)) {
        const summary = plain(spot.text("summary"));
        const applies = shared.has(spot.key) ? isSharedBy(operation, spot) : registry.named(operation).has(id);
        if (status !== 400 || summary === "" || !applies || description.includes(summary)) continue;
        yield {
          code: "errors/cause",
          at: operation.node.at(["responses", "400"]),
          message: `The 400 response of ${operation.name ?? operation.method} does not name the cause "${id}".`,
          fix: `Add the summary of the error to the response's description: ${summary}.`,
        };
      }
    }
  },
};

/** An error of the root that blames a parameter concerns the operations that have this parameter. */
function isSharedBy({ parameters }: LintOperation, error: LintNode): boolean {
  const field = error.text("field");
  return field === undefined || parameters.some((each) => each.text("name") === field);
}

/** A text without line breaks and without its last period. */
function plain(text = ""): string {
  return text.trim().replaceAll(/\s+/g, " ").replace(/\.$/, "");
}
