import { expect, test } from "vitest";
import { flatCases } from "../access/access-description.support.js";
import { httpCases } from "./http.js";

test("a body that is not an object is rejected, and the error reveals nothing of the server", async () => {
  const cases = await flatCases(httpCases);
  expect(cases.get("flats/updateFlat/http/body/is-list")).toEqual({
    id: "flats/updateFlat/http/body/is-list",
    kind: "http",
    operation: "updateFlat",
    title: "updateFlat rejects a body that is []",
    requirements: [],
    requires: [],
    steps: [
      { make: "Flat", as: "flat" },
      {
        call: "updateFlat",
        path: { flatId: { $get: "flat#/id" } },
        body: { name: "text" },
        raw: { text: "[]", mediaType: "application/json" },
        as: "answer",
        expect: { status: 400 },
      },
      {
        check: { $json: { $get: "answer#/body" } },
        matches: { not: { pattern: "\\bat .*\\.[cm]?[jt]s:\\d+|node_modules|node:internal|Traceback|\\.java:\\d+" } },
        message: "The error reveals its location in the server's code.",
      },
    ],
  });
});

test("other methods are rejected with the allowed ones", async () => {
  const cases = await flatCases(httpCases);
  expect(cases.get("flats/getFlat/http/methods")).toEqual({
    id: "flats/getFlat/http/methods",
    kind: "http",
    operation: "getFlat",
    title: "/flats/{flatId} has GET, PUT, DELETE, and rejects other methods with this list",
    requirements: [],
    requires: [],
    steps: [
      {
        call: "getFlat",
        path: { flatId: 2147483647 },
        method: "POST",
        expect: {
          status: 405,
          error: { field: null },
          headers: {
            allow: {
              type: "string",
              pattern:
                "^(?=.*\\bGET\\b)(?=.*\\bPUT\\b)(?=.*\\bDELETE\\b)\\s*(?:GET|PUT|DELETE|HEAD|OPTIONS)(?:\\s*,\\s*(?:GET|PUT|DELETE|HEAD|OPTIONS))*\\s*$",
            },
          },
        },
      },
      {
        call: "getFlat",
        path: { flatId: 2147483647 },
        method: "PATCH",
        expect: {
          status: 405,
          error: { field: null },
          headers: {
            allow: {
              type: "string",
              pattern:
                "^(?=.*\\bGET\\b)(?=.*\\bPUT\\b)(?=.*\\bDELETE\\b)\\s*(?:GET|PUT|DELETE|HEAD|OPTIONS)(?:\\s*,\\s*(?:GET|PUT|DELETE|HEAD|OPTIONS))*\\s*$",
            },
          },
        },
      },
    ],
  });
});

test("an invalid id identifies nothing", async () => {
  const cases = await flatCases(httpCases);
  expect(cases.get("flats/getFlat/http/flatId/huge")).toEqual({
    id: "flats/getFlat/http/flatId/huge",
    kind: "http",
    operation: "getFlat",
    title: "getFlat finds nothing under an invalid id: huge",
    requirements: ["flat.id"],
    requires: [],
    steps: [
      { make: "Flat", as: "flat" },
      {
        call: "getFlat",
        path: { flatId: "999999999999999999999999999999" },
        as: "answer",
        expect: { status: 404, error: { field: null } },
      },
      {
        check: { $json: { $get: "answer#/body" } },
        matches: { not: { pattern: "\\bat .*\\.[cm]?[jt]s:\\d+|node_modules|node:internal|Traceback|\\.java:\\d+" } },
        message: "The error reveals its location in the server's code.",
      },
    ],
  });
});

test("a repeated parameter is rejected", async () => {
  const cases = await flatCases(httpCases);
  expect(cases.get("flats/listFlats/http/page/twice")).toEqual({
    id: "flats/listFlats/http/page/twice",
    kind: "http",
    operation: "listFlats",
    title: "listFlats rejects a repeated page",
    requirements: [],
    requires: [],
    steps: [{ call: "listFlats", query: { page: [1, 2] }, expect: { status: 400, error: { field: "page" } } }],
  });
});
