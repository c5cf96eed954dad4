import { expect, test } from "vitest";
import { contextFromText, housesDescription } from "../../context/fixture-context.support.js";
import { kennelsDescription } from "../references/references-description.support.js";
import { isolationCases } from "./isolation.js";

test("each operation on an object is tested with unknown and invalid ids, under another parent, and by other callers", async () => {
  const ids = isolationCases(await contextFromText(kennelsDescription)).map(({ id }) => id);
  const forms = ["nonexistent", "letters", "zero", "negative", "fraction", "huge", "encoded-slash"];
  expect(ids.filter((id) => id.startsWith("dogs/updateDog/"))).toEqual([
    ...forms.map((form) => `dogs/updateDog/path/kennelId/${form}`),
    ...forms.map((form) => `dogs/updateDog/path/dogId/${form}`),
    "dogs/updateDog/path/dogId/of-another-parent",
    "dogs/updateDog/others/other-account",
  ]);
  expect(ids.filter((id) => id.startsWith("tags/getTag/path"))).toEqual(
    ["nonexistent", "too-long", "encoded-slash"].map((form) => `tags/getTag/path/label/${form}`),
  );
});

test("a string that accepts an encoded slash is also tested with a slash encoded twice", async () => {
  const slashed = kennelsDescription.replace(
    "[{name: label, in: path,",
    "[{name: label, in: path, x-input: {encodedSlash: true},",
  );
  const cases = isolationCases(await contextFromText(slashed));
  const ofTag = cases.filter(({ id }) => id.startsWith("tags/getTag/path/label/"));
  expect(ofTag.map(({ id }) => id.split("/").at(-1))).toEqual([
    "nonexistent",
    "too-long",
    "encoded-slash",
    "slash-encoded-twice",
  ]);
  expect(ofTag.at(-1)?.steps.at(-1)).toMatchObject({ path: { label: "1%2F2" }, expect: { status: 404 } });
});

test("an unknown id in an otherwise valid request gets the documented response", async () => {
  const cases = isolationCases(await contextFromText(kennelsDescription));
  expect(cases.find(({ id }) => id === "dogs/updateDog/path/dogId/nonexistent")).toEqual({
    id: "dogs/updateDog/path/dogId/nonexistent",
    kind: "resources",
    operation: "updateDog",
    title: "updateDog: dogId that does not exist is not found",
    requirements: ["dog-id", "missing"],
    requires: [],
    steps: [
      { make: "Kennel", as: "kennel" },
      { make: "Dog", as: "dog", of: { Kennel: { $get: "kennel" } } },
      {
        call: "updateDog",
        path: { kennelId: { $get: "kennel#/id" }, dogId: 2_000_000_000 },
        body: { age: 3 },
        expect: { status: 404, error: { field: null, reasonContains: ["Not found"] } },
      },
    ],
  });
});

test.each([
  ["{type: string}", "nonexistent-0"],
  ["{type: string, pattern: '^[a-z]{8}$'}", { $unique: Array.from({ length: 8 }, () => "a-z") }],
  [
    "{type: string, format: uuid}",
    { $unique: expect.arrayContaining(["4", "8", "-", "0123456789abcdef"]) as string[] },
  ],
])("an unknown id is valid: %s", async (schema, id) => {
  const labels = kennelsDescription.replace("{type: string, maxLength: 9}", () => schema);
  const cases = isolationCases(await contextFromText(labels));
  const unknown = cases.find((each) => each.id === "tags/getTag/path/label/nonexistent");
  expect(unknown?.steps.at(-1)).toMatchObject({ path: { label: id }, expect: { status: 404 } });
});

test("for another account an object does not exist, with the same response, and is unchanged", async () => {
  const cases = isolationCases(await contextFromText(kennelsDescription));
  const missing = { status: 404, error: { field: null, reasonContains: ["Not found"] } };
  const path = { kennelId: { $get: "kennel#/id" } };
  expect(cases.find(({ id }) => id === "kennels/deleteKennel/others/other-account")).toMatchObject({
    requirements: ["owned", "remove", "missing"],
    requires: ["other-account"],
    steps: [
      { make: "Kennel", as: "kennel", fresh: true },
      { call: "deleteKennel", by: "other-account", path: { kennelId: 2_000_000_000 }, expect: missing, as: "unknown" },
      { settle: true },
      { call: "getKennel", path, as: "before", setup: true },
      { call: "deleteKennel", by: "other-account", path, expect: missing, as: "hidden" },
      { settle: true },
      { call: "getKennel", path, expect: { body: { const: { $get: "before#/body" } } } },
      { check: { $get: "hidden#/body" }, matches: { const: { $get: "unknown#/body" } } },
    ],
  });
});

test("a child is not found under another parent of the same account", async () => {
  const cases = isolationCases(await contextFromText(kennelsDescription));
  expect(cases.find(({ id }) => id === "dogs/getDog/path/dogId/of-another-parent")?.steps).toEqual([
    { make: "Kennel", as: "kennel" },
    { make: "Dog", as: "dog", of: { Kennel: { $get: "kennel" } } },
    { make: "Kennel", as: "kennelOther", fresh: true },
    {
      call: "getDog",
      path: { kennelId: { $get: "kennelOther#/id" }, dogId: { $get: "dog#/id" } },
      expect: { status: 404, error: { field: null, reasonContains: ["Not found"] } },
    },
  ]);
});

test("rules without a statement in the description are not tested", async () => {
  expect(isolationCases(await contextFromText(housesDescription))).toEqual([]);
});
