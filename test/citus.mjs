// The proofs of the reference service on Citus: `npm run citus -w test`, after a build. Exit code 2 without `CITUS_URL`.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { root } from "./run/workspaces.mjs";

const { CITUS_URL, CITUS_WORKER_STOP, CITUS_WORKER_START } = process.env;

if (CITUS_URL === undefined) {
  console.error(
    `CITUS_URL is not set. It is the URL of a database on the coordinator of Citus 13, such as postgres://postgres@localhost/postgres.

- The database has the extension, and two workers or more.
- Its user is a superuser on all servers, with the same password.
- All servers have wal_level=logical, so that shards move, and max_prepared_transactions of 100 or more.
- CITUS_WORKER_STOP and CITUS_WORKER_START are commands that stop a worker, and start it again. Both wait for the end.

The tests create databases on all servers, and drop them.`,
  );
  process.exit(2);
}
if (CITUS_WORKER_STOP === undefined || CITUS_WORKER_START === undefined)
  console.error("No worker will stop: CITUS_WORKER_STOP and CITUS_WORKER_START are not both set.");

const args = ["vitest", "run", "--mode", "citus", ...process.argv.slice(2)];
const cwd = path.join(root, "packages", "service");
process.exitCode = spawnSync("npx", args, { cwd, stdio: "inherit" }).status ?? 1;
