import { expect, test } from "vitest";
import { buildFixtureApi, withPaths } from "../openapi/testing.js";
import { deprecationHeaders } from "./deprecation.js";

async function headersOf(stated: string, paths: { readonly old: string; readonly next: string }) {
  const parameters = [...paths.old.matchAll(/\{(.*?)\}/g)]
    .map(([, name]) => `{name: ${name}, in: path, required: true, schema: {type: string}}`)
    .join(", ");
  const api = await buildFixtureApi(
    withPaths(`${paths.old}:
  get: {operationId: listOld, deprecated: true, x-deprecation: {${stated}}, parameters: [${parameters}], responses: {}}
${paths.next}:
  post: {operationId: listNew, responses: {}}`),
  );
  const old = api.operations.find(({ name }) => name === "listOld");
  return old && deprecationHeaders(api, old);
}

test("dates have the formats of their RFCs, and a link for each relation", async () => {
  const stated =
    "since: '2023-06-30T23:59:59Z', sunset: 2024-06-30, link: 'https://a.example/a', sunsetLink: 'https://a.example/b', replacement: listNew";
  expect(await headersOf(stated, { old: "/old", next: "/new" })).toEqual({
    Deprecation: "@1688169599",
    Sunset: "Sun, 30 Jun 2024 00:00:00 GMT",
    Link: '<https://a.example/a>; rel="deprecation", <https://a.example/b>; rel="sunset", <./new>; rel="successor-version"',
  });
});

test("a date before 1970 is negative", async () => {
  expect(await headersOf("since: '1969-12-31T23:59:59Z'", { old: "/old", next: "/new" })).toEqual({
    Deprecation: "@-1",
  });
});

test.each([
  { old: "/old", next: "/new", from: "/v1/old" },
  { old: "/a/{id}/old", next: "/a/{id}/new", from: "/v1/a/7/old" },
  { old: "/a/{id}/old", next: "/b", from: "/v1/a/7/old" },
  { old: "/a/b", next: "/a", from: "/v1/a/b" },
  { old: "/a", next: "/a/b/c", from: "/v1/a" },
  { old: "/a/b/c/d", next: "/a/x", from: "/v1/a/b/c/d" },
  { old: "/a/", next: "/a/b", from: "/v1/a/" },
])("$next replaces $old", async ({ old, next, from }) => {
  const headers = await headersOf("replacement: listNew", { old, next });
  const [, reference = ""] = /<(.*)>/.exec(headers?.Link ?? "") ?? [];
  expect(new URL(reference, `https://a.example${from}`).pathname).toBe(`/v1${next.replace("{id}", "7")}`);
});

test.each([
  { old: "/a/{id}", next: "/b/{id}" },
  { old: "/a", next: "/b/{id}" },
])("no link leads from $old to $next, which needs a value", async (paths) => {
  expect(await headersOf("replacement: listNew", paths)).toEqual({});
});
