import { mediaTypeEssence } from "../../http/index.js";
import type { HttpResponse } from "../../server/index.js";
import type { MockDefinition, MockOperation } from "../mock-definition.js";
import { documentedFor, documentedResponse } from "./preferred-response.js";

/**
 * An error response with the documented body, if the description documents another media type than the one of the server: XML, or JSON where
 * the server responds with problem details. A path that no operation has gets the error of an operation.
 */
export function withDocumentedError(
  { operations }: MockDefinition,
  operation: MockOperation | undefined,
  response: HttpResponse,
): HttpResponse {
  const { status, headers } = response;
  const candidates = operation === undefined ? Object.values(operations) : [operation];
  const documented = candidates.map((each) => documentedFor(each.documented, status)).find((each) => each?.mediaType);
  const contentType = headers["Content-Type"];
  const mediaType = contentType && mediaTypeEssence(contentType);
  const isFit = documented?.mediaType === mediaType && documented?.isExact !== true;
  if (documented?.mediaType === undefined || isFit) return response;
  const replaced = documentedResponse(status, documented);
  const otherHeaders = Object.entries(headers).filter(([name]) => !/^content-/i.test(name));
  return { ...replaced, headers: { ...replaced.headers, ...Object.fromEntries(otherHeaders) } };
}
