import { expect, test } from "vitest";
import { flatCases } from "../access/access-description.support.js";
import { existenceCases } from "./existence.js";

test("a created object is read and listed", async () => {
  const cases = await flatCases(existenceCases);
  expect(cases.get("flats/createFlat/created-is-there")).toEqual({
    id: "flats/createFlat/created-is-there",
    kind: "responses",
    operation: "createFlat",
    title: "createFlat: the created object can be read, and is in the list",
    requirements: ["flat.list.scope"],
    requires: [],
    steps: [
      { call: "createFlat", body: { name: "text" }, as: "made" },
      {
        call: "getFlat",
        path: { flatId: { $get: "made#/body/id" } },
        expect: {
          body: {
            type: "object",
            properties: {
              id: { const: { $get: "made#/body/id" } },
              name: { const: { $get: "made#/body/name" } },
              tags: { const: { $get: "made#/body/tags" } },
            },
            required: ["id", "name", "tags"],
          },
        },
      },
      {
        call: "listFlats",
        query: { page_size: 500 },
        everyPage: true,
        expect: {
          body: {
            type: "object",
            properties: {
              data: { contains: { properties: { id: { const: { $get: "made#/body/id" } } }, required: ["id"] } },
            },
            required: ["data"],
          },
        },
      },
    ],
  });
});

test("a deleted object is gone", async () => {
  const cases = await flatCases(existenceCases);
  expect(cases.get("flats/deleteFlat/deleted-is-gone")).toEqual({
    id: "flats/deleteFlat/deleted-is-gone",
    kind: "responses",
    operation: "deleteFlat",
    title: "deleteFlat: the deleted object is not found",
    requirements: [],
    requires: [],
    steps: [
      { make: "Flat", as: "flat", fresh: true },
      { call: "deleteFlat", path: { flatId: { $get: "flat#/id" } } },
      { call: "getFlat", path: { flatId: { $get: "flat#/id" } }, expect: { status: 404, error: { field: null } } },
      {
        call: "listFlats",
        query: { page_size: 500 },
        everyPage: true,
        expect: {
          body: {
            type: "object",
            properties: {
              data: { not: { contains: { properties: { id: { const: { $get: "flat#/id" } } }, required: ["id"] } } },
            },
            required: ["data"],
          },
        },
      },
      { call: "deleteFlat", path: { flatId: { $get: "flat#/id" } }, expect: { status: 404, error: { field: null } } },
    ],
  });
});

test("lists and reads show the same representation", async () => {
  const cases = await flatCases(existenceCases);
  expect(cases.get("flats/listFlats/shows-what-is-read")).toEqual({
    id: "flats/listFlats/shows-what-is-read",
    kind: "responses",
    operation: "listFlats",
    title: "listFlats shows the same representation as getFlat",
    requirements: ["flat.list.scope"],
    requires: [],
    steps: [
      { make: "Flat", as: "flat" },
      { call: "getFlat", path: { flatId: { $get: "flat#/id" } }, as: "read" },
      {
        call: "listFlats",
        query: { page_size: 500 },
        everyPage: true,
        expect: {
          body: {
            type: "object",
            properties: { data: { contains: { const: { $get: "read#/body" } } } },
            required: ["data"],
          },
        },
      },
    ],
  });
});

test("a changed object is read", async () => {
  const cases = await flatCases(existenceCases);
  expect(cases.get("flats/updateFlat/changed-is-read")).toEqual({
    id: "flats/updateFlat/changed-is-read",
    kind: "responses",
    operation: "updateFlat",
    title: "updateFlat responds with what getFlat shows afterwards",
    requirements: [],
    requires: [],
    steps: [
      { make: "Flat", as: "flat", fresh: true },
      { call: "updateFlat", path: { flatId: { $get: "flat#/id" } }, body: { name: "text" }, as: "changed" },
      {
        call: "getFlat",
        path: { flatId: { $get: "flat#/id" } },
        expect: { body: { const: { $get: "changed#/body" } } },
      },
    ],
  });
});
