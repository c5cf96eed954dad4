import { expect, onTestFinished, test } from "vitest";
import { sharedPostgres } from "../src/store/postgres.support.js";
import { canCreateNetworks, createMachine } from "./support/network.js";
import { run } from "./support/program.js";
import { proxyTo } from "./support/proxy.js";
import { missingLabels, startLoad } from "./support/tag-load.js";

test.skipIf(!canCreateNetworks)("replicas go on while the network of one is slow, cut and healed", async () => {
  const machine = createMachine();
  onTestFinished(() => machine.close());
  const url = await sharedPostgres().database();
  const far = await proxyTo(url, machine.back);
  const options = ["--data", ":memory:", "--pace", "0"];
  const here = await run(["--database-url", url, ...options]);
  const there = await run(["--database-url", far.url, "--host", machine.address, ...options], undefined, machine);
  const [loadHere, loadThere] = [startLoad(here, "here"), startLoad(there, "there")];
  await Promise.all([loadHere.acknowledged(30), loadThere.acknowledged(30)]);
  far.delay(20);
  await loadThere.acknowledged(10);
  far.delay(0);
  await loadThere.acknowledged(10);

  // A transaction there has the lock of the account, or will not get it.
  machine.cut();
  await Promise.all([loadThere.failed(8), loadHere.acknowledged(30)]);
  machine.heal();
  await loadThere.acknowledged(30);

  // The lock of the transaction there is not free for a while.
  for (const status of await loadHere.stop()) expect([200, 503], here.log()).toContain(status);
  expect(await loadThere.stop(), there.log()).toEqual(new Set([200, 503]));
  expect(await missingLabels(here, [...loadHere.labels, ...loadThere.labels])).toEqual([]);
  expect(await Promise.all([here.end("SIGTERM"), there.end("SIGTERM")])).toEqual([0, 0]);
});
