import assert from "node:assert/strict";
import { createClient, getDomain, toResult } from "@cloud-compute/client";
import { close, open, openMany, point, rows } from "./zones.js";

const client = createClient({ baseUrl: process.env["API_URL"], token: process.env["API_TOKEN"] });
const suffix = `${process.pid}-${Date.now()}.example`;

const zone = await open(client, `one-${suffix}`);
assert.equal((await point(client, zone, "192.0.2.1")).target, "192.0.2.1");
assert.deepEqual(await rows(client, zone), [{ type: "A", target: "192.0.2.1" }]);

const many = await openMany(client, [`two-${suffix}`, `three-${suffix}`]);
assert.deepEqual(many.map(({ domain }) => domain), [`two-${suffix}`, `three-${suffix}`]);
for (const each of [zone, ...many]) await close(client, each);
const gone = await toResult(getDomain(client, { path: { domainId: zone.id } }));
assert.equal(gone.ok ? 200 : gone.error.status, 404);
console.log("zones are closed");
