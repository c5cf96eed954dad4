import assert from "node:assert/strict";
import { client, statuses } from "./src/client";
import { addPlot, findPlot, listPlots, plotName, removePlot, rename } from "./src/plots";
import { record, weighHarvests } from "./src/report";

assert.deepEqual(
  (await listPlots(true)).map(({ name }) => name),
  ["South"],
);
const added = await addPlot({ name: "West", soil: "loam" });
assert.equal(added.plot?.id, 3);
assert.equal(added.at, "/v1/plots/3");
assert.deepEqual(await addPlot({ name: "", soil: "loam" }), { why: "422: name: A plot has a name." });
const north = await findPlot(1);
assert.equal(north?.name, "North");
assert.equal(await findPlot(9), undefined);
assert.equal(await rename(north, "North gate"), "North gate");
assert.equal(await rename({ ...north, version: "z" }, "Other"), "conflict: The plot has changed.");
assert.equal(await plotName(1), "North gate");
assert.equal(await plotName(9), "no plot: There is no such plot.");
assert.deepEqual(await record(client, 1, { crop: "Kale", kilograms: 2, day: "2026-08-01" }), {
  crop: "Kale",
  failed: false,
  why: undefined,
});
assert.deepEqual(await record(client, 8, { crop: "Kale", kilograms: 2 }), {
  crop: undefined,
  failed: true,
  why: "There is no such plot.",
});
assert.deepEqual(await weighHarvests(client, north), { plots: 3, Beans: 3, Kale: 2 });
assert.equal(await removePlot(3), true);
assert.equal(await removePlot(3), false);
assert.deepEqual(statuses.slice(0, 3), [200, 201, 422]);
console.log("passed");
