// commit.mjs FOLDER: writes a number of rows into a store, each in a transaction that is on disk before the next one begins. Reports how
// many milliseconds that took.
import { openSqlite } from "./node_modules/@cloud-compute/service/dist/store/sqlite.js";
import { account, instanceOf } from "./rows.mjs";

const store = await openSqlite(process.argv[2]);
const now = Date.UTC(2026, 0, 1);
// As long as an instance, in a table of plain rows.
const preferences = instanceOf(100, 100);
let written = 0;
process.on("message", ({ count }) => void write(count));

async function write(count) {
  const started = performance.now();
  for (let number = 0; number < count; number += 1) {
    written += 1;
    const id = `row ${written}`;
    await store.write({ account, now }, (tx) => tx.preferences.add({ id, user: "admin", preferences }));
  }
  process.send({ milliseconds: performance.now() - started });
}
process.once("disconnect", () => process.exit());
process.send({ ready: true });
