import { describeExpression, type ResourceReference, type SourceRef, toPlainText } from "../../model/index.js";
import { isDeepEqual } from "../deep-equal.js";
import { reportDifference, describeValue, type ComparisonContext } from "../description-comparison.js";
import { shorten } from "../shorten.js";

/** Compares the references of a value. */
export function compareReference(
  { reference: old }: WithReference,
  { reference: next, origin: here }: WithReference,
  at: ComparisonContext,
): void {
  if (isDeepEqual(old, next)) return;
  const change = old === undefined ? "added" : next === undefined ? "removed" : "changed";
  reportDifference(at, `reference-${change}`, {
    subject: describeValue(at),
    old: old && formatReference(old),
    new: next && formatReference(next),
    newOrigin: here,
  });
}

interface WithReference {
  readonly reference?: ResourceReference;
  readonly origin: SourceRef;
}

function formatReference({
  to,
  by,
  of,
  where,
  onConstraintViolation,
  onNotFound,
  onDelete,
}: ResourceReference): string {
  return [
    `a ${to}`,
    ...(by === undefined ? [] : [`by its ${by}`]),
    ...(of === undefined ? [] : [`of ${toPlainText(describeExpression(of))}`]),
    ...(where === undefined ? [] : [`where ${shorten(where)}`]),
    ...(onConstraintViolation === undefined ? [] : [`that matches, or ${onConstraintViolation}`]),
    ...(onNotFound === undefined ? [] : [`that exists, or ${onNotFound}`]),
    ...(onDelete === undefined ? [] : [`(when deleted: ${onDelete})`]),
  ].join(" ");
}
