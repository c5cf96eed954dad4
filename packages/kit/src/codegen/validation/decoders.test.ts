import { expect, test } from "vitest";
import { buildFixtureApi, withPaths } from "../../openapi/testing.js";
import { formatFile } from "../format-file.js";
import { code, printSourceFile } from "../printer.js";
import { emitBodyDecoder, emitParameterDecoder } from "./decoders.js";

const list = "{type: array, items: {type: integer}}";
const point = "{type: object, properties: {x: {type: integer}, names: {type: array, items: {type: string}}}}";

test.each([
  ["in: query, schema: {type: integer}", "singleValue(integerValue)"],
  ["in: query, schema: {type: number}", "singleValue(numberValue)"],
  ["in: query, schema: {type: boolean}", "singleValue(booleanValue)"],
  ["in: query, schema: {type: string}", "singleValue(stringValue)"],
  ["in: query, schema: {}", "singleValue(stringValue)"],
  ["in: query, schema: {enum: [1, 2.5]}", "singleValue(numberValue)"],
  ["in: query, schema: {type: [string, integer, 'null']}", "singleValue(firstOf(integerValue, stringValue))"],
  ["in: query, schema: {oneOf: [{type: boolean}, {type: string}]}", "singleValue(firstOf(booleanValue, stringValue))"],
  [`in: query, schema: ${list}`, "explodedArray(integerValue)"],
  [`in: query, explode: false, schema: ${list}`, "commaDelimited(integerValue)"],
  [`in: query, style: spaceDelimited, explode: false, schema: ${list}`, "spaceDelimited(integerValue)"],
  [`in: query, style: pipeDelimited, explode: false, schema: ${list}`, "pipeDelimited(integerValue)"],
  [
    `in: query, schema: ${point}`,
    "explodedObject({ x: singleValue(integerValue), names: explodedArray(stringValue) })",
  ],
  [
    `in: query, explode: false, schema: ${point}`,
    "deepObject({ x: singleValue(integerValue), names: deepArray(singleValue(stringValue)) })",
  ],
  ["in: query, schema: {type: [integer, 'null']}", "singleValue(firstOf(nullValue, integerValue))"],
  ["in: query, schema: {type: object}", "explodedObject({}, singleValue(stringValue))"],
  [
    "in: query, schema: {oneOf: [{const: all}, {type: array, items: {type: integer}}]}",
    "firstSent(explodedArray(integerValue), singleValue(stringValue))",
  ],
  [
    "in: query, style: pipeDelimited, explode: false, schema: {type: object, properties: {x: {type: integer}}}",
    'delimitedObject({ x: integerValue }, stringValue, "|")',
  ],
  [
    "in: cookie, style: cookie, schema: {type: array, items: {type: integer}}",
    "plainCookie(explodedArray(integerValue))",
  ],
  ["in: query, content: {text/plain: {schema: {type: integer}}}", "singleValue(integerValue)"],
  [
    "in: query, style: deepObject, schema: {type: array, items: {type: object, properties: {price: {type: integer}}}}",
    "deepArray(deepObject({ price: singleValue(integerValue) }))",
  ],
  [
    "in: query, style: deepObject, schema: {anyOf: [{type: integer}, {type: object, properties: {gte: {type: integer}}}]}",
    "firstSent(singleValue(integerValue), deepObject({ gte: singleValue(integerValue) }))",
  ],
  [
    `in: query, style: deepObject, schema: ${point}`,
    "deepObject({ x: singleValue(integerValue), names: deepArray(singleValue(stringValue)) })",
  ],
  [
    "in: query, style: deepObject, schema: {type: object, additionalProperties: {type: string}}",
    "deepObject({}, singleValue(stringValue))",
  ],
  ["in: query, content: {application/json: {schema: {type: object}}}", "singleValue(jsonValue)"],
  ["in: header, schema: {type: integer}", "singleValue(integerValue)"],
  [`in: header, schema: ${list}`, "commaDelimited(integerValue)"],
  [`in: header, schema: ${point}`, "delimitedObject({ x: integerValue, names: stringValue })"],
  [`in: header, explode: true, schema: ${point}`, "explodedPairs({ x: integerValue, names: stringValue })"],
  [`in: cookie, explode: false, schema: ${list}`, "commaDelimited(integerValue)"],
  ["in: path, required: true, schema: {type: integer}", "singleValue(integerValue)"],
  [`in: path, required: true, style: label, schema: ${list}`, "labelStyle(commaDelimited(integerValue))"],
  [
    `in: path, required: true, style: label, explode: true, schema: ${list}`,
    'labelStyle(commaDelimited(integerValue, "."))',
  ],
  [`in: path, required: true, style: matrix, schema: ${list}`, "matrixStyle(commaDelimited(integerValue))"],
  [
    `in: path, required: true, style: matrix, explode: true, schema: ${list}`,
    "matrixStyle(explodedArray(integerValue))",
  ],
])("a parameter {%s} is read by %s", async (parameter, reader) => {
  const place = parameter.startsWith("in: path") ? "/a/{p}" : "/a";
  const api = await buildFixtureApi(
    withPaths(
      `${place}: {get: {operationId: a, parameters: [{name: p, ${parameter}}], responses: {'200': {description: ok}}}}\n`,
      "",
    ).replace("openapi: 3.1.0", "openapi: 3.2.0"), // the first with the style `cookie`
  );
  const [found] = api.operations[0]?.parameters ?? [];
  expect(found && (await printed(emitParameterDecoder(found, api)))).toBe(reader);
});

test.each([
  ["application/json: {schema: {type: object}}", undefined],
  ["application/merge-patch+json: {schema: {type: object}}", undefined],
  ["text/plain: {schema: {type: string}}", "textBody"],
  ["application/octet-stream: {schema: {type: string, format: binary}}", "binaryBody"],
  [
    `application/x-www-form-urlencoded: {schema: {type: object, properties: {a: ${list}, b: {type: boolean}}}, encoding: {a: {explode: false, style: form}}}`,
    "formBody({ a: commaDelimited(integerValue), b: singleValue(booleanValue) })",
  ],
  [
    "multipart/form-data: {schema: {type: object, properties: {f: {type: string, format: binary}, fs: {type: array, items: {type: string, format: binary}}, o: {type: object}, n: {type: integer}}}}",
    "multipartBody({ f: fileField, fs: fileFields, o: singleValue(jsonValue), n: singleValue(integerValue) })",
  ],
  [
    "multipart/form-data: {schema: {type: object, properties: {f: {}, j: {}, x: {}, d: {contentMediaType: application/msword}}}, encoding: {f: {contentType: 'image/png, image/jpeg'}, j: {contentType: 'application/json; charset=utf-8'}}}",
    `multipartBody( { f: fileField, j: singleValue(jsonValue), d: fileField }, { f: ["image/png", "image/jpeg"], j: ["application/json"] }, )`,
  ],
  [
    "multipart/form-data: {schema: {type: object, properties: {s: {type: string, contentMediaType: image/svg+xml}, t: {type: string, contentMediaType: application/json}}}}",
    "multipartBody({ s: singleValue(stringValue), t: singleValue(stringValue) })",
  ],
  [
    "multipart/form-data: {schema: {type: object, properties: {f: {type: string, format: binary}, g: {type: string}}}, encoding: {f: {contentType: 'Image/*'}, g: {contentType: '*/*'}, h: {contentType: text}, i: {contentType: text/csv}}}",
    'multipartBody({ f: fileField, g: singleValue(stringValue) }, { f: ["image/*"], i: ["text/csv"] })',
  ],
])("a body {%s} is read by %s", async (content, reader) => {
  const api = await buildFixtureApi(
    withPaths(
      `/a: {post: {operationId: a, requestBody: {content: {${content}}}, responses: {'200': {description: ok}}}}\n`,
      "",
    ),
  );
  const [found] = api.operations[0]?.requestBody?.contents ?? [];
  expect(found && (await printed(emitBodyDecoder(found, api)))).toBe(reader);
});

async function printed(piece: ReturnType<typeof emitBodyDecoder>): Promise<string | undefined> {
  if (piece === undefined) return undefined;
  const marked = printSourceFile([code`const reader = ${piece};`]);
  // Each call has a PURE annotation. Without it, bundlers would keep the call and all that it references.
  const text = marked.replaceAll("/* @__PURE__ */ ", "");
  expect(text.replaceAll(/\w+\(/g, "/* @__PURE__ */ $&")).toBe(marked);
  const { text: done } = await formatFile({ path: "a.ts", text });
  const [, reader = ""] = /const reader = ([^]*);\n/.exec(done) ?? [];
  return reader.replaceAll(/\s+/g, " ");
}
