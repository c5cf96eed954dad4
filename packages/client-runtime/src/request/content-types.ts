import type { RequestEncoder } from "../operation.js";
import { ownProperty } from "./parameters.js";
import { rejectUnsendable } from "./reject-unsendable.js";

/**
 * Encodes the body as the media type that the caller chooses with `contentType`. The first is the default.
 *
 * @param encoders the encoder of each media type
 */
export function bodyByContentType(encoders: Readonly<Record<string, RequestEncoder>>): RequestEncoder {
  return (request, given) => {
    const contentType = given.contentType ?? Object.keys(encoders)[0] ?? "";
    const encode = ownProperty<RequestEncoder>(encoders, contentType) ?? rejectUnsendable("content type");
    encode(request, given);
  };
}
