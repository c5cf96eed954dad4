import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { propertyRuns } from "../../../../../test/support/property-testing.js";
import type { Issues } from "../issues/issues.js";
import { reasonOf } from "../issues/reasons.js";
import { multipartBody } from "./bodies.js";
import { explodedArray, fileField, fileFields, jsonValue, singleValue, stringValue } from "./decoders.js";
import { parseMediaType, type MediaType } from "./media-type.js";
import { readParts, type FormPart } from "./multipart.js";

const read = multipartBody({
  caption: singleValue(stringValue),
  detail: singleValue(jsonValue),
  members: explodedArray(jsonValue),
  photo: fileField,
});

const typed = (text: string): MediaType => parseMediaType(text) as MediaType;

async function shown(value: unknown): Promise<unknown> {
  return value instanceof File ? [value.name, value.type, await value.text()] : value;
}

/** What a form is read as: its fields, with files as name, type and text, or the first issue. */
async function readForm(body: Uint8Array, type = "multipart/form-data; boundary=b"): Promise<unknown> {
  const issues: Issues = [];
  const fields = read(body, typed(type), issues);
  const [issue] = issues;
  if (issue !== undefined) return `${issue.path.join(".")} ${reasonOf(issue)}`.trim();
  return Object.fromEntries(
    await Promise.all(
      Object.entries(fields as object).map(async ([name, value]) => [name, await shown(value)] as const),
    ),
  );
}

const partOf = (headers: string, body: string) => `--b\r\n${headers}\r\n\r\n${body}\r\n`;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ["a text", 'Content-Disposition: form-data; name="caption"', { caption: "{}" }],
  [
    "a text with a media type",
    'Content-Disposition: form-data; name="caption"\r\nContent-Type: text/x-a',
    { caption: "{}" },
  ],
  ["a text with a file name", 'Content-Disposition: form-data; name="caption"; filename="a"', { caption: "{}" }],
  [
    "a Blob of text",
    'Content-Disposition: form-data; name="caption"; filename="blob"\r\nContent-Type: text/markdown',
    { caption: "{}" },
  ],
  [
    "an image in the place of a text",
    'Content-Disposition: form-data; name="caption"; filename="a"\r\nContent-Type: image/png',
    "caption must be a string",
  ],
  [
    "bytes in the place of JSON",
    'Content-Disposition: form-data; name="detail"; filename="blob"\r\nContent-Type: application/octet-stream',
    "detail must be a string",
  ],
  [
    "a Blob of JSON",
    'Content-Disposition: form-data; name="detail"; filename="blob"\r\nContent-Type: application/json',
    { detail: {} },
  ],
  [
    "a part of JSON",
    'Content-Disposition: form-data; name="detail"\r\nContent-Type: application/json; charset=utf-8',
    { detail: {} },
  ],
  ["JSON in a text", 'Content-Disposition: form-data; name="detail"', { detail: {} }],
  ["a text in the place of a file", 'Content-Disposition: form-data; name="photo"', "photo must be a file"],
  [
    "a file without a file name",
    'Content-Disposition: form-data; name="photo"\r\nContent-Type: image/png',
    { photo: ["blob", "image/png", "{}"] },
  ],
  [
    "a file of JSON",
    'Content-Disposition: form-data; name="photo"; filename="a.json"\r\nContent-Type: application/json',
    { photo: ["a.json", "application/json", "{}"] },
  ],
  ["an unknown text", 'Content-Disposition: form-data; name="x"\r\nContent-Type: application/json', { x: "{}" }],
  ["an unknown file", 'Content-Disposition: form-data; name="x"; filename="a"', { x: ["a", "text/plain", "{}"] }],
  [
    "unknown bytes",
    'Content-Disposition: form-data; name="x"\r\nContent-Type: application/pdf',
    { x: ["blob", "application/pdf", "{}"] },
  ],
  [
    ".NET's names without quotes",
    "Content-Type: image/png\r\nContent-Disposition: form-data; name=photo; filename=a.png; filename*=utf-8''%C3%A4.png",
    { photo: ["ä.png", "image/png", "{}"] },
  ],
  [
    "the headers of Apache's client",
    'Content-Disposition: form-data; name="caption"\r\nContent-Type: text/plain; charset=ISO-8859-1\r\nContent-Transfer-Encoding: 8bit',
    { caption: "{}" },
  ],
  [
    "a name with escapes",
    'content-disposition: form-data;filename="%22.txt" ; name="photo"',
    { photo: ['".txt', "text/plain", "{}"] },
  ],
  ["no name", 'Content-Disposition: form-data; filename="a"', "must be valid multipart/form-data"],
  ["two names", 'Content-Disposition: form-data; name="a"; name="b"', "must be valid multipart/form-data"],
  ["another disposition", 'Content-Disposition: attachment; name="a"', "must be valid multipart/form-data"],
  [
    "base64",
    'Content-Disposition: form-data; name="caption"\r\nContent-Transfer-Encoding: base64',
    "must be valid multipart/form-data",
  ],
])("reads %s", async (_, headers, expected) => {
  expect(await readForm(encode(`${partOf(headers, "{}")}--b--\r\n`))).toEqual(expected);
});

describe("the media type of a part", () => {
  const typedParts = multipartBody(
    { photo: fileField, photos: fileFields, detail: singleValue(jsonValue) },
    { photo: ["image/jpeg", "text/*"], photos: ["image/*"], detail: ["application/json"] },
  );
  const photo = 'name="photo"; filename="a"';
  const detail = 'name="detail"';
  const accepted = undefined;
  const notPhoto = "photo Content-Type must be image/jpeg or text/*";
  const notDetail = "detail Content-Type must be application/json";

  it.each([
    ["is listed", `${photo}\r\nContent-Type: IMAGE/JPEG; q=1`, accepted],
    ["is of a range", `${photo}\r\nContent-Type: text/csv`, accepted],
    ["is of another range", `${photo}\r\nContent-Type: textual/csv`, notPhoto],
    ["is not listed", `${photo}\r\nContent-Type: image/png`, notPhoto],
    ["is unknown to the browser", `${photo}\r\nContent-Type: application/octet-stream`, notPhoto],
    ["is malformed", `${photo}\r\nContent-Type: jpeg`, notPhoto],
    ["is missing, so that a file is text", photo, accepted],
    ["is missing, and text is not listed", 'name="photos"; filename="a"', "photos Content-Type must be image/*"],
    ["is missing where forms send none", detail, accepted],
    ["of JSON is listed", `${detail}\r\nContent-Type: application/json; charset=utf-8`, accepted],
    ["of JSON is not listed", `${detail}\r\nContent-Type: text/csv`, notDetail],
    ["of a field without a list", 'name="x"; filename="a"\r\nContent-Type: image/gif', accepted],
  ])("%s: %s", (_, headers, reason) => {
    const issues: Issues = [];
    const body = `${partOf(`Content-Disposition: form-data; ${headers}`, "{}")}--b--`;
    typedParts(encode(body), typed("multipart/form-data; boundary=b"), issues);
    expect(issues.map((issue) => `${issue.path.join(".")} ${reasonOf(issue)}`)).toEqual(reason ? [reason] : []);
  });

  it.each([
    [{ photo: new Blob([]), detail: {} }, []],
    [{ photo: new Blob([], { type: "image/jpeg" }), photos: [new Blob([], { type: "image/png" })] }, []],
    [{ photo: new Blob([], { type: "image/png" }) }, [notPhoto]],
    [{ photo: "pixels", photos: ["pixels"] }, ["photo must be a file", "photos must be a file"]],
  ])("of files that no bytes were decoded to: %o", (value, reasons) => {
    const issues: Issues = [];
    typedParts.checkFiles?.(value, issues);
    expect(issues.map((issue) => `${issue.path.join(".")} ${reasonOf(issue)}`)).toEqual(reasons);
  });
});

it("reports a second file of a field that has one", async () => {
  const part = partOf('Content-Disposition: form-data; name="photo"; filename="a"', "x");
  expect(await readForm(encode(`${part}${part}--b--`))).toBe("photo must appear only once");
});

const caption = partOf('Content-Disposition: form-data; name="caption"', "x");

test.each([
  ["an empty form", "--b--", {}],
  ["a preamble and an epilogue", `before\r\n${caption}--b--\r\nafter`, { caption: "x" }],
  ["spaces behind a boundary", `${caption.replace("--b", "--b \t")}--b--`, { caption: "x" }],
  ["nothing", "", "must be valid multipart/form-data"],
  ["a boundary that is longer", "--bc\r\n\r\n--b--", "must be valid multipart/form-data"],
  ["no end of the form", caption, "must be valid multipart/form-data"],
  ["no end of the headers", "--b\r\nContent-Disposition: form-data", "must be valid multipart/form-data"],
])("reads a form with %s", async (_, body, expected) => {
  expect(await readForm(encode(body))).toEqual(expected);
});

it("reports malformed UTF-8 with its field", async () => {
  const body = Uint8Array.from([
    ...encode(partOf('Content-Disposition: form-data; name="caption"', "")).slice(0, -2),
    0xff,
  ]);
  expect(await readForm(Uint8Array.from([...body, ...encode("\r\n--b--")]))).toBe(
    "caption must be well-formed Unicode",
  );
});

it("reads what the platform writes, byte for byte", async () => {
  const name = fc.string({ unit: "grapheme", minLength: 1 }).map((text) => text.replaceAll(/\r\n?|\n/g, "\r\n"));
  const file = fc
    .tuple(fc.uint8Array(), name, fc.constantFrom("", "image/png", "application/json"))
    .map(([bytes, fileName, type]) => new File([bytes, "\r\n--"], fileName, { type }));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, fc.oneof(name, file))), async (entries) => {
      const data = new FormData();
      for (const [key, value] of entries) data.append(key, value);
      const response = new Response(data);
      const boundary = typed(response.headers.get("content-type") ?? "").parameters.get("boundary") ?? "";
      const parts = readParts(new Uint8Array(await response.arrayBuffer()), boundary);
      const expected = [...data].map(async ([key, value]) =>
        typeof value === "string"
          ? { name: key, fileName: undefined, type: undefined, bytes: [...encode(value)] }
          : {
              name: key,
              fileName: value.name,
              type: value.type || "application/octet-stream",
              bytes: [...new Uint8Array(await value.arrayBuffer())],
            },
      );
      const actual = (parts ?? []).map(([key, part]) => ({ name: key, ...(part as FormPart) }));
      expect(actual.map((part) => ({ ...part, bytes: [...part.bytes] }))).toEqual(await Promise.all(expected));
    }),
    propertyRuns(20, 1000),
  );
});
