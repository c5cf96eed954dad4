import { expect, test } from "vitest";
import { formatted } from "../emit/format.js";
import { code, print } from "../emit/printer.js";
import { apiOf, withPaths } from "../model/testing.support.js";
import { bodyReaderOf, readerOf } from "./readers.js";

const list = "{type: array, items: {type: integer}}";
const point = "{type: object, properties: {x: {type: integer}, names: {type: array, items: {type: string}}}}";

test.each([
  ["in: query, schema: {type: integer}", "one(integer)"],
  ["in: query, schema: {type: number}", "one(number)"],
  ["in: query, schema: {type: boolean}", "one(boolean)"],
  ["in: query, schema: {type: string}", "one(text)"],
  ["in: query, schema: {}", "one(text)"],
  ["in: query, schema: {enum: [1, 2.5]}", "one(number)"],
  ["in: query, schema: {type: [string, integer, 'null']}", "one(anyOf(nothing, integer, text))"],
  ["in: query, schema: {oneOf: [{type: boolean}, {type: string}]}", "one(anyOf(boolean, text))"],
  [`in: query, schema: ${list}`, "exploded(integer)"],
  [`in: query, explode: false, schema: ${list}`, "csv(integer)"],
  [`in: query, style: spaceDelimited, explode: false, schema: ${list}`, "spaceDelimited(integer)"],
  [`in: query, style: pipeDelimited, explode: false, schema: ${list}`, "pipeDelimited(integer)"],
  [`in: query, schema: ${point}`, "explodedObject({ x: one(integer), names: exploded(text) })"],
  [`in: query, explode: false, schema: ${point}`, "object({ x: integer, names: text })"],
  [`in: query, style: deepObject, schema: ${point}`, "deepObject({ x: one(integer), names: exploded(text) })"],
  [
    "in: query, style: deepObject, schema: {type: object, additionalProperties: {type: string}}",
    "deepObject({}, one(text))",
  ],
  ["in: query, content: {application/json: {schema: {type: object}}}", "one(jsonText)"],
  ["in: header, schema: {type: integer}", "one(integer)"],
  [`in: header, schema: ${list}`, "csv(integer)"],
  [`in: header, schema: ${point}`, "object({ x: integer, names: text })"],
  [`in: header, explode: true, schema: ${point}`, "assigned({ x: integer, names: text })"],
  [`in: cookie, explode: false, schema: ${list}`, "csv(integer)"],
  ["in: path, required: true, schema: {type: integer}", "one(integer)"],
  [`in: path, required: true, style: label, schema: ${list}`, "label(csv(integer))"],
  [`in: path, required: true, style: label, explode: true, schema: ${list}`, 'label(csv(integer, "."))'],
  [`in: path, required: true, style: matrix, schema: ${list}`, "matrix(csv(integer))"],
  [`in: path, required: true, style: matrix, explode: true, schema: ${list}`, "matrix(exploded(integer))"],
])("a parameter {%s} is read by %s", async (parameter, reader) => {
  const place = parameter.startsWith("in: path") ? "/a/{p}" : "/a";
  const api = await apiOf(
    withPaths(
      `${place}: {get: {operationId: a, parameters: [{name: p, ${parameter}}], responses: {'200': {description: ok}}}}\n`,
      "",
    ),
  );
  const [found] = api.operations[0]?.parameters ?? [];
  expect(found && (await printed(readerOf(found, api)))).toBe(reader);
});

test.each([
  ["application/json: {schema: {type: object}}", undefined],
  ["application/merge-patch+json: {schema: {type: object}}", undefined],
  ["text/plain: {schema: {type: string}}", "plainText"],
  ["application/octet-stream: {schema: {type: string, format: binary}}", "bytes"],
  [
    `application/x-www-form-urlencoded: {schema: {type: object, properties: {a: ${list}, b: {type: boolean}}}, encoding: {a: {explode: false, style: form}}}`,
    "form({ a: csv(integer), b: one(boolean) })",
  ],
  [
    "multipart/form-data: {schema: {type: object, properties: {f: {type: string, format: binary}, fs: {type: array, items: {type: string, format: binary}}, o: {type: object}, n: {type: integer}}}}",
    "multipart({ f: file, fs: files, o: one(jsonText), n: one(integer) })",
  ],
])("a body {%s} is read by %s", async (content, reader) => {
  const api = await apiOf(
    withPaths(
      `/a: {post: {operationId: a, requestBody: {content: {${content}}}, responses: {'200': {description: ok}}}}\n`,
      "",
    ),
  );
  const [found] = api.operations[0]?.body?.contents ?? [];
  expect(found && (await printed(bodyReaderOf(found, api)))).toBe(reader);
});

async function printed(piece: ReturnType<typeof bodyReaderOf>): Promise<string | undefined> {
  if (piece === undefined) return undefined;
  const marked = print([code`const reader = ${piece};`], code`//`);
  // Each call has a PURE annotation. Without it, bundlers would keep the call and all that it references.
  const text = marked.replaceAll("/* @__PURE__ */ ", "");
  expect(text.replaceAll(/\w+\(/g, "/* @__PURE__ */ $&")).toBe(marked);
  const { text: done } = await formatted({ path: "a.ts", text });
  const [, reader = ""] = /const reader = ([^]*);\n/.exec(done) ?? [];
  return reader.replaceAll(/\s+/g, " ");
}
