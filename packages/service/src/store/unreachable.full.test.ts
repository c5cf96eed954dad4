import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "./postgres.js";
import { startOwnPostgres } from "./postgres.support.js";

const now = Date.UTC(2030, 0, 1);
const scope = { account: "one", now };

// In the loop, `lost-database.test.ts` has the same with the program.
test("fails while PostgreSQL is not reachable, and works again afterwards", async () => {
  const server = await startOwnPostgres();
  try {
    const store = await openPostgres(await server.database());
    onTestFinished(() => store.close());
    const write = () => store.write(scope, ({ tags }) => tags.add({ account: "one", label: String(Math.random()) }));
    await write();
    await server.stop();
    const lost = await Promise.allSettled([write(), store.survey(now, ({ tags }) => tags.count()), write()]);
    expect(lost.map((each) => each.status === "rejected" && (each.reason as Error).name)).toEqual(
      Array(3).fill("StoreUnavailableError"),
    );
    await server.restart();
    await write();
    expect(await store.survey(now, ({ tags }) => tags.count())).toBe(2);
  } finally {
    await server.close();
  }
});
