import { describe, expect, test } from "vitest";
import {
  callOperation,
  createBaseClient,
  deepObject,
  jsonBodyAs,
  multipartBody,
  rawBody,
  urlEncodedBody,
  urlEncodedBodyWith,
  type RequestEncoder,
} from "../index.js";
import { errorOf, serve, type SeenRequest } from "../loopback.support.js";

async function sent(
  body: RequestEncoder,
  value: unknown,
  headers: Record<string, string> = {},
): Promise<SeenRequest | undefined> {
  const { url, seen } = await serve();
  await callOperation(
    createBaseClient({ baseUrl: url, headers }),
    { method: "POST", path: "/x", encoders: [body] },
    { body: value },
  );
  return seen[0];
}

describe("jsonAs", () => {
  test("encodes JSON with another media type", async () => {
    const seen = await sent(jsonBodyAs("application/merge-patch+json"), { a: 1 });
    expect([seen?.headers["content-type"], seen?.body]).toEqual(["application/merge-patch+json", '{"a":1}']);
  });

  test("keeps a content type that is set", async () => {
    const seen = await sent(jsonBodyAs("application/merge-patch+json"), {}, { "Content-Type": "application/x+json" });
    expect(seen?.headers["content-type"]).toBe("application/x+json");
  });
});

describe("urlEncodedBody", () => {
  test("repeats arrays, encodes objects as JSON and omits only null and undefined", async () => {
    const value = {
      a: "x y&z",
      list: [1, { b: 2 }, null],
      object: { c: 3 },
      date: new Date(0),
      none: undefined,
      null: null,
      "": "",
    };
    const seen = await sent(urlEncodedBody, value);
    expect(seen?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect([...new URLSearchParams(seen?.body)]).toEqual([
      ["a", "x y&z"],
      ["list", "1"],
      ["list", '{"b":2}'],
      ["object", '{"c":3}'],
      ["date", "1970-01-01T00:00:00.000Z"],
      ["", ""],
    ]);
  });

  test("accepts encoders for some fields", async () => {
    const seen = await sent(urlEncodedBodyWith({ card: deepObject }), { card: { number: 4, cvc: 2 }, amount: 10 });
    expect(seen?.body).toBe("card%5Bnumber%5D=4&card%5Bcvc%5D=2&amount=10");
  });
});

describe("multipart", () => {
  test("sends files, bytes, scalars, arrays and JSON", async () => {
    const value = {
      file: new File(["data"], "a.txt", { type: "text/plain" }),
      bytes: new Uint8Array([104, 105]),
      list: ["x", 1],
      object: { a: 1 },
      none: undefined,
      null: null,
    };
    const seen = await sent(multipartBody, value, { "Content-Type": "multipart/form-data" });
    const type = String(seen?.headers["content-type"]);
    expect(type).toMatch(/^multipart\/form-data; boundary=/);
    const form = await new Response(seen?.body ?? "", { headers: { "content-type": type } }).formData();
    const parts = [];
    for (const [name, part] of form)
      parts.push(typeof part === "string" ? [name, part] : [name, part.name, part.type, await part.text()]);
    expect(parts).toEqual([
      ["file", "a.txt", "text/plain", "data"],
      ["bytes", "blob", "application/octet-stream", "hi"],
      ["list", "x"],
      ["list", "1"],
      ["object", '{"a":1}'],
    ]);
  });

  test("sends a FormData unchanged", async () => {
    const form = new FormData();
    form.append("a", "b");
    expect((await sent(multipartBody, form))?.body).toContain('name="a"\r\n\r\nb\r\n');
  });

  test("throws for a body without fields", async () => {
    const operation = { method: "POST", path: "/x", encoders: [multipartBody] };
    expect(
      await errorOf(callOperation(createBaseClient({ baseUrl: "http://127.0.0.1:2" }), operation, { body: null })),
    ).toMatchObject({
      code: "request",
    });
  });
});

function stream(): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("da"));
      controller.enqueue(new TextEncoder().encode("ta"));
      controller.close();
    },
  });
}

describe("raw", () => {
  test.each([
    ["text", "data"],
    ["bytes", new TextEncoder().encode("data")],
    ["a buffer", new TextEncoder().encode("data").buffer],
    ["a blob", new Blob(["data"], { type: "text/plain" })],
    ["a stream", stream()],
  ])("sends %s unchanged", async (_, value) => {
    const seen = await sent(rawBody("application/octet-stream"), value);
    expect([seen?.headers["content-type"], seen?.body]).toEqual(["application/octet-stream", "data"]);
  });
});
