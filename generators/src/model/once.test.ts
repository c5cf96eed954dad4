import { expect, it } from "vitest";
import { once, onceEach } from "./once.js";
import { namesIn, noteRead, recordReads, unrecorded } from "./reads.js";
import { apiOf, withSchemas } from "./testing.support.js";

it("a memoized value is returned again, with its dependencies", async () => {
  const api = await apiOf(withSchemas("Pet: {type: object}"));
  let times = 0;
  const make = (): number => {
    noteRead("Pet");
    return (times += 1);
  };
  const whole = once(make);
  const each = onceEach<object, number>();
  const key = {};
  const read = (): readonly [readonly number[], readonly string[]] => {
    const { value, reads } = recordReads(() => [whole(api), each(api, key, make)]);
    return [value, [...namesIn(reads)]];
  };
  expect(read()).toEqual([[1, 2], ["Pet"]]);
  expect(read()).toEqual([[1, 2], ["Pet"]]);
});

it("inner dependencies belong to the outer computation, unless they are not tracked", () => {
  const { value, reads } = recordReads(() => {
    noteRead("House");
    unrecorded(() => noteRead("Street"));
    return recordReads(() => noteRead("Pet")).reads;
  });
  expect([...namesIn(value)]).toEqual(["Pet"]);
  expect([...namesIn(reads)]).toEqual(["House", "Pet"]);
});
