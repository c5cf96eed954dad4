import { expect, test } from "vitest";
import type { ConsoleBody, ConsoleOperation, ConsoleParameter } from "./console-data.js";
import { buildRequest, IncompleteRequestError } from "./request.js";

const base = "https://pets.example/v1";

function operationWith(
  path: string,
  parameters: readonly (Partial<ConsoleParameter> &
    Pick<ConsoleParameter, "in" | "style"> & { readonly name: string })[],
): ConsoleOperation {
  return {
    name: "sendPet",
    method: "POST",
    path,
    base,
    servers: [base],
    parameters: parameters.map(({ name, ...rest }) => ({
      explode: false,
      field: { name, isRequired: true, input: { kind: "json" } },
      ...rest,
    })),
    bodies: [],
    credentials: [{ in: "header", name: "Authorization", prefix: "Bearer ", variable: "TOKEN" }],
    hasResult: true,
    responses: {},
  };
}

const json: ConsoleBody = { mediaType: "application/json", kind: "json", isRequired: true, example: null };

test("parameters are encoded in the style of each", () => {
  const operation = operationWith("/a/{id}/{name}", [
    { name: "id", in: "path", style: "simple" },
    { name: "name", in: "path", style: "simple", hasSegments: true },
    { name: "tags", in: "query", style: "form", explode: true },
    { name: "size", in: "query", style: "deepObject" },
    { name: "absent", in: "query", style: "form" },
    { name: "X-Filter", in: "header", style: "simple" },
    { name: "session", in: "cookie", style: "form", explode: true },
  ]);
  const parameters = ["a b/c", "x/y z", [1, "2&3"], { min: 1 }, undefined, ["a", "b"], "s"];
  const { url, headers, body } = buildRequest(operation, { base, parameters, body: undefined });
  expect(url).toBe(`${base}/a/a%20b%2Fc/x/y%20z?tags=1&tags=2%263&size%5Bmin%5D=1`);
  expect(headers).toEqual([
    ["X-Filter", "a,b"],
    ["Cookie", "session=s"],
  ]);
  expect(body).toBeUndefined();
});

test("a path parameter is required, and cannot be what changes the path", () => {
  const operation = operationWith("/a/{id}", [{ name: "id", in: "path", style: "simple" }]);
  const build = (value: string | undefined) => () =>
    buildRequest(operation, { base, parameters: [value], body: undefined });
  expect(build(undefined)).toThrow(new IncompleteRequestError("Enter a value of id: it is a part of the URL."));
  expect(build("..")).toThrow(new IncompleteRequestError("Enter another value of id: a URL cannot have this one."));
});

test("a body is sent as it was entered, and samples have its value", () => {
  const operation = operationWith("/a", []);
  const build = (content: ConsoleBody, value: string | Record<string, string>) =>
    buildRequest(operation, { base, parameters: [], body: { content, value, files: new Map() } });
  const exact = build(json, '{"id": 12345678901234567890}');
  expect(exact.body).toBe('{"id": 12345678901234567890}');
  expect(exact.headers).toEqual([["Content-Type", "application/json"]]);
  expect(build(json, { a: "b" })).toMatchObject({
    body: '{"a":"b"}',
    example: { body: { kind: "json", value: { a: "b" } } },
  });
  expect(build(json, "{").example.body).toMatchObject({ kind: "text", value: "{" });
  const form = { ...json, mediaType: "application/x-www-form-urlencoded", kind: "form" } as const;
  expect(build(form, { a: "b c", d: "e" }).body).toBe("a=b%20c&d=e");
});

test("a multipart body has the chosen files, and media types of objects", async () => {
  const operation = operationWith("/a", []);
  const content = { ...json, mediaType: "multipart/form-data", kind: "multipart" } as const;
  const files = new Map([["photo", [new File(["x"], "rex.png")]]]);
  const value = { name: "Rex", tags: ["a", "b"], owner: { id: 1 } };
  const request = buildRequest(operation, { base, parameters: [], body: { content, value, files } });
  expect(request.headers).toEqual([]); // the body has its type, with the boundary
  const form = new Response(request.body);
  const text = await form.clone().text();
  expect(text).toContain('name="owner"\r\nContent-Type: application/json\r\n\r\n{"id":1}\r\n');
  const entries = [...(await form.formData())];
  expect(entries.map(([name, each]) => [name, typeof each === "string" ? each : each.name])).toEqual([
    ["name", "Rex"],
    ["tags", "a"],
    ["tags", "b"],
    ["owner", '{"id":1}'],
    ["photo", "rex.png"],
  ]);
  expect(request.example.body?.value).toEqual({ ...value, photo: "@rex.png" });
});

test("samples have variables in the place of credentials", () => {
  const { example } = buildRequest(operationWith("/a", []), { base, parameters: [], body: undefined });
  expect(example.headers).toEqual([{ name: "Authorization", text: "Bearer ", variable: "TOKEN" }]);
});
