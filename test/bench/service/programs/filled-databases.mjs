// filled-databases.mjs COUNT INSTANCES: starts a PostgreSQL, fills this number of databases, and sends their URLs to the parent process.
import { fill } from "./filled.mjs";
import { openPostgres } from "./node_modules/@cloud-compute/service/dist/store/postgres.js";
import { startPostgres } from "./postgres.mjs";

const [count, instances] = process.argv.slice(2).map(Number);
const postgres = await startPostgres({ countsWaits: false });
process.once("disconnect", () => void postgres.close().then(() => process.exit()));
const first = await postgres.database();
await fill(await openPostgres(first), { instances, users: 0 });
const urls = [first];
while (urls.length < count) urls.push(await postgres.database(first));
process.send({ urls });
