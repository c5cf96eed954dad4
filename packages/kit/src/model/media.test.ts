import { expect, test } from "vitest";
import { mediaKind, mediaTypeEssence } from "./media.js";

test.each([
  ["application/json", "json"],
  ["text/json", "json"],
  ["application/problem+json", "json"],
  ["application/vnd.a.b-c+json", "json"],
  ["*/*", "json"],
  ["application/*", "json"],
  ["application/jsonl", "binary"],
  ["application/x-www-form-urlencoded", "form"],
  ["multipart/form-data", "multipart"],
  ["multipart/mixed", "multipart"],
  ["text/plain", "text"],
  ["text/event-stream", "text"],
  ["application/xml", "text"],
  ["application/atom+xml", "text"],
  ["application/yaml", "text"],
  ["application/octet-stream", "binary"],
  ["image/png", "binary"],
])("%s is handled as %s", (mediaType, kind) => {
  expect(mediaKind(mediaType)).toBe(kind);
});

test.each([
  ["Application/JSON ; stream=watch", "application/json"],
  ["text/plain", "text/plain"],
  ["", ""],
])("%j without parameters is %j", (mediaType, essence) => {
  expect(mediaTypeEssence(mediaType)).toBe(essence);
});
