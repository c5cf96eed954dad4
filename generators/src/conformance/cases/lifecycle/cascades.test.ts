import { expect, test } from "vitest";
import { contextFromText } from "../../context/fixture-context.support.js";
import { kennelsDescription } from "../references/references-description.support.js";
import { cascadeCases } from "./cascades.js";

const missing = { status: 404, error: { field: null, reasonContains: ["Not found"] } };

test("a deleted object is not found, not listed, and cannot be deleted again", async () => {
  const path = { kennelId: { $get: "kennel#/id" } };
  const cases = cascadeCases(await contextFromText(kennelsDescription));
  expect(cases.find(({ id }) => id === "kennels/deleteKennel/deleted")?.steps).toEqual([
    { make: "Kennel", as: "kennel", fresh: true },
    { settle: true },
    { call: "listKennels", as: "before", setup: true },
    { call: "deleteKennel", path },
    { settle: true },
    { call: "getKennel", path, expect: missing },
    {
      call: "listKennels",
      expect: {
        body: {
          properties: { results: { const: { $sum: [{ $get: "before#/body/results" }, -1] } } },
          required: ["results"],
        },
      },
    },
    { call: "deleteKennel", path, expect: missing },
  ]);
});

test("children of a deleted object are deleted, and those of another object are unchanged", async () => {
  const cases = cascadeCases(await contextFromText(kennelsDescription));
  const kept = { kennelId: { $get: "kennelKept#/id" } };
  const keptDog = { ...kept, dogId: { $get: "dogKept#/id" } };
  expect(cases.find(({ id }) => id === "kennels/deleteKennel/cascade/Dog")).toEqual({
    id: "kennels/deleteKennel/cascade/Dog",
    kind: "resources",
    operation: "deleteKennel",
    title: "deleteKennel: deletes every Dog in it, and none of another Kennel",
    requirements: ["dog", "remove"],
    requires: [],
    steps: [
      { make: "Kennel", as: "kennel", fresh: true },
      { make: "Dog", as: "dog", of: { Kennel: { $get: "kennel" } }, fresh: true },
      { make: "Kennel", as: "kennelKept", fresh: true },
      { make: "Dog", as: "dogKept", of: { Kennel: { $get: "kennelKept" } }, fresh: true },
      { settle: true },
      { call: "getKennel", path: kept, as: "kept0", setup: true },
      { call: "getDog", path: keptDog, as: "kept1", setup: true },
      { call: "deleteKennel", path: { kennelId: { $get: "kennel#/id" } } },
      { settle: true },
      { call: "getDog", path: { kennelId: { $get: "kennel#/id" }, dogId: { $get: "dog#/id" } }, expect: missing },
      { call: "getKennel", path: kept, expect: { body: { const: { $get: "kept0#/body" } } } },
      { call: "getDog", path: keptDog, expect: { body: { const: { $get: "kept1#/body" } } } },
    ],
  });
});

test("every list that references a deleted object loses it, and keeps the others", async () => {
  const cases = cascadeCases(await contextFromText(kennelsDescription));
  const read = { call: "getKennel", path: { kennelId: { $get: "kennel#/id" } } };
  const second = { call: "getKennel", path: { kennelId: { $get: "kennelSecond#/id" } } };
  const holds = { tags: [{ $get: "tag#/label" }, { $get: "tagKept#/label" }] };
  const tags = (schema: object): object => ({ body: { properties: { tags: schema }, required: ["tags"] } });
  expect(cases.find(({ id }) => id === "tags/deleteTag/detached/Kennel/tags")).toMatchObject({
    requirements: ["untag", "tags"],
    steps: [
      { make: "Tag", as: "tag", fresh: true },
      { make: "Tag", as: "tagKept", fresh: true },
      { make: "Kennel", as: "kennel", with: holds, fresh: true },
      { make: "Kennel", as: "kennelSecond", with: holds, fresh: true },
      { settle: true },
      { ...read, setup: true, expect: tags({ contains: { const: { $get: "tag#/label" } } }) },
      { ...second, setup: true, expect: tags({ contains: { const: { $get: "tag#/label" } } }) },
      { call: "deleteTag", path: { label: { $get: "tag#/label" } } },
      { settle: true },
      { ...read, expect: tags({ const: [{ $get: "tagKept#/label" }] }) },
      { ...second, expect: tags({ const: [{ $get: "tagKept#/label" }] }) },
    ],
  });
});
