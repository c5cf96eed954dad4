import { expect, test } from "vitest";
import { contextFromText } from "../../context/fixture-context.support.js";
import type { ConformanceSettings } from "../../context/settings.js";
import { kennelsDescription } from "./references-description.support.js";
import { referenceCases } from "./references.js";

const settings: Partial<ConformanceSettings> = {
  fixtures: {
    Kennel: { requires: [], steps: [{ call: "createKennel", body: {}, as: "made" }], outputs: { $get: "made#/body" } },
    Dog: { requires: [], steps: [], outputs: { id: 7, kennel: { $get: "of#/Kennel/id" } } },
  },
  operations: { createKennel: { body: {}, beside: { "dogs.*": { size: "large" } } } },
};
const refused = (field: string): object => ({ status: 400, error: { field } });

test("an item that references a missing object is rejected with its index, first or second", async () => {
  const cases = referenceCases(await contextFromText(kennelsDescription, settings));
  expect(cases.map(({ id }) => id.replace("kennels/createKennel/", ""))).toEqual([
    "body/tags.item/made",
    "body/dogs.item/missing",
    "body/dogs.item/second-missing",
    "body/dogs.item/of-another-account",
    "body/dogs.item/fitting",
    "body/dogs.item/of-deleted-Kennel",
    "rejected-changes-nothing",
  ]);
  expect(cases.find(({ id }) => id.endsWith("dogs.item/missing"))).toEqual({
    id: "kennels/createKennel/body/dogs.item/missing",
    kind: "references",
    operation: "createKennel",
    title: "createKennel: dogs.* with a missing Dog is rejected",
    requirements: ["dogs"],
    requires: [],
    steps: [{ call: "createKennel", body: { size: "large", dogs: [2_000_000_000] }, expect: refused("dogs.0") }],
  });
  expect(cases.find(({ id }) => id.endsWith("second-missing"))?.steps).toEqual([
    { make: "Kennel", as: "dogNamedKennel" },
    { make: "Dog", as: "dogNamed", of: { Kennel: { $get: "dogNamedKennel" } } },
    {
      call: "createKennel",
      body: { size: "large", dogs: [{ $get: "dogNamed#/id" }, 2_000_000_000] },
      expect: refused("dogs.1"),
    },
  ]);
});

test("an object of another account is rejected like a missing one, and the caller's own is accepted", async () => {
  const cases = referenceCases(await contextFromText(kennelsDescription, settings));
  const steps = (end: string): unknown => cases.find(({ id }) => id.endsWith(end))?.steps;
  expect(steps("of-another-account")).toEqual([
    { make: "Kennel", as: "foreignKennel", by: "other-account" },
    { make: "Dog", as: "foreign", of: { Kennel: { $get: "foreignKennel" } }, by: "other-account" },
    { call: "createKennel", body: { size: "large", dogs: [{ $get: "foreign#/id" }] }, expect: refused("dogs.0") },
  ]);
  expect(steps("fitting")).toEqual([
    { make: "Kennel", as: "dogNamedKennel" },
    { make: "Dog", as: "dogNamed", of: { Kennel: { $get: "dogNamedKennel" } }, fresh: true },
    { call: "createKennel", body: { size: "large", dogs: [{ $get: "dogNamed#/id" }] } },
  ]);
});

test("a rejected request creates nothing, and an object that is created by its name exists", async () => {
  const cases = referenceCases(await contextFromText(kennelsDescription, settings));
  const steps = (end: string): unknown => cases.find(({ id }) => id.endsWith(end))?.steps;
  expect(steps("rejected-changes-nothing")).toMatchObject([
    { make: "Kennel" },
    { make: "Dog", as: "dogNamed", fresh: true },
    { settle: true },
    { call: "listKennels", as: "before0", setup: true },
    { call: "createKennel", expect: refused("dogs.1") },
    { settle: true },
    {
      call: "listKennels",
      expect: { body: { properties: { results: { const: { $get: "before0#/body/results" } } } } },
    },
  ]);
  expect(steps("tags.item/made")).toEqual([
    { call: "createKennel", body: { tags: [{ $unique: "label" }] }, as: "answer" },
    { call: "getTag", path: { label: { $get: "answer#/request/body/tags/0" } } },
    { call: "deleteTag", path: { label: { $get: "answer#/request/body/tags/0" } }, setup: true },
  ]);
});
