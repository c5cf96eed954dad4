import type { SerializedError } from "../../../http/index.js";
import type { ValidateResponse } from "../host-validator.js";

export function toWebResponse({ status, headers, text }: SerializedError): Response {
  return new Response(text, { status, headers });
}

/** Returns the response, or its replacement if it is not valid and `validateResponses` is `"enforce"`. */
export async function validateWebResponse(response: Response, validate: ValidateResponse): Promise<Response> {
  const bytes = new Uint8Array(await response.clone().arrayBuffer());
  const { status, headers } = response;
  const type = headers.get("content-type") ?? undefined;
  const encoding = headers.get("content-encoding") ?? undefined;
  const replacement = await validate({ status, type, encoding, bytes });
  return replacement === undefined ? response : toWebResponse(replacement);
}
