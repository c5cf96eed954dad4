import { expect, it } from "vitest";
import { json } from "./bodies.js";
import { operation, type Operation } from "./operation.js";
import { createPet, getPet, listPets } from "./pets.support.js";
import { csv, one, text } from "./readers.js";

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

it("reports all faults", () => {
  expect(getPet({})).toEqual({
    ok: false,
    faults: [{ in: "path", field: "petId", code: "required", reason: "is required" }],
  });
  expect(listPets({ query: "page=x&tags=a", headers: { "X-Filter": '{"a":1,"a":2}' } })).toEqual({
    ok: false,
    faults: [
      { in: "query", field: "page", code: "type", reason: "must be an integer" },
      { in: "query", field: "tags.0", code: "length", reason: "must be 3 to 50 characters" },
      { in: "header", field: "X-Filter", code: "once", reason: "must appear only once" },
    ],
  });
  expect(createPet({})).toEqual({ ok: false, faults: [{ in: "body", code: "required", reason: "is required" }] });
  expect(createPet.body({ name: "Rex", x: 1 }, { unknown: "reject" })).toEqual({
    ok: false,
    faults: [{ in: "body", field: "x", code: "unknown", reason: "is not a known field" }],
  });
});

it("normalizes the body", () => {
  const put: Operation<{ readonly body: { readonly size: number } }> = operation({
    name: "put",
    method: "PUT",
    path: "/",
    body: {
      contents: {
        "application/json": {
          read: json,
          take: (value, strip) => (strip === true ? { size: 1 } : { ...(value as object), size: 2 }),
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
  const get: Operation<{ readonly cookies: { readonly tags: string[]; readonly __proto__: string } }> = operation({
    name: "get",
    method: "GET",
    path: "/",
    parameters: [
      { name: "tags", in: "cookie", read: csv(text), default: ["a"] },
      { name: "__proto__", in: "cookie", read: one(text), default: "b" },
    ],
  });
  const [first, second] = [get({}), get({})];
  expect(first).toEqual({ ok: true, input: { cookies: JSON.parse('{"tags":["a"],"__proto__":"b"}') as unknown } });
  expect(first.ok && second.ok && first.input.cookies.tags !== second.input.cookies.tags).toBe(true);
  expect(get({ cookies: { tags: "x,y" } })).toMatchObject({ input: { cookies: { tags: ["x", "y"] } } });
});
