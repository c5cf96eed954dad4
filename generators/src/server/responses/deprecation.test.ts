import { handlerHeaders } from "@plumbline/kit/model";
import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { textOfFile } from "../generate-server.support.js";
import { emitServer } from "../server.js";
import { carriedValidator } from "../validator.js";

const headers =
  "headers: {Deprecation: {schema: {type: string}}, Sunset: {schema: {type: string}}, Link: {schema: {type: string}}}";
const described = (stated: string): Promise<Awaited<ReturnType<typeof buildFixtureApi>>> =>
  buildFixtureApi(
    withPaths(`/old:
  get: {operationId: getOld, deprecated: true, ${stated} responses: {'200': {description: ok, ${headers}}}}
/new:
  get: {operationId: getNew, responses: {'200': {description: ok}}}`),
  );
const dated = "x-deprecation: {since: 2026-01-01, sunset: 2027-06-30, replacement: getNew},";

test("the server has the headers of deprecated operations", async () => {
  expect(await textOfFile(emitServer(await described(dated), carriedValidator))).toContain(`  deprecations: {
    getOld: {
      Deprecation: "@1767225600",
      Sunset: "Wed, 30 Jun 2027 00:00:00 GMT",
      Link: '<./new>; rel="successor-version"',
    },
  },`);
});

test("a server without dates has no table", async () => {
  expect(await textOfFile(emitServer(await described(""), carriedValidator))).not.toContain("deprecations");
});

test.each([
  [dated, ["Link"]],
  ["x-sunset: 2027-06-30,", ["Deprecation", "Link"]],
  ["", ["Deprecation", "Sunset", "Link"]],
])("with %s handlers set the other documented headers", async (stated, names) => {
  const api = await described(stated);
  const [operation] = api.operations;
  const [response] = operation?.responses ?? [];
  if (operation === undefined || response === undefined) throw new Error("no operation");
  expect(handlerHeaders(api, operation, response).map(({ name }) => name)).toEqual(names);
});
