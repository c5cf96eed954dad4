import assert from "node:assert/strict";
import { client, statuses } from "./src/client";
import { addPlot, findPlot, listPlots, plotName, removePlot, rename } from "./src/plots";
import { Ledger } from "./src/ledger";
import { checkBoard } from "./board.check";
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
const ledger = new Ledger(client);
assert.deepEqual(await ledger.names(["sand"]), ["South"]);
assert.equal((await ledger.find(1))?.soil, "clay");
assert.equal(await ledger.find(7), null);
assert.equal(await ledger.sure(2), "South");
await assert.rejects(ledger.sure(7));
assert.equal(await ledger.describe(1), "North gate of Ada");
assert.equal(await ledger.describe(2), "South");
assert.equal(await ledger.describe(7), "404 There is no such plot.");
assert.deepEqual(
  (await ledger.collect([2, 7, 1])).map(({ id }) => id),
  [2, 1],
);
assert.equal((await ledger.heaviest(1))(), "Beans");
assert.equal((await ledger.heaviest(7))(), "There is no such plot.");
assert.deepEqual(await ledger.state(7), { found: false, data: undefined, why: "There is no such plot." });
assert.equal((await ledger.state(2)).data?.name, "South");
assert.equal(await ledger.copy(2), 3);
assert.equal(await ledger.copy(7), undefined);
assert.equal(await ledger.free(), 2);
assert.deepEqual(await ledger.everyone([1, 7]), ["Ada", "There is no such plot."]);
assert.deepEqual(statuses.slice(0, 3), [200, 201, 422]);
await checkBoard();
console.log("passed");
