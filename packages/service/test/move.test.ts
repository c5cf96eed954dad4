import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as api from "@cloud-compute/client";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { seed } from "../../../test/support/property-testing.js";
import { put, ticket } from "../src/features/images/uploads.support.js";
import { rowsOf } from "../src/store/database.js";
import { tables, type Table } from "../src/store/tables.js";
import * as controls from "../src/testing/index.js";
import { runCommand, startCommand } from "./support/command.js";
import { filesOtherwise } from "./support/files.js";
import { brokenInvariants } from "./support/invariants.js";
import { newLife } from "./support/life.js";
import { run, type Program } from "./support/program.js";
import { inFile, onPostgres, type Place } from "./support/stores.js";
import { startLoad } from "./support/tag-load.js";

/** All rows of the service, in one order, and what is wrong with what follows from them. */
async function contentOf({
  open,
  uploads,
}: Place): Promise<{ readonly rows: readonly string[]; readonly wrong: readonly string[] }> {
  const store = await open();
  const content = await store.survey(Date.now(), async (tx) => {
    const rows: string[] = [];
    for (const [name, { of }] of Object.entries<Table>(tables)) {
      const account = of === "account" ? sql.ref("account") : sql`null`;
      for (const [owner, doc] of await rowsOf(sql`select ${account}, doc from ${sql.table(name)}`, tx.database))
        rows.push(`${name} ${String(owner)} ${String(doc)}`);
    }
    const wrong = [
      ...(await brokenInvariants(tx)),
      ...(await filesOtherwise(tx, { folder: uploads, isSettled: false })),
    ];
    return { rows: rows.toSorted(), wrong };
  });
  await store.close();
  return content;
}

/** The folder or the URL of a store. */
function nameOf({ args: [, place = ""] }: Place): string {
  return place;
}

function move(from: Place, to: Place): Promise<readonly [code: number | null, output: string]> {
  return runCommand(
    "move",
    "--from",
    nameOf(from),
    "--from-upload-dir",
    from.uploads,
    "--to",
    nameOf(to),
    "--to-upload-dir",
    to.uploads,
  );
}

async function addDomain({ admin }: Program, domain: string): Promise<number> {
  return (await api.createDomain(admin, { body: { domain, type: "master", soa_email: "a@example.com" } })).id;
}

const deployment = {
  region: "us-east",
  type: "g6-nanode-1",
  image: "compute/debian12",
  root_pass: "correct Horse 7 battery",
};

test(`a store moves to PostgreSQL and back, and the service goes on (seed ${seed})`, async () => {
  const [file, database, other] = [await inFile(), await onPostgres(), await inFile()];
  const before = await run([...file.args]);
  const { id: imageId, address } = await ticket(before);
  expect(await put(address, gzipSync(Buffer.alloc(3_000_000, "image"), { level: 0 }))).toEqual([200, {}]);
  const life = newLife(seed, "127.0.0.1:9");
  const going = await life.on(before);
  await expect.poll(() => life.tally.requests()).toBeGreaterThan(300);
  await going.stop();
  await controls.advanceClock(before.controls, { body: { advance: "PT1H" } });
  const { id: computeId } = await api.createInstance(before.admin, { body: { label: "moved", ...deployment } });
  const last = await addDomain(before, "first.example.com");
  expect(await runCommand("move", "--from", nameOf(file))).toEqual([
    2,
    expect.stringMatching(/^--from and --to name the stores/),
  ]);
  expect((await move(file, database))[1]).toContain("another process has the store");
  await before.end("SIGTERM");

  expect(await move(file, database)).toEqual([
    0,
    expect.stringMatching(/^The store has \d+ rows, and the data of \d+ images?\.$/m),
  ]);
  expect(await contentOf(database)).toEqual({ ...(await contentOf(file)), wrong: [] });
  const during = await run([...database.args, "--pace", "0"]);
  await controls.settle(during.controls);
  expect(await api.getInstance(during.admin, { path: { computeId } })).toMatchObject({ status: "running" });
  expect(await addDomain(during, "second.example.com")).toBe(last + 1);
  expect((await move(database, other))[1]).toContain("processes of the service use the database");
  await during.end("SIGTERM");

  expect((await move(database, other))[0]).toBe(0);
  expect(await contentOf(other)).toEqual({ ...(await contentOf(database)), wrong: [] });
  const after = await run([...other.args]);
  // A process on PostgreSQL takes 32 ids at once.
  expect(await addDomain(after, "third.example.com")).toBe(last + 1 + 32);
  expect(await api.getImage(after.admin, { path: { imageId } })).toMatchObject({ status: "available" });
  for (const name of readdirSync(other.uploads, { recursive: true, encoding: "utf8" }).filter((each) =>
    each.endsWith(".gz"),
  ))
    expect(readFileSync(join(other.uploads, name)).equals(readFileSync(join(file.uploads, name))), name).toBe(true);
});

const stores = [
  ["in a file", () => inFile()],
  ["on PostgreSQL", () => onPostgres()],
] as const;

test.each(stores)("an export under load has each write that was acknowledged before it began, %s", async (_, at) => {
  const [place, file] = [await at(), join(nameOf(await inFile()), "cloud.jsonl")];
  const program = await run([...place.args, "--pace", "0"]);
  const { address } = await ticket(program);
  expect(await put(address, gzipSync(Buffer.alloc(3_000_000, "image"), { level: 0 }))).toEqual([200, {}]);
  const load = startLoad(program, "tag");
  await load.acknowledged(20);
  const before = [...load.labels];
  const [code, output] = await runCommand("export", ...place.args, file);
  expect([code, output]).toEqual([0, expect.stringMatching(/cloud\.jsonl has \d+ rows, and the data of 1 image\.$/m)]);
  await load.stop();
  expect((await runCommand("export", ...place.args, file))[1]).toContain("exists; choose another name");

  // Through a pipe, as standard output and input have it.
  const other = await onPostgres();
  const reader = startCommand(["import", "-"], {
    CLOUD_COMPUTE_DATABASE_URL: nameOf(other),
    CLOUD_COMPUTE_UPLOAD_DIR: other.uploads,
  });
  createReadStream(file).pipe(reader.stdin);
  expect([await reader.ended, reader.output()]).toEqual([
    0,
    expect.stringMatching(/^The store has \d+ rows, and the data of 1 image\.$/m),
  ]);
  const { rows, wrong } = await contentOf(other);
  expect(wrong).toEqual([]);
  const labels = rows.flatMap((row) => /^tags .*"label":"([^"]+)"/.exec(row)?.[1] ?? []);
  expect(before.filter((label) => !labels.includes(label))).toEqual([]);
  expect(labels.filter((label) => !load.labels.includes(label))).toEqual([]);
});

test.each(stores)("an import that is killed leaves no rows, and is repeated, %s", async (_, at) => {
  const [source, place] = [await inFile(), await at()];
  const program = await run([...source.args]);
  const { address } = await ticket(program);
  expect(await put(address, gzipSync(Buffer.alloc(3_000_000, "image"), { level: 0 }))).toEqual([200, {}]);
  await program.end("SIGTERM");
  const file = join(nameOf(source), "cloud.jsonl");
  expect((await runCommand("export", ...source.args, file))[0]).toBe(0);
  const target = [...place.args, "--upload-dir", place.uploads];

  const killed = startCommand(["import", ...target, "-"]);
  killed.stdin.write(readFileSync(file, "utf8").split("\n").slice(0, -2).join("\n"));
  let id = 1000;
  // It reports its progress each second, with the next line.
  const takesRows = (): boolean => {
    id += 1;
    killed.stdin.write(
      `\n{"table":"tags","account":"bootstrap","row":{"id":${id},"account":"bootstrap","label":"tag ${id}"}}`,
    );
    return /^\d+ lines$/m.test(killed.output());
  };
  await expect.poll(takesRows).toBe(true);
  killed.kill();
  expect(await killed.ended).toBeNull();

  expect((await contentOf(place)).rows).toEqual([]);
  expect(await runCommand("import", ...target, file)).toEqual([0, expect.stringContaining("the data of 1 image.")]);
  expect(await contentOf(place)).toEqual({ ...(await contentOf(source)), wrong: [] });
  const [code, output] = await runCommand("import", ...target, file);
  expect([code, output]).toEqual([1, expect.stringContaining("cloud-compute: the store has rows.")]);
});
