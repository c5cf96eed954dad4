// What the stores of benchmarks contain.
import { createHash } from "node:crypto";
import { bootstrap, addUser } from "./node_modules/@cloud-compute/service/dist/bootstrap.js";
import { account, instanceOf, token, tokenOf } from "./rows.mjs";

const now = Date.UTC(2026, 0, 1);

/** Fills a store, and closes it. */
export async function fill(store, { instances, users }) {
  await bootstrap(store, { token, now });
  await inParts(store, instances, async (tx) => tx.instances.add(instanceOf(await tx.instances.nextId(), instances)));
  await inParts(store, users, async (tx, number) => {
    const username = `user-${number}`;
    await addUser(tx, { username, account, restricted: false });
    await tx.tokens.add({
      user: username,
      label: "bench",
      scopes: "*",
      created: "2026-01-01T00:00:00Z",
      expiry: null,
      token: "",
      hash: createHash("sha256").update(tokenOf(number)).digest("hex"),
      kind: "personal",
      app: null,
      client: null,
    });
  });
  await store.close();
}

/** A thousand in a transaction. */
async function inParts(store, count, add) {
  for (let first = 0; first < count; first += 1000)
    await store.write({ account, now }, async (tx) => {
      for (let number = first; number < Math.min(count, first + 1000); number += 1) await add(tx, number);
    });
}
