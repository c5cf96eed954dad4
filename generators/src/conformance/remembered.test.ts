import { expect, it } from "vitest";
import type { Case } from "@plumbline/conformance-runtime";
import { changedAt, oneOfEachKind, spotsOf } from "../diff/spots.support.js";
import type { Api } from "../model/api.js";
import { reuse } from "../model/reuse.js";
import { apiOf } from "../model/testing.support.js";
import { contextOf } from "./context.js";
import { flats } from "./flats.support.js";
import { shapeCases } from "./shapes.js";
import { houses, optionsFor } from "./testing.support.js";

it.each<readonly [string, readonly string[], readonly string[]]>([
  ["a schema, operations that do not refer to it", ["shapes", "1", "shape", "title"], ["createHouse"]],
  ["the text of an operation, other operations", ["operations", "1", "summary"], ["updatePet"]],
  ["the input of an operation, no operations", ["operations", "1", "body", "required"], []],
])("keep their cases after a change of %s", async (_, path, same) => {
  const api = await apiOf(houses);
  const before = casesOf(api, options);
  const after = casesOf(reuse(api, changedAt(api, path, "changed")), options);
  const again = ["createHouse", "updatePet"].filter((name) =>
    after.filter(({ operation }) => operation === name).every((each) => before.includes(each)),
  );
  expect([api.shapes[1]?.name, api.operations[1]?.name, again]).toEqual(["Pet", "createHouse", same]);
});

it.each([
  ["houses", houses],
  ["flats", flats],
])("after any change in the model of %s, cached cases equal newly generated ones", async (_, text) => {
  const api = await apiOf(text);
  casesOf(api, options);
  const wrong: string[] = [];
  let before = api;
  const spots = spotsOf(api).filter(({ change }) => change.length > 0);
  for (const { path, change } of process.env["MODE"] === "full" ? spots : oneOfEachKind(spots))
    for (const [how, value] of change) {
      const changed = changedAt(api, path, value);
      const afresh = textOf(structuredClone(changed));
      before = reuse(before, changed);
      if (textOf(before) !== afresh) wrong.push(`${path.join("/")} ${how}`);
    }
  expect(wrong).toEqual([]);
});

const options = optionsFor();

function casesOf(api: Api, from: typeof options): readonly Case[] {
  // The settings are the same object, as those of an unchanged file; the options object is a new one.
  return shapeCases(contextOf(api, { ...from }));
}

/** The cases, or the error: not every change of a model is a valid model. */
function textOf(api: Api): string {
  try {
    return JSON.stringify(casesOf(api, options));
  } catch (error) {
    return String(error);
  }
}
