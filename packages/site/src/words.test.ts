import { expect, test } from "vitest";
import { generateSite } from "./readme.support.js";

/** One of each: a limit, a grant with a condition, an effect, a time of a state, an error whose reason is a sentence. */
const description = `openapi: 3.1.0
info: {title: Shop, version: '1'}
security: [{token: ['images:write']}]
x-callers: {attributes: {role: {enum: [admin, doctor, nurse]}}, needNoGrants: {role: admin}}
paths:
  /images/{imageId}:
    post:
      operationId: changeImage
      parameters: [{name: imageId, in: path, required: true, schema: {type: integer}, x-reference: {to: Image}}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {tags: {type: array, items: {type: string}}}}}}}
      x-limits: [{id: changes, kind: rate, max: 10, window: PT30S, per: $caller.user, error: slow}, {id: size, kind: bytes, max: 5000000000, window: PT24H}]
      x-grants: [{on: $request.path.imageId, level: read_write}, {caller: {role: [admin, doctor]}, when: {body: {required: [tags]}}}]
      x-effects: [{id: touched, does: set, to: $request.path.imageId, values: {label: {from: $target#/label}}}]
      x-errors: [{id: slow, status: 429, reasonContains: ['Slow down.'], when: {compare: [$request.path.imageId, ne, 7]}}]
      responses: {'200': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Image'}}}}, '429': {description: Slow.}}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  schemas:
    Image:
      type: object
      x-resource: {owner: [account], read: changeImage}
      properties: {id: {type: integer}, label: {type: string}, status: {type: string, enum: [busy, gone], x-state-machine: {initial: [{event: changeImage, to: busy, duration: PT5M}], transitions: [{event: {after: PT24H}, from: [busy], to: gone}]}}}
`;

/** The text of the article of a page, with code in backticks. */
function textOf(html: string): string {
  return html
    .replace(/^[^]*<main[^>]*>/, "")
    .replaceAll(/<script[^]*?<\/script>/g, "")
    .replaceAll(/<\/?code[^>]*>/g, "`")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll(/\s+/g, " ");
}

test("pages say what the description states in words", async () => {
  const pages = Object.entries(await generateSite(description)).filter(([name]) => name.endsWith(".html"));
  const texts = new Map(pages.map(([name, html]) => [name, textOf(html)] as const));
  expect(texts.size).toBeGreaterThan(5);
  expect(
    [...texts].filter(([, text]) => /PT\d|P\dD|\$(?:request|response|caller|target|refs)\b|\. ?`?\.(?!\.)/.test(text)),
  ).toEqual([]);
  const page = texts.get("operations/changeImage.html") ?? "";
  for (const words of [
    "A caller needs `read_write` on the image, unless its `role` is `admin`.",
    "The caller's `role` has to be `admin` or `doctor` if the body has `tags`.",
    "At most 10 requests within 30 seconds per user.",
    "At most 5 GB within 24 hours.",
    "set the image",
    "the image's `label`",
    "When the image differs from `7`.",
    "Its reason contains: `Slow down.`",
    "takes 5 minutes",
  ])
    expect(page).toContain(words);
  expect(texts.get("states/ImageStatus.html")).toContain("2 states, 1 way to begin, 1 transition");
});
