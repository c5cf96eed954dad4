import type { Json } from "../suite.js";
import { isJsonArray, toText, type JsonObject } from "../values/json.js";

/** Encodes `multipart/form-data`. An array is one part for each item, and an object is JSON. */
export function encodeMultipart(
  fields: JsonObject,
  files: Readonly<Record<string, string>>,
): { readonly text: string; readonly mediaType: string } {
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    (isJsonArray(value) ? value : [value]).map((each) => encodePart(name, each, files[name])),
  );
  let boundary = "plumbline";
  while (parts.some((part) => part.includes(boundary))) boundary += "-";
  return {
    text: [...parts.map((part) => `--${boundary}\r\n${part}\r\n`), `--${boundary}--\r\n`].join(""),
    mediaType: `multipart/form-data; boundary=${boundary}`,
  };
}

function encodePart(name: string, value: Json, fileType: string | undefined): string {
  const quoted = name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const mediaType = fileType ?? (typeof value === "object" ? "application/json" : undefined);
  return [
    `content-disposition: form-data; name="${quoted}"${fileType === undefined ? "" : '; filename="file"'}`,
    ...(mediaType === undefined ? [] : [`content-type: ${mediaType}`]),
    "",
    typeof value === "object" ? JSON.stringify(value) : toText(value),
  ].join("\r\n");
}
