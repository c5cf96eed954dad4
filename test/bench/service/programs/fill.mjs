// fill.mjs FOLDER INSTANCES USERS: fills a folder's store with instances, and with users who each have a token.
import { fill } from "./filled.mjs";
import { openSqlite } from "./node_modules/@cloud-compute/service/dist/store/sqlite.js";

const [folder, ...numbers] = process.argv.slice(2);
const [instances, users] = numbers.map(Number);
await fill(await openSqlite(folder), { instances, users });
