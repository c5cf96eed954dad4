import { expect, it } from "vitest";
import { buildFixtureApi, withSchemas } from "@plumbline/openapi/testing";
import type { Api } from "../api.js";
import { schemasByName } from "../schemas/schemas-by-name.js";
import { anyDependency, dependencyNames, trackDependencies, trackName } from "./dependency-tracking.js";
import { memoizeAcrossModels } from "./memoize-across-models.js";
import { shareStructure } from "./structural-sharing.js";

const operation = {};

it("a value is kept for a later model while key, inputs and the schemas that it read are unchanged", async () => {
  const first = await model("Pet: {type: object}\nHouse: {type: object}");
  const otherHouse = shareStructure(first, await model("Pet: {type: object}\nHouse: {type: string}"));
  const otherPet = shareStructure(otherHouse, await model("Pet: {type: string}\nHouse: {type: string}"));
  const memoized = memoizeAcrossModels<object, number>();
  let times = 0;
  const read = (api: Api, settings: string, key = operation): number =>
    memoized(api, key, {
      inputs: [settings],
      create: () => {
        schemasByName(api).get("Pet");
        return (times += 1);
      },
    });
  expect([read(first, "a"), read(first, "a"), read(otherHouse, "a")]).toEqual([1, 1, 1]);
  expect([read(otherPet, "a"), read(otherPet, "b"), read(otherPet, "b", {})]).toEqual([2, 3, 4]);
});

it("a value that depends on any schema is computed each time", async () => {
  const api = await model("Pet: {type: object}");
  const memoized = memoizeAcrossModels<object, number>();
  let times = 0;
  const create = (): number => {
    trackName(anyDependency);
    return (times += 1);
  };
  const read = () => memoized(api, operation, { inputs: [], create });
  expect([read(), read()]).toEqual([1, 2]);
});

it("a memoized value passes its dependencies on to its users", async () => {
  const api = await model("Pet: {type: object}");
  const memoized = memoizeAcrossModels<object, unknown>();
  const read = () => memoized(api, operation, { inputs: [], create: () => schemasByName(api).get("Pet") });
  read();
  expect([...dependencyNames(trackDependencies(read).dependencies)]).toEqual(["Pet"]);
});

async function model(schemas: string): Promise<Api> {
  return structuredClone(await buildFixtureApi(withSchemas(schemas))); // not frozen, so that it can share parts of another
}
