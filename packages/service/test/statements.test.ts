import * as api from "@cloud-compute/client";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { deployment } from "../src/features/instances/instances.support.js";
import { sharedPostgres } from "../src/store/postgres.support.js";
import { start } from "../src/testing.support.js";
import * as controls from "../src/testing/index.js";

/** The statements of the table in SCALING.md. More are a cost, and fewer belong in the table. */
const documented = {
  create: 19,
  complete: 17,
  read: 3,
  change: 13,
  list: 5,
  events: 5,
  tag: 10,
  delete: 13,
};

test("requests have as many statements as SCALING.md says", async () => {
  const url = await sharedPostgres().database();
  const { admin, controls: client } = await start(["--database-url", url, "--data", ":memory:"]);
  const during = countStatements();
  const page = { query: { page: 1, page_size: 25 } };
  const once = async (): Promise<Record<keyof typeof documented, number>> => {
    let computeId = 0;
    const created = await during(async () => {
      computeId = (await api.createInstance(admin, { body: deployment })).id;
    });
    return {
      create: created,
      // A notice of the moved clock may arrive after the response.
      complete: await during(() => controls.settle(client), documented.complete),
      read: await during(() => api.getInstance(admin, { path: { computeId } })),
      change: await during(() =>
        api.updateInstance(admin, { path: { computeId }, body: { label: `web-${computeId}` } }),
      ),
      list: await during(() => api.listInstances(admin, page)),
      events: await during(() => api.listEvents(admin, page)),
      tag: await during(() => api.createTag(admin, { body: { label: `tag-${computeId}` } })),
      delete: await during(() => api.deleteInstance(admin, { path: { computeId } })),
    };
  };
  await once();
  await controls.settle(client);
  expect(await once()).toEqual(documented);
});

/** Counts the statements of all clients, at least so many, without the searches for jobs, which run at their own times. */
function countStatements(): (run: () => PromiseLike<unknown>, least?: number) => Promise<number> {
  let count = 0;
  const { prototype } = Client;
  const { query } = prototype;
  prototype.query = function (this: Client, ...given: readonly unknown[]) {
    const [config] = given as [string | { readonly text: string }];
    if (!/ from jobs where/.test(typeof config === "string" ? config : config.text)) count += 1;
    return query.apply(this, given as never);
  } as typeof query;
  onTestFinished(() => {
    prototype.query = query;
  });
  return async (run, least = 0) => {
    const before = count;
    await run();
    await expect.poll(() => count - before).toBeGreaterThanOrEqual(least);
    return count - before;
  };
}
