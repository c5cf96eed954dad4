import type { Content } from "./api.js";

/** How a representation is read and written. */
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

export function jsonContent(contents: readonly Content[]): Content | undefined {
  return contents.find((content) => mediaKind(content.mediaType) === "json");
}

/** The representation that stands for all: JSON where there is one, else the first. */
export function chosenContent(contents: readonly Content[]): Content | undefined {
  return jsonContent(contents) ?? contents[0];
}
