import { expect, onTestFinished, test } from "vitest";
import { pgbouncer, startPooler } from "../src/store/pgbouncer.support.js";
import { sharedPostgres } from "../src/store/postgres.support.js";
import { start } from "../src/testing.support.js";
import { useEverything } from "./support/everything.js";

test.skipIf(pgbouncer === undefined)("the service works behind PgBouncer in its transaction mode", async () => {
  const pooler = await startPooler(sharedPostgres().url);
  onTestFinished(() => pooler.close());
  const url = pooler.through(await sharedPostgres().emptyDatabase());
  // Its start migrates the store, too.
  const replicas = [
    await start(["--database-url", url, "--data", ":memory:"]),
    await start(["--database-url", url, "--data", ":memory:"]),
  ] as const;
  for (const each of replicas) await useEverything(each);
  expect(await replicas[0].settle()).toBe(0);
});
