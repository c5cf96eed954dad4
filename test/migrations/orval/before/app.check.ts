import assert from "node:assert/strict";
import { diary, write } from "./src/diary";
import { give, hand, lightPlots, show, start } from "./src/plan";

assert.deepEqual(
  (await lightPlots()).map(({ name }) => name),
  ["South"],
);
assert.equal(await show(1), "North: heavy");
assert.equal(await show(2, "planner"), "South: light");
assert.equal(await show(9), "404 There is no such plot.");
assert.deepEqual(await start({ name: "Hill", soil: "loam" }), { id: 3, at: "/v1/plots/3" });
assert.equal(await start({ name: "", soil: "loam" }), "422: name");
assert.equal(await hand(3, "v3", "Cy"), "Cy");
assert.equal(await hand(3, "v1", "Di"), "conflict");
assert.equal(await hand(8, "v1", "Di"), "There is no such plot.");
assert.equal((await write(1, { crop: "Leek", kilograms: 1, day: "2026-05-01" })).crop, "Leek");
assert.equal(await diary(1), "North: Beans, Leek");
assert.equal(await diary(9), "nothing");
assert.deepEqual(await give([3, 3], new AbortController().signal), [true, false]);
console.log("passed");
