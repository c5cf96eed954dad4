// fill.mjs FOLDER INSTANCES USERS: fills a folder's store with instances, and with users who each have a token.
import { createHash } from "node:crypto";
import { bootstrap, addUser } from "./node_modules/@cloud-compute/service/dist/bootstrap.js";
import { openSqlite } from "./node_modules/@cloud-compute/service/dist/store/sqlite.js";
import { account, instanceOf, token, tokenOf } from "./rows.mjs";

const [folder, ...numbers] = process.argv.slice(2);
const [instances, users] = numbers.map(Number);
const now = Date.UTC(2026, 0, 1);
const store = await openSqlite(folder);
await bootstrap(store, { token, now });
await inParts(instances, async (tx) => tx.instances.add(instanceOf(await tx.instances.nextId(), instances)));
await inParts(users, async (tx, number) => {
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

/** A thousand in a transaction. */
async function inParts(count, add) {
  for (let first = 0; first < count; first += 1000)
    await store.write({ account, now }, async (tx) => {
      for (let number = first; number < Math.min(count, first + 1000); number += 1) await add(tx, number);
    });
}
