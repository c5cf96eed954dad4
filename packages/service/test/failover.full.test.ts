import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../src/store/postgres.js";
import { postgresPrograms, startPair } from "../src/store/standby.support.js";
import { brokenInvariants } from "./support/invariants.js";
import { run } from "./support/program.js";
import { proxyTo } from "./support/proxy.js";
import { missingLabels, startLoad } from "./support/tag-load.js";

test.skipIf(postgresPrograms === undefined)(
  "every acknowledged write survives the primary when a standby is promoted",
  async () => {
    const pair = await startPair();
    onTestFinished(() => pair.close());
    // It stands for the address that moves to the new primary.
    const address = await proxyTo(pair.primary);
    const program = await run(["--database-url", address.url, "--data", ":memory:"]);
    const load = startLoad(program, "tag");
    await load.acknowledged(50);
    await pair.killPrimary();
    await load.failed(20);
    // A standby answers reads, and no writes.
    address.moveTo(pair.standby);
    await load.failed(20);
    await pair.promote();
    await load.acknowledged(50);
    expect(await load.stop(), program.log()).toEqual(new Set([200, 503]));
    expect(load.labels.length).toBeGreaterThanOrEqual(100);
    expect(await missingLabels(program, load.labels)).toEqual([]);
    expect(await program.end("SIGTERM")).toBe(0);
    const store = await openPostgres(pair.standby);
    expect(await store.survey(Date.now(), brokenInvariants)).toEqual([]);
    await store.close();
  },
);
