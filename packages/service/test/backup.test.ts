import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as api from "@cloud-compute/client";
import Database from "libsql";
import { expect, onTestFinished, test } from "vitest";
import { seed } from "../../../test/support/property-testing.js";
import { put, ticket } from "../src/features/images/uploads.support.js";
import { openSqlite } from "../src/store/sqlite.js";
import { runCommand } from "./support/command.js";
import { filesOtherwise } from "./support/files.js";
import { brokenInvariants } from "./support/invariants.js";
import { everyItem } from "./support/pages.js";
import { run } from "./support/program.js";
import { randomFrom } from "./support/random.js";
import { startLoad } from "./support/tag-load.js";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test(`a backup under load has each write that was acknowledged before it began, and the images (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  const folder = temporaryFolder();
  const [data, file, restored] = ["data", "cloud.backup", "restored"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const source = await run(["--data", data, "--pace", "0"]);
  const { id, address } = await ticket(source);
  const bytes = gzipSync(Buffer.alloc(3_000_000, "image"), { level: 0 });
  expect(await put(address, bytes)).toEqual([200, {}]);
  const load = startLoad(source, "tag");
  await load.acknowledged(1 + random.below(60));
  const before = [...load.labels];
  expect(await runCommand("backup", "--data", data, file)).toEqual([
    0,
    `${file} has the store, and the data of 1 image.\n`,
  ]);
  expect(await load.stop()).toEqual(new Set([200]));
  // What the store loses later, the backup has.
  await api.deleteImage(source.admin, { path: { imageId: id } });
  expect(await source.end("SIGTERM")).toBe(0);
  expect(await runCommand("restore", "--data", restored, file)).toEqual([
    0,
    `${restored} has the store, and the data of 1 image.\n`,
  ]);
  // A restore that fails leaves no part of a store that the service would start on.
  const half = temporaryFolder();
  expect((await runCommand("restore", "--data", half, "--upload-dir", file, file))[0]).toBe(1);
  await expect(openSqlite(half)).rejects.toThrow("cloud-compute.db is missing");
  const store = await openSqlite(restored);
  const uploads = { folder: join(restored, "uploads"), isSettled: true };
  const wrong = await store.survey(Date.now(), async (tx) => [
    ...(await brokenInvariants(tx)),
    ...(await filesOtherwise(tx, uploads)),
  ]);
  await store.close();
  expect(wrong).toEqual([]);
  const copy = await run(["--data", restored]);
  expect(await api.getImage(copy.admin, { path: { imageId: id } })).toMatchObject({ status: "available" });
  const labels = (await everyItem((query) => api.listTags(copy.admin, { query }))).map(({ label }) => label);
  expect(before.filter((label) => !labels.includes(label))).toEqual([]);
  expect(labels.filter((label) => !load.labels.includes(label))).toEqual([]);
  expect((await api.createTag(copy.admin, { body: { label: "later" } })).label).toBe("later");
});

test("a stopped or killed store is saved, and starts again", async () => {
  const data = temporaryFolder();
  for (const [index, signal] of (["SIGTERM", "SIGKILL", "SIGTERM"] as const).entries()) {
    const { admin, end } = await run(["--data", data]);
    expect(await everyItem((query) => api.listTags(admin, { query }))).toHaveLength(index);
    await api.createTag(admin, { body: { label: `tag ${index}` } });
    await end(signal);
    const file = join(temporaryFolder(), "saved");
    expect((await runCommand("backup", "--data", data, file))[0]).toBe(0);
    const restored = temporaryFolder();
    expect((await runCommand("restore", "--data", restored, file))[0]).toBe(0);
    const store = await openSqlite(restored);
    expect(await store.survey(0, ({ tags }) => tags.count())).toBe(index + 1);
    await store.close();
  }
});

test("a backup replaces no file, and a restore no store", async () => {
  const [data, place] = [temporaryFolder(), temporaryFolder()];
  const file = join(place, "saved");
  expect(await runCommand("backup", "--data", data, file)).toEqual([
    1,
    `cloud-compute: ${data} has no store; name its folder.\n`,
  ]);
  const { end } = await run(["--data", data]);
  expect((await runCommand("backup", "--data", data, file))[0]).toBe(0);
  expect(await runCommand("backup", "--data", data, file)).toEqual([
    1,
    `cloud-compute: ${file} exists; choose another name, or delete it.\n`,
  ]);
  expect((await runCommand("restore", "--data", data, file))[1]).toContain("another process has the store");
  await end("SIGTERM");
  const [code, output] = await runCommand("restore", "--data", data, file);
  expect([code, /has cloud-compute\.db\S*; restore into an empty folder/.test(output)]).toEqual([1, true]);
  writeFileSync(join(place, "other"), "no backup");
  const empty = temporaryFolder();
  expect(await runCommand("restore", "--data", empty, join(place, "other"))).toEqual([
    1,
    expect.stringContaining("is not a whole backup"),
  ]);
  expect(readdirSync(empty)).toEqual([]);
  const forged = new Database(file);
  forged.exec("insert into image_data values (1, '../../../forged', 0, 'a')");
  forged.close();
  const within = join(temporaryFolder(), "within");
  expect((await runCommand("restore", "--data", within, file))[1]).toContain("names a file elsewhere");
  expect(readdirSync(join(within, ".."))).toEqual(["within"]);
  expect(await runCommand("backup", "--data", ":memory:", file)).toEqual([
    2,
    expect.stringContaining("--data names a folder"),
  ]);
});
