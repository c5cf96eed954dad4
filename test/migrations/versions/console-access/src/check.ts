import assert from "node:assert/strict";
import { createClient, createDomain } from "@cloud-compute/client";
import { beginEmptyProject, beginProject, countDomains, countInProject, describeAccess, masters, setAccess } from "./access.js";

const client = createClient({ baseUrl: process.env["API_URL"], token: process.env["API_TOKEN"] });
const suffix = `${process.pid}-${Date.now()}.example`;

assert.equal(await setAccess(client, false), false);
assert.equal(await describeAccess(client), "keys");
assert.equal(await setAccess(client, true), true);
assert.equal(await describeAccess(client), "open: passwords and keys");

const ids: number[] = [];
for (const label of ["b", "a"])
  ids.push((await createDomain(client, { body: { domain: `${label}-${suffix}`, type: "master", soa_email: "ops@example.com" } })).id);
assert.deepEqual(await masters(client, suffix), [`a-${suffix}`, `b-${suffix}`]);
assert.equal(await countDomains(client, `a-${suffix}`), 1);

const label = `project ${suffix}`;
assert.equal(await beginProject(client, label, ids), label);
assert.equal(await countInProject(client, label), 2);
assert.equal(await beginEmptyProject(client), "empty-project");
console.log("access is in order");
