import { join } from "node:path";
import * as api from "@cloud-compute/client";
import Database from "libsql";
import { expect, onTestFinished, test } from "vitest";
import { deployment } from "../src/features/instances/instances.support.js";
import { tables } from "../src/store/tables.js";
import { durable, start } from "../src/testing.support.js";
import { useEverything } from "./support/everything.js";

/** The statements of the embedded store from now on. */
interface Watched {
  readonly texts: ReadonlySet<string>;
  /** How many statements run meanwhile. */
  during(run: () => PromiseLike<unknown>): Promise<number>;
}

function watchStatements(): Watched {
  const texts = new Set<string>();
  let runs = 0;
  const { prototype } = Database;
  const { prepare } = prototype;
  prototype.prepare = function (this: Database.Database, text: string) {
    texts.add(text);
    const statement = prepare.call(this, text);
    for (const name of ["all", "get", "run"] as const) {
      const method = statement[name].bind(statement) as (...parameters: unknown[]) => unknown;
      statement[name] = ((...parameters: unknown[]) => {
        // The search for jobs runs at its own times.
        if (!/ from jobs /.test(text)) runs += 1;
        return method(...parameters);
      }) as never;
    }
    return statement;
  } as typeof prepare;
  onTestFinished(() => {
    prototype.prepare = prepare;
  });
  return {
    texts,
    during: async (run) => {
      const before = runs;
      await run();
      return runs - before;
    },
  };
}

/** Tables whose rows do not grow with the use of the service, and that may be read whole. */
const small = new Set(["settings", "regions", "public_images"]);

test("no statement of the start, of requests or of jobs reads a table that grows", async () => {
  const [, folder = ""] = await durable();
  const { texts } = watchStatements();
  const first = await start(["--data", folder]);
  await useEverything(first);
  await first.service.close();
  const second = await start(["--data", folder]);
  await second.service.close();
  const database = new Database(join(folder, "cloud-compute.db"));
  onTestFinished(() => void database.close());
  const scans = [...texts].flatMap((text) => {
    if (!/^(select|update|delete)/.test(text)) return [];
    const plan = database.prepare(`explain query plan ${text}`).all() as readonly { readonly detail: string }[];
    const isInOrder = /limit (1|\?)$/.test(text) && !plan.some(({ detail }) => detail.startsWith("USE TEMP"));
    return plan.flatMap(({ detail }) => {
      // The first rows in the order of an index, and a condition that is never true, cost the same in any table.
      if ((isInOrder && detail.includes("USING INDEX")) || text.includes("1 = 0")) return [];
      const table = /^SCAN "?(\w+)/.exec(detail)?.[1] ?? "";
      return Object.hasOwn(tables, table) && !small.has(table) ? [`${table}: ${text}`] : [];
    });
  });
  expect(texts.size).toBeGreaterThan(100);
  expect(scans).toEqual([]);
});

test("the statements of a request do not grow with the rows", async () => {
  const statements = watchStatements();
  const { admin, advance } = await start(["--data", ":memory:"]);
  const create = (): PromiseLike<unknown> => api.createInstance(admin, { body: deployment });
  const page = { query: { page: 1, page_size: 25 } };
  const counted = async (): Promise<Readonly<Record<"create" | "page" | "events", number>>> => ({
    create: await statements.during(create),
    page: await statements.during(() => api.listInstances(admin, page)),
    events: await statements.during(() => api.listEvents(admin, page)),
  });
  await counted();
  const few = await counted();
  for (let made = 0; made < 6; made += 1) await create();
  await advance("PT1M");
  for (let made = 0; made < 100; made += 1) await api.createTag(admin, { body: { label: `tag-${made}` } });
  await counted();
  expect(await counted()).toEqual(few);
  expect(few.create).toBeLessThanOrEqual(20);
});
