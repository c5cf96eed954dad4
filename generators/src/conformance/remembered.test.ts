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
  ["a shape, those that do not lead to it", ["shapes", "1", "shape", "title"], ["createHouse"]],
  ["the text of an operation, those of others", ["operations", "1", "summary"], ["updatePet"]],
  ["what an operation takes, none", ["operations", "1", "body", "required"], []],
])("after a change of %s have the same cases", async (_, path, same) => {
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
])("whatever changes in the model of %s, the cases are those that are made afresh", async (_, text) => {
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
  // The options are the same, as those of a settings file that has not changed; what holds them is another each time.
  return shapeCases(contextOf(api, { ...from }));
}

/** The cases, or why there are none: not everything that a model can be changed to is a model. */
function textOf(api: Api): string {
  try {
    return JSON.stringify(casesOf(api, options));
  } catch (error) {
    return String(error);
  }
}
