import { isSuccess, type ResponseHeader, type Operation, type OperationResponse } from "../../model/index.js";
import { compareTexts } from "../api/compare-info.js";
import { compareByTable, sourceRows, type ComparisonTable } from "../comparison-table.js";
import { reportDifference, type ComparisonContext } from "../description-comparison.js";
import { matchLists } from "../match-lists.js";
import { compareSchemas } from "../schemas/compare-schemas.js";
import { compareVisibility } from "../schemas/compare-visibility.js";
import { compareContents } from "./compare-bodies.js";

/** Compares responses by status. */
export function compareResponses(old: Operation, next: Operation, at: ComparisonContext): void {
  const { both, removed, added } = matchLists(old.responses, next.responses, ({ status }) => String(status));
  for (const [before, after] of both) {
    const place = responseLabel(after);
    compareByTable(responseTable, before, after, {
      ...at,
      direction: "response",
      location: place,
      subject: `the ${place}`,
    });
  }
  for (const each of added) {
    const code = isSuccess(each) ? "response-success-added" : "response-failure-added";
    reportDifference(at, code, { subject: responseLabel(each), newOrigin: each.origin });
  }
  for (const each of removed) {
    const code = isSuccess(each) ? "response-success-removed" : "response-failure-removed";
    reportDifference(at, code, { subject: responseLabel(each), oldOrigin: each.origin });
  }
}

export const responseTable: ComparisonTable<OperationResponse> = {
  status: "reported where responses are matched",
  description: compareTexts,
  headers: compareHeaders,
  contents: compareContents,
  visibility: (old, next, at) => compareVisibility(old, next, at),
  ...sourceRows,
};

function responseLabel({ status }: OperationResponse): string {
  return `response ${status}`;
}

/** Compares headers; their names are case-insensitive. */
function compareHeaders(old: OperationResponse, next: OperationResponse, at: ComparisonContext): void {
  const { both, removed, added } = matchLists(old.headers, next.headers, ({ name }) => name.toLowerCase());
  const nameOf = ({ name }: ResponseHeader): string => `header "${name}" in ${at.location}`;
  for (const [before, after] of both)
    compareByTable(headerTable, before, after, { ...at, location: nameOf(after), subject: `the ${nameOf(after)}` });
  for (const each of added)
    reportDifference(at, each.required ? "header-required-added" : "header-added", {
      subject: nameOf(each),
      newOrigin: each.origin,
    });
  for (const each of removed) reportDifference(at, "header-removed", { subject: nameOf(each), oldOrigin: each.origin });
}

const headerTable: ComparisonTable<ResponseHeader> = {
  name: "reported where headers are matched",
  required: (_, next, at) =>
    reportDifference(at, next.required ? "header-required" : "header-optional", {
      subject: at.location,
      newOrigin: next.origin,
    }),
  description: compareTexts,
  schema: (old, next, at) => compareSchemas(old.schema, next.schema, at),
  ...sourceRows,
};
