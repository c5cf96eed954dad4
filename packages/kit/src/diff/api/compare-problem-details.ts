import type { Api } from "../../model/index.js";
import { reportDifference, type ComparisonContext } from "../description-comparison.js";

/** Compares the form of errors, and the types of problems. */
export function compareProblemDetails(old: Api, next: Api, at: ComparisonContext): void {
  const [before, after] = [old.problemDetails, next.problemDetails];
  const newOrigin = (after ?? next).origin;
  if (before === undefined || after === undefined)
    reportDifference(at, before === undefined ? "problem-details-added" : "problem-details-removed", { newOrigin });
  else if (before.types !== after.types)
    reportDifference(at, "problem-types-changed", {
      old: before.types ?? "about:blank",
      new: after.types ?? "about:blank",
      newOrigin,
    });
}
