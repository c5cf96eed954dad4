import { expect, it } from "vitest";
import { jsonBody, defineOperation, type Operation, commaDelimited, singleValue, stringValue } from "../http/index.js";
import { createPet, getPet, listPets, putPhoto } from "./pets.support.js";

it("validates encoded parameters and a body without a server", () => {
  expect(getPet({ path: { petId: "5" } })).toEqual({ ok: true, input: { path: { petId: 5 } } });
  expect(listPets({ query: "page=2&tags=abc", headers: { "x-filter": "{}" } })).toEqual({
    ok: true,
    input: { query: { page: 2, tags: ["abc"] }, headers: { "X-Filter": {} } },
  });
  expect(listPets({ query: new URLSearchParams({ page: "3" }), headers: new Headers({ "X-Filter": "[]" }) })).toEqual({
    ok: true,
    input: { query: { page: 3 }, headers: { "X-Filter": [] } },
  });
  expect(createPet({ body: { name: "Rex" } })).toEqual({ ok: true, input: { body: { name: "Rex" } } });
});

it("reports all issues", () => {
  expect(getPet({})).toEqual({
    ok: false,
    issues: [{ in: "path", field: "petId", code: "required", reason: "is required" }],
  });
  expect(listPets({ query: "page=x&tags=a", headers: { "X-Filter": '{"a":1,"a":2}' } })).toEqual({
    ok: false,
    issues: [
      { in: "query", field: "page", code: "type", reason: "must be an integer" },
      { in: "query", field: "tags.0", code: "length", reason: "must be 3 to 50 characters" },
      { in: "header", field: "X-Filter", code: "duplicateParameter", reason: "must appear only once" },
    ],
  });
  expect(createPet({})).toEqual({ ok: false, issues: [{ in: "body", code: "required", reason: "is required" }] });
  expect(createPet.body({ name: "Rex", x: 1 }, { unknown: "reject" })).toEqual({
    ok: false,
    issues: [{ in: "body", field: "x", code: "unknown", reason: "is not a known field" }],
  });
});

it("requires files where a form has them", () => {
  const path = { petId: "5" };
  const form = { photo: new Blob(["pixels"]), caption: "Rex" };
  const { body: definition, ...rest } = putPhoto.definition;
  const contents = { "multipart/form-data": definition?.contents["multipart/form-data"] ?? {} };
  const upload: Operation<unknown> = defineOperation({ ...rest, body: { contents } });
  expect(upload({ path, body: form })).toEqual({ ok: true, input: { path: { petId: 5 }, body: form } });
  for (const photo of ["pixels", 5])
    expect(upload({ path, body: { photo } })).toEqual({
      ok: false,
      issues: [{ in: "body", field: "photo", code: "type", reason: "must be a file" }],
    });
});

it("normalizes the body", () => {
  const put: Operation<{ readonly body: { readonly size: number } }> = defineOperation({
    name: "put",
    method: "PUT",
    path: "/",
    body: {
      contents: {
        "application/json": {
          decode: jsonBody,
          normalize: (value, strip) => (strip === true ? { size: 1 } : { ...(value as object), size: 2 }),
        },
      },
    },
  });
  const given = { name: "a" };
  expect(put.body(given)).toEqual({ ok: true, input: { name: "a", size: 2 } });
  expect(put.body(given, { unknown: "strip" })).toEqual({ ok: true, input: { size: 1 } });
  expect(put({})).toEqual({ ok: true, input: {} });
  expect(given).toEqual({ name: "a" });
});

it("does not share its defaults, and reads cookies", () => {
  const get: Operation<{ readonly cookies: { readonly tags: string[]; readonly __proto__: string } }> = defineOperation(
    {
      name: "get",
      method: "GET",
      path: "/",
      parameters: [
        { name: "tags", in: "cookie", decode: commaDelimited(stringValue), default: ["a"] },
        { name: "__proto__", in: "cookie", decode: singleValue(stringValue), default: "b" },
      ],
    },
  );
  const [first, second] = [get({}), get({})];
  expect(first).toEqual({ ok: true, input: { cookies: JSON.parse('{"tags":["a"],"__proto__":"b"}') as unknown } });
  expect(first.ok && second.ok && first.input.cookies.tags !== second.input.cookies.tags).toBe(true);
  expect(get({ cookies: { tags: "x,y" } })).toMatchObject({ input: { cookies: { tags: ["x", "y"] } } });
});
