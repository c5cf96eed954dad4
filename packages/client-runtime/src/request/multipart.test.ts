import { describe, expect, test } from "vitest";
import {
  bodyByContentType,
  callOperation,
  createBaseClient,
  jsonBody,
  multipartBodyWith,
  part,
  urlEncodedBody,
  type RequestEncoder,
} from "../index.js";
import { errorOf } from "../loopback.support.js";
import type { RequestArguments } from "../operation.js";

async function sent(encoder: RequestEncoder, given: RequestArguments): Promise<Request> {
  let seen: Request | undefined;
  const client = createBaseClient({
    baseUrl: "http://127.0.0.1:2",
    fetch: async (url, init) => {
      seen = new Request(url, init);
      return new Response(undefined, { status: 204 });
    },
  });
  await callOperation(client, { method: "POST", path: "/x", encoders: [encoder] }, given);
  if (seen === undefined) throw new Error("nothing was sent");
  return seen;
}

describe("multipart with media types and headers of parts", () => {
  test("is what the platform reads", async () => {
    const body = {
      meta: { a: 1 },
      tags: ["x", "y"],
      'na"me': "é",
      file: part(new File(["data"], 'a".png', { type: "image/png" }), { headers: { "X-Size": 4 } }),
      bytes: new Uint8Array([104, 105]),
      none: null,
      left: undefined,
    };
    const request = await sent(multipartBodyWith({ meta: "application/json", bytes: "image/gif" }), { body });
    const text = await request.clone().text();
    const data = await request.formData();
    expect(
      [...data].map(([name, value]) => [name, typeof value === "string" ? value : [value.name, value.type]]),
    ).toEqual([
      ["meta", '{"a":1}'],
      ["tags", "x"],
      ["tags", "y"],
      ['na"me', "é"],
      ["file", ['a".png', "image/png"]],
      ["bytes", ["blob", "image/gif"]],
    ]);
    expect(await (data.get("file") as File).text()).toBe("data");
    expect(text).toContain('name="meta"\r\nContent-Type: application/json\r\n\r\n{"a":1}\r\n');
    expect(text).toContain("Content-Type: image/png\r\nX-Size: 4\r\n\r\ndata\r\n");
  });

  test("a header of a part cannot become two", async () => {
    const encoder = multipartBodyWith({});
    const body = { a: part("b", { headers: { "X-A": "1\r\nX-B: 2" } }) };
    const call = callOperation(
      createBaseClient({ baseUrl: "http://127.0.0.1:2" }),
      { method: "POST", path: "/x", encoders: [encoder] },
      { body },
    );
    expect(await errorOf(call)).toMatchObject({ code: "request" });
  });
});

describe("a body with several media types", () => {
  const encoder = bodyByContentType({
    "application/json": jsonBody,
    "application/x-www-form-urlencoded": urlEncodedBody,
  });

  test.each([
    [undefined, "application/json", '{"a":1}'],
    ["application/json", "application/json", '{"a":1}'],
    ["application/x-www-form-urlencoded", "application/x-www-form-urlencoded", "a=1"],
  ])("is sent as %s", async (contentType, type, text) => {
    const request = await sent(encoder, { contentType, body: { a: 1 } });
    expect([request.headers.get("content-type"), await request.text()]).toEqual([type, text]);
  });

  test.each(["text/plain", "__proto__", "toString"])("is not sent as %s", async (contentType) => {
    const operation = { method: "POST", path: "/x", encoders: [encoder] };
    const call = callOperation(createBaseClient({ baseUrl: "http://127.0.0.1:2" }), operation, {
      contentType,
      body: {},
    });
    expect(await errorOf(call)).toMatchObject({ code: "request" });
  });
});
