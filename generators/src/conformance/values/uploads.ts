import type { Template } from "@plumbline/conformance-runtime";
import { isBinary } from "@plumbline/kit/codegen";
import { type Api, mediaKind, type MediaTypeObject, schemaParts } from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import { isPlainObject } from "./partial-evaluation.js";
import { bodySample } from "./samples.js";

/**
 * A valid body that is not JSON: a form, a text, or any bytes. Undefined for a media type such as `image/png`, whose servers may reject bytes
 * that are no image.
 */
export function uploadSample(context: ConformanceContext, content: MediaTypeObject): Template | undefined {
  const { mediaType, schema } = content;
  const kind = mediaKind(mediaType);
  const sample = bodySample(context, content);
  if (kind === "form") return sample;
  if (kind === "multipart") {
    const properties = schemaParts(context.api, schema).flatMap((part) => part.properties ?? []);
    const isSendable = properties.every(
      (property) =>
        !isPlainObject(sample) ||
        !Object.hasOwn(sample, property.name) ||
        acceptsAnyBytes(fileType(context.api, content, property) ?? anyBytes),
    );
    return mediaType === "multipart/form-data" && isPlainObject(sample) && isSendable ? sample : undefined;
  }
  return typeof sample === "string" && acceptsAnyBytes(mediaType) ? sample : undefined;
}

/** The media type of a field that is sent as a file. Undefined for any other field. */
export function fileType(
  api: Api,
  { encoding }: MediaTypeObject,
  { name, schema }: { readonly name: string; readonly schema: MediaTypeObject["schema"] },
): string | undefined {
  const parts = schemaParts(api, schema);
  const values = [...parts, ...parts.flatMap(({ items }) => (items === undefined ? [] : schemaParts(api, items)))];
  if (!values.some(isBinary)) return undefined;
  // An encoding may list several types; the first of them is sent.
  const stated = encoding[name]?.contentType?.split(",")[0]?.trim();
  return stated ?? values.find(({ contentMediaType }) => contentMediaType !== undefined)?.contentMediaType ?? anyBytes;
}

const anyBytes = "application/octet-stream";

function acceptsAnyBytes(mediaType: string): boolean {
  return mediaType === anyBytes || mediaType === "text/plain";
}
