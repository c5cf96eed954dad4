import type { Schema } from "@plumbline/model";

/** True if a part of a form is a file. OpenAPI 3.0 uses `format: binary`, 3.1 a media type. */
export function isFilePart({ format, contentMediaType, contentEncoding }: Schema): boolean {
  return format === "binary" || (contentMediaType !== undefined && contentEncoding === undefined);
}
