import type { Shape } from "../model/api.js";

/** True if a part of a form is a file. OpenAPI 3.0 uses `format: binary`, 3.1 a media type. */
export function isBytes({ format, contentMediaType, contentEncoding }: Shape): boolean {
  return format === "binary" || (contentMediaType !== undefined && contentEncoding === undefined);
}
