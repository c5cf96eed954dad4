import type http from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { clockOf } from "../platform/clock.js";
import { rowsOf } from "../store/database.js";
import { programVersion } from "../store/migrations.js";
import { openSqlite } from "../store/sqlite.js";
import { adminServer } from "./admin-server.js";
import { createMetrics } from "./metrics.js";

/** The admin paths of a store in memory, in which no job runs. */
async function start() {
  const metrics = createMetrics();
  const store = await openSqlite(":memory:", { observeStatement: metrics.observeStatement });
  const clock = await clockOf(store);
  let isDraining = false;
  const server: http.Server = adminServer({ store, clock, metrics, isDraining: () => isDraining });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await store.close();
  });
  const { port } = server.address() as AddressInfo;
  const ask = (path: string, method = "GET") => fetch(`http://127.0.0.1:${port}${path}`, { method });
  const ready = async () => {
    const response = await ask("/readyz");
    const { checks } = (await response.json()) as { readonly checks: Readonly<Record<string, string>> };
    return [response.status, Object.entries(checks).filter(([, result]) => result !== "ok")];
  };
  return { store, clock, metrics, ask, ready, drain: () => (isDraining = true) };
}

const account = "a";

describe("/readyz", () => {
  test("is 503 from the moment at which the service stops", async () => {
    const { ready, drain } = await start();
    expect(await ready()).toEqual([200, []]);
    drain();
    expect(await ready()).toEqual([503, [["draining", "the service stops"]]]);
  });

  test("is 503 if a job is more than a minute late, and 200 while jobs are on hold", async () => {
    const { store, clock, ready } = await start();
    const due = clock.now();
    await store.write({ account, now: due }, (tx) =>
      tx.jobs.add({
        account,
        kind: "boot",
        subject: "instance 1",
        nature: "transient",
        due,
        event: null,
        data: {},
        failures: 0,
      }),
    );
    await clock.advance(30_000);
    expect(await ready()).toEqual([200, []]);
    await clock.advance(31_000);
    expect(await ready()).toEqual([503, [["jobs", "are more than a minute late"]]]);
    await clock.hold(true);
    expect(await ready()).toEqual([200, []]);
  });

  test("is 503 if a later program has changed the store so that this one cannot use it, or the store does not answer", async () => {
    const { store, clock, ready } = await start();
    const migrate = (name: string, oldest: number) =>
      store.survey(clock.now(), ({ database }) =>
        rowsOf(sql`insert into kysely_migration (name, timestamp, oldest) values (${name}, '', ${oldest})`, database),
      );
    await migrate("9998-later", programVersion);
    expect(await ready()).toEqual([200, []]);
    await migrate("9999-later", programVersion + 1);
    expect(await ready()).toEqual([503, [["schema", "does not fit this program"]]]);
    await store.survey(clock.now(), async ({ database }) => {
      await rowsOf(sql`drop table kysely_migration`, database);
    });
    expect(await ready()).toEqual([503, [["store", "does not answer"]]]);
  });
});

describe("/metrics", () => {
  test("has the numbers and the durations of statements by their first word", async () => {
    const { metrics, ask } = await start();
    for (const text of ["select 1 from accounts where id = $1 for update", "vacuum secret"])
      metrics.observeStatement({ text, durationMs: 20, system: "postgresql", error: undefined });
    const text = await (await ask("/metrics")).text();
    for (const statement of ["select", "lock", "other"])
      expect(text).toMatch(
        new RegExp(`^cloud_compute_statement_duration_seconds_count{statement="${statement}"} [1-9]`, "m"),
      );
    expect(text).not.toContain("secret");
  });

  test("has no more fields of findings than 500", async () => {
    const { metrics, ask } = await start();
    const end = metrics.observe({
      operation: "act",
      method: "PUT",
      route: "/",
      requestId: "r",
      scheme: "http",
      header: () => undefined,
    })?.end;
    const outcome = { status: 400, durationMs: 1, user: undefined, error: undefined, thrown: undefined, limits: [] };
    const issues = Array.from({ length: 510 }, (_, index) => {
      return { in: "body" as const, field: `/${index}`, code: "type" as const };
    });
    end?.({ ...outcome, issues, transitions: [], requestBytes: 0, responseBytes: 0 });
    const text = await (await ask("/metrics")).text();
    expect(text.match(/^cloud_compute_validation_issues_total{/gm)).toHaveLength(501);
    expect(text).toContain('cloud_compute_validation_issues_total{field="*",code="type"} 10');
  });
});

test("other paths and methods have no content", async () => {
  const { ask } = await start();
  expect((await ask("/livez")).status).toBe(200);
  expect((await ask("/readyz", "HEAD")).status).toBe(200);
  expect((await ask("/metrics/x")).status).toBe(404);
  expect((await ask("/livez", "POST")).status).toBe(405);
});
