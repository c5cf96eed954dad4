import { expect, test } from "vitest";
import { flatCases } from "./access-description.support.js";
import { grantCases } from "./grants.js";

test("all named grants but the required one are not enough", async () => {
  const cases = await flatCases(grantCases);
  expect(cases.get("flats/createFlat/grants/without-add_flats")).toEqual({
    id: "flats/createFlat/grants/without-add_flats",
    kind: "grants",
    operation: "createFlat",
    title: "createFlat rejects a user with every grant but add_flats",
    requirements: ["flat.create.global"],
    requires: ["callers"],
    steps: [
      {
        call: "createFlat",
        body: { name: "text" },
        by: { caller: "restricted", grants: { global: { add_flats: false } }, lacksAll: true },
        expect: { status: 403, error: { field: null } },
      },
    ],
  });
});

test("an object without a grant gets the response of a missing one", async () => {
  const cases = await flatCases(grantCases);
  expect(cases.get("flats/getFlat/grants/flatId/none")).toEqual({
    id: "flats/getFlat/grants/flatId/none",
    kind: "grants",
    operation: "getFlat",
    title: "getFlat rejects a user without a grant on its object: flat",
    requirements: ["flat.read.grant"],
    requires: ["callers"],
    steps: [
      { make: "Flat", as: "flat" },
      {
        call: "getFlat",
        path: { flatId: { $get: "flat#/id" } },
        by: { caller: "restricted", grants: { global: { add_flats: false } }, lacksAll: true },
        as: "hidden",
        expect: { status: 404, error: { field: null } },
      },
      {
        call: "getFlat",
        path: { flatId: 2147483647 },
        by: { caller: "restricted", grants: { global: { add_flats: false } }, lacksAll: true },
        as: "absent",
        expect: { status: 404, error: { field: null } },
      },
      {
        check: { $get: "hidden#/body" },
        matches: { const: { $get: "absent#/body" } },
        message: "A hidden object and a missing object have different responses.",
      },
    ],
  });
});

test("a level that is too low is rejected", async () => {
  const cases = await flatCases(grantCases);
  expect(cases.get("flats/updateFlat/grants/flatId/read_only")).toEqual({
    id: "flats/updateFlat/grants/flatId/read_only",
    kind: "grants",
    operation: "updateFlat",
    title: "updateFlat rejects a user with read_only where read_write is required: flat",
    requirements: [],
    requires: ["users"],
    steps: [
      { make: "Flat", as: "flat" },
      {
        call: "updateFlat",
        path: { flatId: { $get: "flat#/id" } },
        body: { name: "text" },
        by: {
          caller: "restricted",
          grants: { global: { add_flats: false }, flat: [{ id: { $get: "flat#/id" }, permissions: "read_only" }] },
        },
        as: "hidden",
        expect: { status: 403, error: { field: null } },
      },
    ],
  });
});

test("tags are for some callers", async () => {
  const cases = await flatCases(grantCases);
  expect(cases.get("flats/createFlat/grants/tags/restricted")).toEqual({
    id: "flats/createFlat/grants/tags/restricted",
    kind: "grants",
    operation: "createFlat",
    title: "createFlat with tags rejects a restricted user",
    requirements: ["flat.tags"],
    requires: ["users"],
    steps: [
      {
        call: "createFlat",
        body: { $merge: [{ name: "text" }, { tags: [{ $unique: "label" }] }] },
        by: { caller: "restricted", grants: { global: { add_flats: true } } },
        expect: { status: 403, error: { field: null } },
      },
    ],
  });
});

test("a list shows only granted objects", async () => {
  const cases = await flatCases(grantCases);
  expect(cases.get("flats/listFlats/grants/list/one")).toEqual({
    id: "flats/listFlats/grants/list/one",
    kind: "grants",
    operation: "listFlats",
    title: "listFlats shows a restricted user the objects on which it holds a grant, and no others",
    requirements: ["flat.owner", "flat.list.scope"],
    requires: ["users"],
    steps: [
      { make: "Flat", as: "flat" },
      { make: "Flat", as: "hidden", fresh: true },
      {
        call: "listFlats",
        by: {
          caller: "restricted",
          grants: { global: { add_flats: false }, flat: [{ id: { $get: "flat#/id" }, permissions: "read_only" }] },
        },
        everyPage: true,
        expect: {
          body: {
            type: "object",
            properties: {
              data: {
                allOf: [
                  {
                    type: "array",
                    items: { anyOf: [{ properties: { id: { const: { $get: "flat#/id" } } }, required: ["id"] }] },
                  },
                  { contains: { properties: { id: { const: { $get: "flat#/id" } } }, required: ["id"] } },
                ],
              },
            },
          },
        },
      },
    ],
  });
});

test("a user without any permission cannot find out what exists", async () => {
  const cases = await flatCases(grantCases);
  expect(cases.get("flats/deleteFlat/grants/restricted-missing")).toEqual({
    id: "flats/deleteFlat/grants/restricted-missing",
    kind: "grants",
    operation: "deleteFlat",
    title: "deleteFlat rejects a restricted user, also for a missing object",
    requirements: ["flat.delete.owner"],
    requires: ["callers"],
    steps: [
      { make: "Flat", as: "flat" },
      {
        call: "deleteFlat",
        path: { flatId: 2147483647 },
        by: { caller: "restricted", grants: { global: { add_flats: true } }, lacksAll: true },
        expect: { status: 403, error: { field: null } },
      },
    ],
  });
});
