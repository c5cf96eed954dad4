import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { startOwnPostgres } from "../src/store/postgres.support.js";
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
