import type { SerializedError } from "../../../http/index.js";
import type { ValidateResponse } from "../host-validator.js";

/** @param before the headers that the response has otherwise. Default: none */
export function toWebResponse({ status, headers, text }: SerializedError, before?: Headers): Response {
  const all = new Headers(before);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return new Response(text, { status, headers: all });
}

/** Resolves with the replacement of a response that is not valid, if `validateResponses` is `"enforce"`. */
export async function validateWebResponse(
  response: Response,
  validate: ValidateResponse,
): Promise<SerializedError | undefined> {
  const bytes = new Uint8Array(await response.clone().arrayBuffer());
  const { status, headers } = response;
  const header = (name: string): string | undefined => headers.get(name) ?? undefined;
  const [type, encoding] = [header("content-type"), header("content-encoding")];
  return validate({ status, type, encoding, bytes, header });
}
