import { expect, test } from "vitest";
import { contextFromText, housesDescription } from "../../context/fixture-context.support.js";
import { planRequest } from "../../requests/request-plan.js";
import { httpCases } from "./http.js";

const update = (required: boolean, responses: string): string =>
  housesDescription
    .replace(
      "    delete:\n      operationId: deleteHouse",
      `    patch:
      operationId: updateHouse
      tags: [houses]
      parameters: [{name: If-Match, in: header, required: ${required}, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {type: object}, example: {name: abc}}}}
      responses: {'200': {description: Changed.}, ${responses}}
    delete:
      operationId: deleteHouse`,
    )
    .replace("{'200': {description: One., ", "{'200': {description: One., headers: {ETag: {schema: {type: string}}}, ");

async function casesOf(text: string) {
  const cases = httpCases(await contextFromText(text));
  return new Map(cases.filter(({ id }) => id.includes("/if-match/")).map(({ id, steps }) => [id, steps] as const));
}

test("a stale entity tag is rejected with 412, the current one is accepted, and a required one must be sent", async () => {
  const cases = await casesOf(update(true, "'412': {description: Stale.}, '428': {description: Required.}"));
  const make = { make: "House", as: "house", fresh: true };
  const call = { call: "updateHouse", path: { houseId: { $get: "house#/id" } }, body: { name: "abc" } };
  const read = { call: "getHouse", path: { houseId: { $get: "house#/id" } } };
  const before = { ...read, as: "before", setup: true };
  expect(Object.fromEntries(cases)).toEqual({
    "houses/updateHouse/http/if-match/stale": [
      make,
      before,
      { ...call, headers: { "If-Match": '"plumbline-stale"' }, expect: { status: 412 } },
      { ...read, expect: { body: { const: { $get: "before#/body" } } } },
    ],
    "houses/updateHouse/http/if-match/current": [
      make,
      before,
      { ...call, headers: { "If-Match": { $get: "before#/headers/etag" } } },
    ],
    "houses/updateHouse/http/if-match/absent": [make, { ...call, headers: {}, expect: { status: 428 } }],
  });
});

test("without a documented 412 there is no case, and a required tag is that of any object", async () => {
  const text = update(true, "'428': {description: Required.}");
  expect([...(await casesOf(text)).keys()]).toEqual([]);
  const context = await contextFromText(text);
  const operation = context.operations.get("updateHouse");
  expect(operation && planRequest(context, operation, { objects: "own" }).call.headers).toEqual({ "If-Match": "*" });
});
