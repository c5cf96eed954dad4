import { errorsOfResponse, type HttpResponse } from "../../server/index.js";

/** The header that says why a request is rejected, where the documented body has no place for it. */
export const reasonHeader = "Plumbline-Mock-Reason";

/** The length of the header, in characters. */
const maxReasonLength = 500;

/**
 * A rejection with its reason in a header, unless the body states it.
 *
 * @param server - the response of the server, which knows the reason
 * @param sent - the response with the documented body
 */
export function withReason(server: HttpResponse, sent: HttpResponse): HttpResponse {
  const errors = errorsOfResponse(server) ?? [];
  const body = typeof sent.body === "string" ? sent.body : "";
  if (errors.length === 0 || sent.status >= 500 || errors.every(({ reason }) => isIn(body, reason))) return sent;
  const text = errors.map(({ field, reason }) => (field === undefined ? reason : `${field} ${reason}`)).join("; ");
  const ascii = text.replaceAll(/[^ -~]/gu, "?").slice(0, maxReasonLength);
  return { ...sent, headers: { ...sent.headers, [reasonHeader]: ascii } };
}

/** Whether JSON contains a text. */
function isIn(body: string, text: string): boolean {
  return body.includes(JSON.stringify(text).slice(1, -1));
}
