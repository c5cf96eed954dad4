import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { startOwnPostgres } from "../src/store/postgres.support.js";
import { adminAddressOf } from "./support/admin-address.js";
import { run } from "./support/program.js";
import { statusOf } from "./support/status.js";
import { onPostgres } from "./support/stores.js";

const question = (index: number) => ({ body: { label: `tag-${index}` } });

test("the service responds with 503 while its database is unreachable, and recovers", async () => {
  const postgres = await startOwnPostgres();
  try {
    const program = await run([...(await onPostgres(postgres)).args]);
    expect(await statusOf(api.createTag(program.admin, question(1)))).toBe(200);
    const during = Array.from({ length: 20 }, (_, index) =>
      statusOf(api.createTag(program.admin, question(10 + index))),
    );
    await postgres.stop();
    for (const status of await Promise.all(during)) expect([200, 503], program.log()).toContain(status);
    expect(await statusOf(api.createTag(program.admin, question(2)))).toBe(503);
    expect(await statusOf(api.listTags(program.admin))).toBe(503);
    await postgres.restart();
    expect(await statusOf(api.createTag(program.admin, question(3)))).toBe(200);
    const { data } = await api.listTags(program.admin, { query: { page: 1, page_size: 500 } });
    const labels = data.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(["tag-1", "tag-3"]));
    expect(labels).not.toContain("tag-2");
    expect(await program.end("SIGTERM")).toBe(0);
  } finally {
    await postgres.close();
  }
});

test("the service is not ready while its database is unreachable, and counts locks and connections", async () => {
  const postgres = await startOwnPostgres();
  try {
    const { args } = await onPostgres(postgres);
    const program = await run([...args, "--log", "info", "--admin-port", "0"]);
    const at = await adminAddressOf(program);
    const ask = async (path: string) => {
      const response = await fetch(`${at}${path}`);
      return { status: response.status, text: await response.text() };
    };
    expect((await ask("/readyz")).status).toBe(200);
    expect(await statusOf(api.createTag(program.admin, question(1)))).toBe(200);
    const { text } = await ask("/metrics");
    expect(text).toMatch(/^cloud_compute_statement_duration_seconds_count{statement="lock"} [1-9]/m);
    expect(text).toMatch(/^cloud_compute_database_connections{state="open"} [1-9]/m);
    expect(text).toMatch(/^cloud_compute_database_connections{state="waiting"} 0/m);
    await postgres.stop();
    const lost = await ask("/readyz");
    expect([lost.status, JSON.parse(lost.text)]).toMatchObject([503, { checks: { store: "does not answer" } }]);
    expect((await ask("/livez")).status).toBe(200);
    expect((await ask("/metrics")).status).toBe(200);
    await postgres.restart();
    await expect.poll(async () => (await ask("/readyz")).status).toBe(200);
    expect(await program.end("SIGTERM")).toBe(0);
  } finally {
    await postgres.close();
  }
});
