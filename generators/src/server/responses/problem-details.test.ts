import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { textOfFile } from "../generate-server.support.js";
import { emitServer } from "../server.js";
import { carriedValidator } from "../validator.js";
import { emitErrorBodies } from "./error-bodies.js";

const described = (root: string): ReturnType<typeof buildFixtureApi> =>
  buildFixtureApi(
    withPaths(
      "/a: {get: {operationId: getA, responses: {'404': {description: no, content: {application/json: {schema: {type: object, required: [message], properties: {message: {type: string}}}}}}}}}",
      root,
    ),
  );

test.each([
  ["x-problem-details: true", "  problemDetails: {},\n"],
  ["x-problem-details: {types: 'urn:notes:'}", '  problemDetails: { types: "urn:notes:" },\n'],
])("with %s every error is a problem", async (root, member) => {
  const api = await described(root);
  expect(await textOfFile(emitServer(api, carriedValidator))).toContain(member);
  expect(emitErrorBodies(api)).toEqual([]);
});

test("without it the documented bodies are filled", async () => {
  const api = await described("");
  expect(await textOfFile(emitServer(api, carriedValidator))).not.toContain("problemDetails");
  expect(emitErrorBodies(api)).toHaveLength(1);
});
