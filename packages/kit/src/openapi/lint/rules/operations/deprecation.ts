import { readInstant } from "../../../read/instant.js";
import type { LintNode } from "../../lint-node.js";
import type { LintFinding, LintRule } from "../../rule.js";

/** `x-deprecation` is on a deprecated operation, its dates exist in their order, and its replacement is another operation. */
export const deprecationRule: LintRule<"deprecation/unmarked" | "deprecation/dates" | "deprecation/replacement"> = {
  codes: {
    "deprecation/unmarked": ["error", "warning", "An operation has x-deprecation and is not deprecated."],
    "deprecation/dates": [
      "error",
      "warning",
      "A date of a deprecation does not exist, or a sunset is before the deprecation.",
    ],
    "deprecation/replacement": ["error", "warning", "A deprecated operation replaces itself."],
  },
  *check(index) {
    for (const { host, node } of index.byField("x-deprecation")) {
      if (host.node.object["deprecated"] !== true)
        yield {
          code: "deprecation/unmarked",
          at: node,
          message: "x-deprecation is on an operation that is not deprecated.",
          fix: "Add `deprecated: true` to the operation, or remove x-deprecation.",
        };
      yield* dateFindings(node);
      const replacement = node.text("replacement");
      // An unknown operationId is reported as `operations/unknown`.
      if (replacement === undefined || index.operation(replacement)?.node.key !== host.node.key) continue;
      yield {
        code: "deprecation/replacement",
        at: node.at(["replacement"]),
        message: `"${replacement}" replaces itself.`,
        fix: "Name the operation that callers should use instead.",
      };
    }
    for (const { node } of index.operations) {
      const sunset = node.text("x-sunset");
      if (sunset === undefined || readInstant(sunset) !== undefined) continue;
      yield { ...unknownDate(sunset), at: node.at(["x-sunset"]) };
    }
  },
};

function* dateFindings(node: LintNode): Iterable<LintFinding<"deprecation/dates">> {
  const [since, sunset] = ["since", "sunset"].map((key) => ({ key, text: node.text(key) }));
  for (const each of [since, sunset]) {
    if (each?.text === undefined || !isDateLike.test(each.text) || readInstant(each.text) !== undefined) continue;
    yield { ...unknownDate(each.text), at: node.at([each.key]) };
  }
  const [start, end] = [readInstant(since?.text), readInstant(sunset?.text)];
  if (start !== undefined && end !== undefined && end.seconds < start.seconds)
    yield {
      code: "deprecation/dates",
      at: node.at(["sunset"]),
      message: `The sunset, ${end.text}, is before the deprecation, ${start.text}.`,
      fix: "Write a later sunset.",
    };
}

// Texts of another form are reported as `extension/schema`.
const isDateLike = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?$/;

function unknownDate(text: string): Omit<LintFinding<"deprecation/dates">, "at"> {
  return {
    code: "deprecation/dates",
    message: `"${text}" is not a date of the calendar.`,
    fix: "Write a date such as 2027-06-30, or a time in UTC such as 2027-06-30T12:00:00Z.",
  };
}
