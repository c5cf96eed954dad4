import type { SerializedError } from "../../../http/index.js";
import type { ValidateResponse } from "../host-validator.js";

export function toWebResponse({ status, headers, text }: SerializedError): Response {
  return new Response(text, { status, headers });
}

/** Returns the response, or its replacement if it is not valid and `validateResponses` is `"enforce"`. */
export async function validateWebResponse(response: Response, validate: ValidateResponse): Promise<Response> {
  const bytes = new Uint8Array(await response.clone().arrayBuffer());
  const { status, headers } = response;
  const header = (name: string): string | undefined => headers.get(name) ?? undefined;
  const [type, encoding] = [header("content-type"), header("content-encoding")];
  const replacement = await validate({ status, type, encoding, bytes, header });
  return replacement === undefined ? response : toWebResponse(replacement);
}
