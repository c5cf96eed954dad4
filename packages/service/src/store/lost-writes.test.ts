import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countIn, files, killedAfter, now, temporaryFolder, write } from "./killed-store.support.js";
import { openSqlite } from "./sqlite.js";

const { database, log, index, marker } = files;

/** Bytes of a frame of the log. */
const size = 24 + 4096;

test.each([0, 1, 300])("a store has all writes of a process that was killed after %i", async (writes) => {
  const folder = await killedAfter(writes);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining([database, log]));
  expect(existsSync(join(folder, marker))).toBe(false);
  // The log of 300 writes restarted from its beginning, with old frames after its end.
  expect(readFileSync(join(folder, log)).length > 1000 * size).toBe(writes === 300);
  expect(await countIn(folder)).toBe(writes);
});

test("a store has all writes of several killed processes", async () => {
  const folder = await killedAfter(7, await killedAfter(0, await killedAfter(20)));
  expect(await countIn(folder)).toBe(27);
});

test("a closed store needs no log, and a killed one reports a missing log", async () => {
  const folder = await killedAfter(5);
  expect(await countIn(folder)).toBe(5);
  expect(existsSync(join(folder, marker))).toBe(true);
  for (const name of [log, index]) rmSync(join(folder, name), { force: true });
  expect(await countIn(folder)).toBe(5);
  for (const name of [marker, log]) rmSync(join(folder, name), { force: true });
  await expect(openSqlite(folder)).rejects.toThrow(/-wal is missing, so that .+ --accept-loss/);
});

const damages: Readonly<Record<string, (folder: string) => void>> = {
  "is missing": (folder) => rmSync(join(folder, log)),
  "is missing, and its index": (folder) => [log, index].forEach((name) => rmSync(join(folder, name))),
  "is empty": (folder) => truncateSync(join(folder, log)),
  "ends early": (folder) => truncateSync(join(folder, log), 32 + 5 * size),
  "has another header": (folder) => flip(folder, 9),
  "has another byte in its first frame": (folder) => flip(folder, 32 + 24 + 99),
  "has another byte in the header of its second frame": (folder) => flip(folder, 32 + size + 3),
  "has another byte in a frame, and no index": (folder) => {
    rmSync(join(folder, index));
    flip(folder, 32 + 5 * size + 99);
  },
  "has another byte in its last frame": (folder) => flip(folder, -99),
  "has no last frame": (folder) => truncateSync(join(folder, log), readFileSync(join(folder, log)).length - size),
  "is there, and the database is not": (folder) => rmSync(join(folder, database)),
};

test.each(Object.entries(damages))(
  "a store does not open if its log %s, except with the option for that",
  async (_, damage) => {
    const folder = await killedAfter(20);
    damage(folder);
    const sizes = (): unknown =>
      readdirSync(folder)
        .filter((name) => name.startsWith(database))
        .map((name) => [name, readFileSync(join(folder, name)).length]);
    const before = sizes();
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(openSqlite(folder)).rejects.toMatchObject({
        name: "LostWritesError",
        message: expect.stringMatching(
          /cloud-compute\.db(-wal)? .+ acknowledged writes may be lost\. .+ --accept-loss/,
        ),
      });
    expect(sizes()).toEqual(before);
    const losses: string[] = [];
    const store = await openSqlite(folder, { acceptLoss: ({ name }) => losses.push(name) });
    await write(store);
    const left = await store.survey(now, ({ tags }) => tags.count());
    expect(losses).toEqual(["LostWritesError"]);
    expect(left).toBeLessThanOrEqual(20);
    await store.close();
    // The remaining data is consistent, also after another kill.
    expect(await countIn(await killedAfter(2, folder))).toBe(left + 2);
  },
);

test("an unfinished write of a killed process does not count as damage", async () => {
  const folder = await killedAfter(20);
  const bytes = readFileSync(join(folder, log));
  const head = Buffer.from(bytes.subarray(32, 32 + 24));
  const frame = (isCommit: boolean): Buffer => {
    head.writeUInt32BE(isCommit ? 9 : 0, 4);
    return Buffer.concat([head, Buffer.alloc(4096, 7)]);
  };
  // Frames of a transaction that reached the disk out of order, the last one in part.
  writeFileSync(join(folder, log), Buffer.concat([bytes, frame(false), frame(false), frame(true).subarray(0, 999)]));
  expect(await countIn(folder)).toBe(20);
});

test("an index that is older than the log, as after a loss of power, does not count as damage", async () => {
  const from = temporaryFolder();
  const older = await killedAfter(20, from);
  const newer = await killedAfter(3, from);
  copyFileSync(join(older, index), join(newer, index));
  expect(await countIn(newer)).toBe(23);
  // The other way round, the log belongs to an earlier process.
  const mixed = await killedAfter(3, await killedAfter(20));
  copyFileSync(join(older, log), join(mixed, log));
  await expect(openSqlite(mixed)).rejects.toThrow(/ends before frame \d+, which was committed/);
});

/** Changes a byte of the log, counted from the end if negative. */
function flip(folder: string, at: number): void {
  const bytes = readFileSync(join(folder, log));
  const place = at < 0 ? bytes.length + at : at;
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  writeFileSync(join(folder, log), bytes);
}
