import type { RequestBody, RequestBodyRules, MediaTypeObject, Operation, SourceRef } from "../../model/index.js";
import { compareTexts } from "../api/compare-info.js";
import { compareByTable, sourceRows, type ComparisonTable } from "../comparison-table.js";
import { isDeepEqual } from "../deep-equal.js";
import { reportDifference, type ComparisonContext } from "../description-comparison.js";
import { matchLists } from "../match-lists.js";
import { anySchema, compareSchemas } from "../schemas/compare-schemas.js";

/** Compares request bodies. */
export function compareRequestBodies(
  { requestBody: old }: Operation,
  { requestBody: next }: Operation,
  from: ComparisonContext,
): void {
  const at: ComparisonContext = {
    ...from,
    direction: "request",
    location: requestBodyName,
    subject: `the ${requestBodyName}`,
  };
  if (old !== undefined && next !== undefined) compareByTable(bodyTable, old, next, at);
  else if (next !== undefined)
    reportDifference(at, next.required ? "body-required-added" : "body-added", {
      subject: requestBodyName,
      newOrigin: next.origin,
    });
  else if (old !== undefined) reportDifference(at, "body-removed", { subject: requestBodyName, oldOrigin: old.origin });
}

/** Compares the representations of a request body or a response. */
export function compareContents<
  T extends { readonly contents: readonly MediaTypeObject[]; readonly origin: SourceRef },
>(old: T, next: T, at: ComparisonContext): void {
  const { both, removed, added } = matchLists(old.contents, next.contents, ({ mediaType }) => mediaType);
  const isOne = old.contents.length < 2 && next.contents.length < 2;
  for (const [before, after] of both) {
    const atContent = isOne
      ? at
      : { ...at, location: `${at.location} ${after.mediaType}`, subject: `${at.subject} ${after.mediaType}` };
    compareByTable(contentTable, before, after, atContent);
    if (!isDeepEqual(before.encoding, after.encoding))
      reportDifference(atContent, "encoding-changed", { newOrigin: next.origin });
    if (!isDeepEqual([before.example, before.examples], [after.example, after.examples]))
      reportDifference(atContent, "example-changed", { newOrigin: next.origin });
  }
  const what = at.location;
  if (at.direction === "response" && old.contents.length === 0 && added.length > 0) {
    reportDifference(at, "response-body-added", {
      subject: what,
      new: added.map(({ mediaType }) => mediaType).join(" or "),
      newOrigin: next.origin,
    });
    return;
  }
  for (const { mediaType } of added)
    reportDifference(at, `${at.direction}-media-added`, { subject: what, new: mediaType, newOrigin: next.origin });
  for (const { mediaType } of removed)
    reportDifference(at, `${at.direction}-media-removed`, { subject: what, old: mediaType, newOrigin: next.origin });
}

const requestBodyName = "request body";

const bodyTable: ComparisonTable<RequestBody> = {
  required: (_, next, at) =>
    reportDifference(at, next.required ? "body-required" : "body-optional", {
      subject: requestBodyName,
      newOrigin: next.origin,
    }),
  description: compareTexts,
  contents: compareContents,
  input: (old, next, at) => compareByTable(bodyInputTable(next), old.input, next.input, at),
  ...sourceRows,
};

const contentTable: ComparisonTable<MediaTypeObject> = {
  mediaType: "reported where representations are matched",
  schema: (old, next, at) => compareSchemas(old.schema, next.schema, at),
  itemSchema: (old, next, at) =>
    compareSchemas(old.itemSchema ?? anySchema(old.schema), next.itemSchema ?? anySchema(next.schema), at),
  itemData: "compared by the types in `itemSchema`",
  encoding: "reported where representations are matched",
  example: "reported where representations are matched",
  examples: "reported where representations are matched",
};

function bodyInputTable({ origin: here }: RequestBody): ComparisonTable<RequestBodyRules> {
  return {
    absent: (old, next, at) =>
      reportDifference(at, "input-absent-changed", {
        subject: requestBodyName,
        old: old.absent,
        new: next.absent,
        newOrigin: here,
      }),
    nulls: (old, next, at) =>
      reportDifference(at, "input-nulls-changed", {
        subject: requestBodyName,
        old: old.nulls,
        new: next.nulls,
        newOrigin: here,
      }),
    readOnly: (_, next, at) =>
      reportDifference(at, next.readOnly === "reject" ? "input-read-only-rejected" : "input-read-only-ignored", {
        subject: requestBodyName,
        newOrigin: here,
      }),
    unknown: (_, next, at) =>
      reportDifference(at, next.unknown === "reject" ? "input-unknown-rejected" : "input-unknown-ignored", {
        subject: requestBodyName,
        newOrigin: here,
      }),
    unchanged: (_, next, at) =>
      reportDifference(at, next.unchanged === "validate" ? "input-unchanged-validated" : "input-unchanged-accepted", {
        subject: requestBodyName,
        newOrigin: here,
      }),
    merged: (old, next, at) =>
      reportDifference(at, "input-merged-changed", {
        subject: requestBodyName,
        old: old.merged ?? "anything",
        new: next.merged ?? "anything",
        newOrigin: here,
      }),
  };
}
