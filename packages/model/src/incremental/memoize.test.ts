import { expect, it } from "vitest";
import { memoize, memoizeByKey } from "./memoize.js";
import { dependencyNames, trackName, trackDependencies, withoutTracking } from "./dependency-tracking.js";
import { buildFixtureApi, withSchemas } from "@plumbline/openapi/testing";

it("a memoized value is returned again, with its dependencies", async () => {
  const api = await buildFixtureApi(withSchemas("Pet: {type: object}"));
  let times = 0;
  const make = (): number => {
    trackName("Pet");
    return (times += 1);
  };
  const whole = memoize(make);
  const each = memoizeByKey<object, number>();
  const key = {};
  const read = (): readonly [readonly number[], readonly string[]] => {
    const { value, dependencies } = trackDependencies(() => [whole(api), each(api, key, make)]);
    return [value, [...dependencyNames(dependencies)]];
  };
  expect(read()).toEqual([[1, 2], ["Pet"]]);
  expect(read()).toEqual([[1, 2], ["Pet"]]);
});

it("inner dependencies belong to the outer computation, unless they are not tracked", () => {
  const { value, dependencies } = trackDependencies(() => {
    trackName("House");
    withoutTracking(() => trackName("Street"));
    return trackDependencies(() => trackName("Pet")).dependencies;
  });
  expect([...dependencyNames(value)]).toEqual(["Pet"]);
  expect([...dependencyNames(dependencies)]).toEqual(["House", "Pet"]);
});
