import assert from "node:assert/strict";
import { close, enter, find, heavyPlots, lend, open } from "./src/office";
import { weigh } from "./src/scales";

open(process.env["ALLOTMENTS_URL"] ?? "");
assert.deepEqual(await heavyPlots(), ["North"]);
assert.equal(await enter("Yard"), "#3");
assert.equal(await enter(""), "name: A plot has a name.");
const yard = await find(3);
assert.equal(yard?.soil, "loam");
assert.equal(await find(9), undefined);
assert.equal((await lend(yard, "Eve")).tenant, "Eve");
await assert.rejects(lend({ ...yard, version: "none" }, null));
assert.equal(await weigh(1, [{ crop: "Kale", kilograms: 2 }]), 5);
await close(3);
await assert.rejects(close(3));
console.log("passed");
