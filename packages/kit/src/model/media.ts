import type { MediaTypeObject } from "./api.js";

/** How a media type is decoded and encoded. */
export type MediaKind = "json" | "form" | "multipart" | "text" | "binary";

export function mediaKind(mediaType: string): MediaKind {
  if (/^(application|text)\/([^/]+\+)?json$/.test(mediaType) || mediaType === "*/*" || mediaType === "application/*")
    return "json";
  if (mediaType === "application/x-www-form-urlencoded") return "form";
  if (mediaType.startsWith("multipart/")) return "multipart";
  return mediaType.startsWith("text/") || /^application\/([^/]+\+)?(xml|yaml|x-yaml|graphql)$/.test(mediaType)
    ? "text"
    : "binary";
}

/** A media type in small letters, without its parameters. */
export function mediaTypeEssence(mediaType: string): string {
  return (mediaType.split(";")[0] ?? "").trim().toLowerCase();
}

/** How the items of a stream are separated; undefined for media types that have no items. */
export function itemFormat(mediaType: string): "json-lines" | "events" | undefined {
  if (mediaType === "text/event-stream") return "events";
  return /^application\/((x-)?(jsonl|ndjson|jsonlines)|([^/]+\+)?json-seq)$/.test(mediaType) ? "json-lines" : undefined;
}

/** True for server-sent events, and for a stream whose items have a schema: `itemSchema` of OpenAPI 3.2. */
export function isItemStream({ mediaType, itemSchema }: MediaTypeObject): boolean {
  const format = itemFormat(mediaType);
  return format === "events" || (itemSchema !== undefined && format !== undefined);
}

export function findJsonContent(contents: readonly MediaTypeObject[]): MediaTypeObject | undefined {
  return contents.find((content) => mediaKind(content.mediaType) === "json");
}

/** Returns the preferred media type: JSON if there is one, otherwise the first. */
export function preferredContent(contents: readonly MediaTypeObject[]): MediaTypeObject | undefined {
  return findJsonContent(contents) ?? contents[0];
}
