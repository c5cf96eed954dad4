import type { Api, OperationResponse, Parameter, RequestBody, SentRequest } from "../../model/index.js";
import { compareTexts } from "../api/compare-info.js";
import { compareByTable, sourceRows, type ComparisonTable } from "../comparison-table.js";
import { formatSentRequest, reportDifference, type ComparisonContext } from "../description-comparison.js";
import { matchLists } from "../match-lists.js";
import { compareContents } from "./compare-bodies.js";
import { compareDeprecationDetails } from "./compare-deprecation.js";
import { parameterLabel, parameterTable } from "./compare-parameters.js";
import { responseTable } from "./compare-responses.js";

/** Compares webhooks and callbacks: their requests are received by callers, and the responses come from these. */
export function compareSentRequests(old: Api, next: Api, from: ComparisonContext): void {
  const { both, removed, added } = matchLists(old.sentRequests ?? [], next.sentRequests ?? [], formatSentRequest);
  for (const [before, after] of both) {
    compareByTable(sentRequestTable, before, after, contextOf(after, from));
    from.comparison.runDeferred();
  }
  for (const each of added)
    reportDifference(contextOf(each, from), "sent-request-added", { subject: each.name, newOrigin: each.origin });
  for (const each of removed)
    reportDifference(contextOf(each, from), "sent-request-removed", { subject: each.name, oldOrigin: each.origin });
}

function contextOf(sent: SentRequest, at: ComparisonContext): ComparisonContext {
  const operation = formatSentRequest(sent);
  return {
    ...at,
    direction: "response",
    location: sent.name,
    subject: `the ${sent.name}`,
    carrier: { operation, users: new Set() },
  };
}

const sentRequestTable: ComparisonTable<SentRequest> = {
  name: "reported where requests are matched",
  method: "reported where requests are matched",
  summary: compareTexts,
  description: compareTexts,
  deprecated: (_, next, at) =>
    reportDifference(at, next.deprecated ? "operation-deprecated" : "operation-restored", { newOrigin: next.origin }),
  deprecation: compareDeprecationDetails,
  parameters: compareSentParameters,
  requestBody: compareSentBodies,
  responses: compareReceivedResponses,
  ...sourceRows,
};

function compareSentParameters(old: SentRequest, next: SentRequest, at: ComparisonContext): void {
  const { both, removed, added } = matchLists(old.parameters, next.parameters, parameterLabel);
  const nameOf = (each: Parameter): string => `${parameterLabel(each)} of the ${next.name}`;
  for (const [before, after] of both)
    compareByTable(sentParameterTable, before, after, {
      ...at,
      location: nameOf(after),
      subject: `the ${nameOf(after)}`,
    });
  for (const each of added)
    reportDifference(at, "sent-parameter-added", { subject: nameOf(each), newOrigin: each.origin });
  for (const each of removed)
    reportDifference(at, "sent-parameter-removed", { subject: nameOf(each), oldOrigin: each.origin });
}

const sentParameterTable: ComparisonTable<Parameter> = {
  ...parameterTable,
  required: (_, next, at) =>
    reportDifference(at, next.required ? "sent-parameter-required" : "sent-parameter-optional", {
      subject: at.location,
      newOrigin: next.origin,
    }),
};

function compareSentBodies(
  { requestBody: old, name }: SentRequest,
  { requestBody: next }: SentRequest,
  at: ComparisonContext,
): void {
  const location = `body of the ${name}`;
  if (old !== undefined && next !== undefined)
    compareByTable(sentBodyTable, old, next, { ...at, location, subject: `the ${location}` });
  else if (next !== undefined) reportDifference(at, "sent-body-added", { subject: name, newOrigin: next.origin });
  else if (old !== undefined) reportDifference(at, "sent-body-removed", { subject: name, oldOrigin: old.origin });
}

const sentBodyTable: ComparisonTable<RequestBody> = {
  required: "the API sends what it sends",
  description: compareTexts,
  contents: compareContents,
  input: "it is about bodies that the API receives",
  ...sourceRows,
};

function compareReceivedResponses(old: SentRequest, next: SentRequest, at: ComparisonContext): void {
  const { both, removed, added } = matchLists(old.responses, next.responses, ({ status }) => String(status));
  const nameOf = ({ status }: OperationResponse): string => `response ${status} to the ${next.name}`;
  for (const [before, after] of both)
    compareByTable(responseTable, before, after, {
      ...at,
      direction: "request",
      location: nameOf(after),
      subject: `the ${nameOf(after)}`,
    });
  for (const each of added) reportDifference(at, "sent-response-added", { new: each.status, newOrigin: each.origin });
  for (const each of removed)
    reportDifference(at, "sent-response-removed", { old: each.status, oldOrigin: each.origin });
}
