import type { MockDefinition } from "../mock-definition.js";
import type { MatchedOperation } from "./match-operation.js";
import { documentedFor, documentedResponse } from "./preferred-response.js";

/**
 * An error response with the documented body, if the description documents another media type than the one of the server: XML, or JSON where
 * the server responds with problem details. A path that no operation has gets the error of an operation.
 */
export function withDocumentedError(
  { operations }: MockDefinition,
  matched: MatchedOperation | undefined,
  response: Response,
): Response {
  const { status, headers } = response;
  if (status < 400) return response;
  const candidates = matched === undefined ? Object.values(operations) : [matched.operation];
  const documented = candidates.map((each) => documentedFor(each.documented, status)).find((each) => each?.mediaType);
  const mediaType = headers.get("Content-Type")?.split(";")[0];
  const isFit = documented?.mediaType === mediaType && documented?.isExact !== true;
  if (documented?.mediaType === undefined || isFit) return response;
  const replaced = documentedResponse(status, documented);
  for (const [name, value] of headers) if (!/^content-/i.test(name)) replaced.headers.set(name, value);
  return replaced;
}
