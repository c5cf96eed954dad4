import type { Shape } from "../model/api.js";

/** True where a part of a form is a file. OpenAPI 3.0 says `format: binary`; 3.1 names a media type. */
export function isBytes({ format, contentMediaType, contentEncoding }: Shape): boolean {
  return format === "binary" || (contentMediaType !== undefined && contentEncoding === undefined);
}
