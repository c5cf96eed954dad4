import type { Api, MediaTypeObject } from "@plumbline/kit/model";
import { sampleOf } from "./samples.js";

/** A content with a media type that a response can have: for `image/*`, one of these. */
export function concreteContent(api: Api, content: MediaTypeObject): MediaTypeObject {
  const { mediaType, example, schema } = content;
  if (!mediaType.endsWith("/*")) return content; // `application/*+json` is no range: it is sent as it is
  const value = example ?? sampleOf(api, schema);
  if (mediaType === "image/*" && example === undefined) return { ...content, mediaType: "image/svg+xml", example: svg };
  const isJson = typeof value !== "string" && /^(\*|application)\//.test(mediaType);
  return { ...content, mediaType: isJson ? "application/json" : memberOf(mediaType) };
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

/** A type in a range. The server sends no other. */
function memberOf(range: string): string {
  const [kind = ""] = range.split("/");
  return members[kind] ?? range.replaceAll("*", "plain");
}

const members: Readonly<Record<string, string>> = {
  "*": "application/octet-stream",
  application: "application/octet-stream",
  image: "image/png",
  audio: "audio/basic", // any bytes are a sound
  video: "video/mp4",
  font: "font/woff2",
};
