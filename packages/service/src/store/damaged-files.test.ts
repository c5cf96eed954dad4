import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import { copyOf, countIn, files, killedAfter, now, temporaryFolder, write } from "./killed-store.support.js";
import { openSqlite } from "./sqlite.js";

const { database, log, index, marker } = files;
const pageSize = 4096;
const writes = 20;

interface Folders {
  /** The store that is damaged. */
  readonly folder: string;
  /** The same store before its last process. */
  readonly earlier: string;
  readonly other: string;
}

type Damage = (folders: Folders) => void;

/** A store whose process was killed, with another process before it. */
async function killed(): Promise<Folders> {
  const from = temporaryFolder();
  const earlier = await killedAfter(3, from);
  return {
    folder: await killedAfter(writes - 3, await killedAfter(0, from)),
    earlier,
    other: await killedAfter(writes),
  };
}

/** A store that was closed, with another process before it. */
async function closed(): Promise<Folders> {
  const { folder, earlier, other } = await killed();
  for (const each of [folder, earlier, other]) await countIn(each);
  return { folder, earlier, other };
}

const truncated =
  (name: string, length: number): Damage =>
  ({ folder }) =>
    truncateSync(join(folder, name), length);
const removed =
  (...names: readonly string[]): Damage =>
  ({ folder }) => {
    for (const name of names) rmSync(join(folder, name), { force: true });
  };
const replaced =
  (from: "earlier" | "other", ...names: readonly string[]): Damage =>
  (folders) => {
    for (const name of names) copyFileSync(join(folders[from], name), join(folders.folder, name));
  };

const ofDatabase: Readonly<Record<string, readonly [damage: Damage, message: RegExp]>> = {
  "is missing": [removed(database), /\.db is missing/],
  "is empty": [truncated(database, 0), /\.db is empty/],
  "has a part of its header": [truncated(database, 50), /\.db is empty, or has no valid header/],
  "has a part of its first page": [truncated(database, pageSize - 1), /\.db is empty, or has no valid header/],
  "has its first page": [truncated(database, pageSize), /\.db ends before page 2 of \d+/],
  "is of another kind": [
    ({ folder }) => writeFileSync(join(folder, database), "a".repeat(pageSize)),
    /no valid header/,
  ],
};

const ofKilled: typeof ofDatabase = {
  ...ofDatabase,
  "is of another store": [replaced("other", database), /\.db and .+-wal belong to different stores/],
  "is older than its log": [replaced("earlier", database), /\.db is older than .+-wal/],
  "has no log": [removed(log), /-wal is missing/],
  "has no log and no index": [removed(log, index), /-wal is missing/],
  "has an empty log": [truncated(log, 0), /-wal has no valid header/],
  "has a log without its end": [({ folder }) => cut(join(folder, log), 24 + pageSize), /-wal ends before frame/],
  "has a log of another store": [replaced("other", log, index), /belong to different stores/],
  "has an older log": [replaced("earlier", log, index), /-wal is older than .+\.db/],
};

const ofClosed: typeof ofDatabase = {
  ...ofDatabase,
  "is of another store": [replaced("other", database), /\.db belongs to another store than .+-closed/],
  "is older": [replaced("earlier", database), /\.db is older than .+-closed/],
};

test.each([
  ...Object.entries(ofKilled).map(([name, damage]) => [`a killed store that ${name}`, killed, ...damage] as const),
  ...Object.entries(ofClosed).map(([name, damage]) => [`a closed store that ${name}`, closed, ...damage] as const),
])("%s does not open, and stays as it is", async (_, create, damage, message) => {
  const folders = await create();
  damage(folders);
  const before = contents(folders.folder);
  await expect(openSqlite(folders.folder)).rejects.toMatchObject({
    name: "LostWritesError",
    message: expect.stringMatching(
      new RegExp(`${message.source}.* acknowledged writes may be lost\\. .+--accept-loss`),
    ),
  });
  expect(contents(folders.folder)).toEqual(before);
  const store = await openSqlite(folders.folder, { acceptLoss: () => {} });
  await write(store);
  await store.close();
  expect(await countIn(folders.folder)).toBeGreaterThan(0);
});

test.each([
  ["killed", killed],
  ["closed", closed],
] as const)("a %s store, shortened anywhere, does not open, or has all writes", async (_, create) => {
  const { folder } = await create();
  const { length } = readFileSync(join(folder, database));
  let rejected = 0;
  const step = process.env["MODE"] === "full" ? 1 : 11;
  for (let page = 1; page <= length / pageSize; page += step)
    for (const size of [page * pageSize - 1, page * pageSize]) {
      const copy = copyOf(folder);
      truncateSync(join(copy, database), size);
      const count = await countIn(copy).catch((error: Error) => error.name);
      if (count === "LostWritesError") rejected += 1;
      else expect([size, count]).toEqual([size, writes]);
    }
  // Only the pages that the log has can be missing.
  expect(rejected).toBeGreaterThan(length / pageSize / step);
});

test("a store that loses its database and its log between two processes says so", async () => {
  const { folder } = await closed();
  for (const name of [database, log, index]) rmSync(join(folder, name), { force: true });
  await expect(openSqlite(folder)).rejects.toThrow(/\.db is missing/);
});

test("a failed write leaves no gap between a log and the one before it", async () => {
  const from = temporaryFolder();
  const store = await openSqlite(from);
  for (let number = 0; number < 400; number += 1) {
    await write(store);
    if (number % 7 === 0) await expect(store.write({ account: "one", now }, failing)).rejects.toThrow("on purpose");
  }
  const left = copyOf(from);
  await store.close();
  expect(await countIn(left)).toBe(400);
});

test.each([
  ["closed", true],
  ["killed", false],
])("a store that an earlier version of the service has %s opens", async (_, isClosed) => {
  const { folder } = await closed();
  const earlier = new Database(join(folder, database));
  earlier.exec("pragma application_id = 0");
  earlier.exec("pragma wal_checkpoint(truncate)");
  if (isClosed)
    writeFileSync(
      join(folder, marker),
      "All writes are in the database: it was closed, and needs no write-ahead log.\n",
    );
  else rmSync(join(folder, marker));
  const [starts = 0] = earlier.prepare("pragma user_version").raw().get([]) as number[];
  earlier.exec(`pragma user_version = ${starts + 1}`);
  const left = copyOf(folder);
  earlier.close();
  expect(existsSync(join(left, marker))).toBe(isClosed);
  expect(await countIn(left)).toBe(writes);
  expect(await countIn(await killedAfter(2, left))).toBe(writes + 2);
});

test("a store opens whose process was killed while it created the first marker", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, marker), "");
  expect(await countIn(folder)).toBe(0);
});

test("a store opens whose process was killed before the number of the store was in its file", async () => {
  const folder = await killedAfter(writes);
  const bytes = readFileSync(join(folder, database));
  const position = { store: bytes.readInt32BE(68), write: bytes.readInt32BE(60), pages: 1 };
  writeFileSync(join(folder, marker), `Closed.\n${JSON.stringify(position)}\n`);
  bytes.writeInt32BE(0, 68);
  writeFileSync(join(folder, database), bytes);
  expect(await countIn(folder)).toBe(writes);
});

async function failing(): Promise<never> {
  throw new Error("on purpose");
}

function cut(file: string, bytes: number): void {
  truncateSync(file, readFileSync(file).length - bytes);
}

function contents(folder: string): readonly (readonly [name: string, bytes: string])[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(database))
    .map((name) => [name, readFileSync(join(folder, name)).toString("base64")]);
}
