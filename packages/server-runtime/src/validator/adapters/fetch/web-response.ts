import type { ValidatedRequest, ErrorResponse, SerializedError } from "../../../http/index.js";
import type { ResponseValidator } from "../responses.js";

export interface ResponseWatch {
  readonly accepted: ValidatedRequest;
  readonly responseValidator: ResponseValidator;
  /** Creates the response to the client in place of an invalid one. */
  readonly serialize: (errorResponse: ErrorResponse) => SerializedError;
}

/** Returns the response, or its replacement if it is not valid and `validateResponses` is `"enforce"`. */
export async function validateWebResponse(
  response: Response,
  { accepted, responseValidator, serialize }: ResponseWatch,
): Promise<Response> {
  const bytes = new Uint8Array(await response.clone().arrayBuffer());
  const { status, headers } = response;
  const type = headers.get("content-type") ?? undefined;
  const encoding = headers.get("content-encoding") ?? undefined;
  const errorResponse = await responseValidator.validate(accepted, { status, type, encoding, bytes });
  if (errorResponse === undefined) return response;
  const formatted = serialize(errorResponse);
  return new Response(formatted.text, { status: formatted.status, headers: formatted.headers });
}
