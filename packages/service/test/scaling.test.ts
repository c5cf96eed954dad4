import { join } from "node:path";
import * as api from "@cloud-compute/client";
import Database from "libsql";
import { expect, onTestFinished, test } from "vitest";
import { deploy, deployment } from "../src/features/instances/instances.support.js";
import { publicKeys } from "../src/features/profile/ssh-keys.support.js";
import { tables } from "../src/store/tables.js";
import { durable, start, type World } from "../src/testing.support.js";

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

/** What an owner of some of everything does. */
async function useEverything(world: World): Promise<void> {
  const { admin } = world;
  const { id: computeId, label } = await deploy(world, { private_ip: true, tags: ["web"], backups_enabled: true });
  const page = { query: { page: 1, page_size: 25 } };
  await api.createTag(admin, { body: { label: "shop", computes: [computeId] } });
  await api.updateInstance(admin, { path: { computeId }, body: { group: "shop" } });
  await api.createInstanceSnapshot(admin, { path: { computeId }, body: { label: "before" } });
  await world.settle();
  const { id: domainId } = await api.createDomain(admin, {
    body: { domain: "example.com", type: "master", soa_email: "admin@example.com", tags: ["web"] },
  });
  await api.createDomainRecord(admin, { path: { domainId }, body: { type: "A", name: "www", target: "192.0.2.1" } });
  await api.createSSHKey(admin, { body: { label: "laptop", ssh_key: publicKeys.ed25519 } });
  await Promise.all([
    api.listInstances(admin, page),
    api.listInstances(admin, { ...page, headers: { "X-Filter": { label } } }),
    api.listInstances(admin, { ...page, headers: { "X-Filter": { tags: "web" } } }),
    api.listInstanceBackups(admin, { path: { computeId } }),
    api.listInstanceConfigs(admin, { path: { computeId }, ...page }),
    api.listImages(admin, page),
    api.listEvents(admin, page),
    api.listTags(admin, page),
    api.listTaggedObjects(admin, { path: { label: "web" }, ...page }),
    api.listDomains(admin, page),
    api.listDomainRecords(admin, { path: { domainId }, ...page }),
    api.getZoneFile(admin, { path: { domainId } }),
    api.listTokens(admin, page),
    api.listSSHKeys(admin, page),
    api.listLogins(admin, page),
    api.getProfile(admin),
  ]);
  await api.deleteTag(admin, { path: { label: "web" } });
  await api.deleteDomain(admin, { path: { domainId } });
  await api.deleteInstance(admin, { path: { computeId } });
  await world.settle();
}

/** Tables whose rows do not grow with the use of the service, and that may be read whole. */
const small = new Set(["settings", "regions"]);

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
