import { expect, it } from "vitest";
import { buildFixtureApi, withSchemas } from "../openapi/testing.js";
import { memoize, memoizeByKey } from "./memoize.js";

it("creates a value once for a model, and once for each key of a model", async () => {
  const [first, second] = [await buildFixtureApi(withSchemas("{}")), await buildFixtureApi(withSchemas("{}"))];
  let times = 0;
  const create = (): number => (times += 1);
  const ofModel = memoize(create);
  const ofKey = memoizeByKey<object, number>();
  const [key, otherKey] = [{}, {}];
  const read = (): readonly number[] =>
    [first, second].flatMap((api) => [ofModel(api), ofKey(api, key, create), ofKey(api, otherKey, create)]);
  expect([read(), read()]).toEqual([
    [1, 2, 3, 4, 5, 6],
    [1, 2, 3, 4, 5, 6],
  ]);
});

it("keeps undefined, too", async () => {
  const api = await buildFixtureApi(withSchemas("{}"));
  let times = 0;
  const find = memoize(() => void (times += 1));
  expect([find(api), find(api), times]).toEqual([undefined, undefined, 1]);
});
