import type { Json } from "../suite.js";
import type { HttpResponse } from "./http-client.js";

/** A response with a decoded body. */
export interface DecodedResponse extends HttpResponse {
  /** The value of a JSON body, the text of any other, null without a body. */
  readonly body: Json;
  /** Why a body with a JSON media type cannot be parsed. */
  readonly parseError?: string;
}

export function decodeResponse(response: HttpResponse): DecodedResponse {
  if (response.text === "") return { ...response, body: null };
  if (!isJsonMediaType(response.headers["content-type"] ?? "")) return { ...response, body: response.text };
  try {
    const body: Json = JSON.parse(response.text);
    return { ...response, body };
  } catch (error) {
    const parseError = error instanceof Error ? error.message : "It is not JSON.";
    return { ...response, body: response.text, parseError };
  }
}

/** True for `application/json`, `application/problem+json` and the like. */
export function isJsonMediaType(mediaType: string): boolean {
  return /[/+]json\b/i.test(mediaType);
}
