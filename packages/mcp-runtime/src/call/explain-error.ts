import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { isApiError, type ApiError, type ApiErrorDetail } from "@plumbline/client-runtime";
import type { DocumentedError, ToolData, Toolset } from "../toolset.js";
import { errorResult } from "./format-result.js";

/** Explains a failed call to a model: what happened, what it means, and what to do. Rethrows what is not an error of the call. */
export function explainError(error: unknown, tool: ToolData, toolset: Toolset): CallToolResult {
  if (!isApiError(error)) throw error;
  const lines = [
    `${tool.name} failed: ${describeFailure(error)}`,
    ...describeReasons(error, tool, toolset),
    adviceFor(error, tool),
  ];
  if (error.requestId !== undefined) lines.push(`Request id: ${error.requestId}`);
  return errorResult(lines.join("\n"));
}

function describeFailure({ code, status, message, method, url }: ApiError): string {
  switch (code) {
    case "http":
      return `the API responded with status ${status}.`;
    case "timeout":
      return "the API did not respond in time.";
    case "aborted":
      return "the call was cancelled.";
    case "decode":
      return "the API responded with something else than its description documents.";
    case "network":
    case "request":
      return `${message.replace(`${method} ${url}: `, "")}.`;
  }
}

const maxReasons = 20;

function describeReasons(error: ApiError, tool: ToolData, toolset: Toolset): readonly string[] {
  const documented = [...tool.errors, ...toolset.errors].filter(({ status }) => status === error.status);
  if (error.errors.length === 0) {
    const text = typeof error.body === "string" || error.body === undefined ? error.body : JSON.stringify(error.body);
    const [only, ...others] = documented;
    return [
      ...(text ? [`- ${text.slice(0, 1000)}`] : []),
      ...(only === undefined || others.length > 0 ? [] : [`- (${describeMeaning(only, "")})`]),
    ];
  }
  return error.errors.slice(0, maxReasons).map((detail) => {
    const meanings = findMeanings(detail, documented).map((each) => describeMeaning(each, detail.reason));
    const field = detail.field ? `\`${detail.field}\`: ` : "";
    return `- ${field}${detail.reason}${meanings.length === 0 ? "" : ` (${meanings.join(", or ")})`}`;
  });
}

/** The documented errors that fit a reason: those with its words, or else the only one about its field, or of the status. */
function findMeanings(
  { field, reason }: ApiErrorDetail,
  documented: readonly DocumentedError[],
): readonly DocumentedError[] {
  const ofWords = documented.filter(
    (each) =>
      (typeof each.field !== "string" || each.field === (field ?? each.field)) &&
      (isSameText(each.meaning, reason) ||
        (each.reasonContains.length > 0 && each.reasonContains.every((part) => reason.includes(part)))),
  );
  const ofField = documented.filter((each) => typeof each.field === "string" && each.field === field);
  if (ofWords.length > 0) {
    const ofBoth = ofWords.filter((each) => ofField.includes(each));
    return ofBoth.length > 0 ? ofBoth : ofWords;
  }
  if (ofField.length === 1) return ofField;
  return field === undefined && documented.length === 1 ? documented : [];
}

/** The id of a documented error, and its meaning if the reason does not state it. */
function describeMeaning({ id, meaning }: DocumentedError, reason: string): string {
  return meaning === undefined || isSameText(meaning, reason) ? id : `${id}: ${meaning}`;
}

function isSameText(one: string | undefined, other: string): boolean {
  return one !== undefined && one.replace(/\.$/, "") === other.replace(/\.$/, "");
}

/** What to do, as one sentence or two. */
function adviceFor(error: ApiError, { access, idempotent, scopes }: ToolData): string {
  const { code, status, headers } = error;
  const isUnclear =
    access !== "read" && (code === "network" || code === "timeout" || code === "aborted" || code === "decode");
  if (isUnclear)
    return `It is unknown whether the call had an effect. ${idempotent ? "It can be repeated safely." : "Read the current state before you repeat it."}`;
  if (code === "request") return "Nothing was sent. Correct the arguments and call again.";
  if (code !== "http") return "Call again later, or ask the user to check the address of the API.";
  if (status === 429) {
    const after = headers?.get("retry-after");
    return `Too many requests. Wait ${after && /^\d+$/.test(after) ? `${after} seconds` : "a minute"}, then call again.`;
  }
  if (status === 401)
    return `The token is missing, not valid, or lacks a scope${formatScopes(scopes)}. Do not repeat the call: ask the user for another token.`;
  if (status === 403) return "The user of the token may not do this. Do not repeat the call: tell the user.";
  if (status === 404) return "Check the ids in the arguments: list the objects first.";
  if (status === 409 || status === 412) return "Read the current state, then decide whether to call again.";
  if (status >= 500)
    return access === "read" || idempotent
      ? "The API has a problem. Call again later."
      : "The API has a problem. Read the current state before you repeat the call.";
  return "Correct the named arguments and call again.";
}

function formatScopes(scopes: ToolData["scopes"]): string {
  const texts = (scopes ?? [])
    .filter((each) => each.length > 0)
    .map((each) => each.map((scope) => `\`${scope}\``).join(" and "));
  return texts.length === 0 ? "" : `: it needs ${texts.join(", or ")}`;
}
