import { expect, it } from "vitest";
import type { Case } from "@plumbline/conformance-runtime";
import {
  mutateModel,
  firstOfEachKind,
  findMutationSites,
} from "../../../../../packages/diff/src/model-mutations.support.js";
import { type Api, shareStructure } from "@plumbline/model";
import { buildFixtureApi } from "@plumbline/openapi/testing";
import { conformanceContextOf } from "../../context/context.js";
import { flatsDescription } from "../access/access-description.support.js";
import { schemaCases } from "./schema-cases.js";
import { housesDescription, artifactOptions } from "../../context/fixture-context.support.js";

it.each<readonly [string, readonly string[], readonly string[]]>([
  ["a schema, operations that do not refer to it", ["schemas", "1", "schema", "title"], ["createHouse"]],
  ["the text of an operation, other operations", ["operations", "1", "summary"], ["updatePet"]],
  ["the input of an operation, no operations", ["operations", "1", "requestBody", "required"], []],
])("keep their cases after a change of %s", async (_, path, same) => {
  const api = await buildFixtureApi(housesDescription);
  const before = casesOf(api, options);
  const after = casesOf(shareStructure(api, mutateModel(api, path, "changed")), options);
  const again = ["createHouse", "updatePet"].filter((name) =>
    after.filter(({ operation }) => operation === name).every((each) => before.includes(each)),
  );
  expect([api.schemas[1]?.name, api.operations[1]?.name, again]).toEqual(["Pet", "createHouse", same]);
});

it.each([
  ["houses", housesDescription],
  ["flats", flatsDescription],
])(
  "after any change in the model of %s, cached cases equal newly generated ones",
  async (_, text) => {
    const api = await buildFixtureApi(text);
    casesOf(api, options);
    const wrong: string[] = [];
    let before = api;
    const spots = findMutationSites(api).filter(({ change }) => change.length > 0);
    for (const { path, change } of process.env["MODE"] === "full" ? spots : firstOfEachKind(spots))
      for (const [how, value] of change) {
        const changed = mutateModel(api, path, value);
        const afresh = textOf(structuredClone(changed));
        before = shareStructure(before, changed);
        if (textOf(before) !== afresh) wrong.push(`${path.join("/")} ${how}`);
      }
    expect(wrong).toEqual([]);
  },
  300_000,
);

const options = artifactOptions();

function casesOf(api: Api, from: typeof options): readonly Case[] {
  // The settings are the same object, as those of an unchanged file; the options object is a new one.
  return schemaCases(conformanceContextOf(api, { ...from }));
}

/** The cases, or the error: not every change of a model is a valid model. */
function textOf(api: Api): string {
  try {
    return JSON.stringify(casesOf(api, options));
  } catch (error) {
    return String(error);
  }
}
