import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { derivedOtherwise } from "../../test/support/derived.js";
import { bootstrap } from "../bootstrap.js";
import { imageFile } from "../platform/image-data.js";
import { exportStore, type StorePlace } from "./export.js";
import { importStore, linesOf } from "./import.js";
import { openPostgres } from "./postgres.js";
import { sharedPostgres } from "./postgres.support.js";
import type { ImageRow } from "./rows.js";
import { openSqlite } from "./sqlite.js";

const now = Date.UTC(2030, 0, 1);

function placeIn(databaseUrl?: string): StorePlace {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-import-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, databaseUrl, imageFile: (image) => imageFile(join(folder, "uploads"), image) };
}

const places = {
  "in a file": async () => placeIn(),
  "on PostgreSQL": async () => placeIn(await sharedPostgres().emptyDatabase()),
};

const open = ({ folder, databaseUrl }: StorePlace) =>
  databaseUrl === undefined ? openSqlite(folder) : openPostgres(databaseUrl);

const data = { number: 1, file: "a.img.gz" };
const bytes = Buffer.alloc(1_500_000, "image data");

/** A small store with an image, as lines. */
async function exportedLines(): Promise<readonly string[]> {
  const place = placeIn();
  const store = await open(place);
  await bootstrap(store, { token: "t".repeat(64), now });
  await store.write({ account: "\0\u0001", now }, async ({ accounts, images, tags }) => {
    await accounts.add({ id: "\0\u0001", total_payments: 0, created: "" });
    await images.add({ id: "private/1", account: "\0\u0001", ticket: null, ...data } as ImageRow);
    await tags.add({ account: "\0\u0001", label: "a" });
  });
  await store.close();
  const file = place.imageFile(data);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, bytes);
  return linesFrom(place);
}

async function linesFrom(place: StorePlace): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of exportStore(place, { isShared: false })) lines.push(line);
  return lines;
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** Ways to break an export, each with what an import says. */
const broken: readonly (readonly [name: string, breakLines: (lines: string[]) => void, message: RegExp])[] = [
  ["another file", (lines) => void (lines[0] = "{}"), /^these are not the lines of `cloud-compute export`/],
  ["no lines", (lines) => void (lines.length = 0), /^these are not the lines/],
  [
    "a later schema",
    (lines) => change(lines, 0, { schema: 9 }),
    /^the lines have schema 9, and this program is for schema 8/,
  ],
  ["the end is cut", (lines) => void lines.pop(), /^the end is missing after line \d+: the export was cut/],
  ["a line is cut", (lines) => void (lines[9] = lines[9]?.slice(0, 40) ?? ""), /^line 10: .*JSON/],
  ["a line is left out", (lines) => void lines.splice(5, 1), /^line \d+: \d+ lines were exported before it/],
  ["a line is no object", (lines) => void (lines[5] = "5"), /^line 6: it is not an object/],
  ["the end is no end", (lines) => void (lines[5] = "{}"), /^line 6: it is no line of an export/],
  ["a line follows", (lines) => void lines.push(lines[5] ?? ""), /^line \d+ follows the end/],
  ["another table", (lines) => change(lines, 5, { table: "constructor" }), /^line 6: there is no table "constructor"/],
  ["a row without an id", (lines) => change(lines, 5, { row: {} }), /^line 6: a row of accounts has a text as its id/],
  ["no row", (lines) => change(lines, 5, { row: null }), /^line 6: a row of accounts has a text as its id/],
  [
    "an account of a region",
    (lines) => change(lines, indexOf(lines, "regions"), { account: "a" }),
    /: a row of regions has no account/,
  ],
  [
    "no account",
    (lines) => change(lines, indexOf(lines, "users"), { account: null }),
    /: a row of users has an account/,
  ],
  [
    "another account",
    (lines) => change(lines, indexOf(lines, "users"), { account: "a" }),
    /: a row of the account bootstrap is written in a$/,
  ],
  ["a row twice", (lines) => void (lines[6] = lines[5] ?? ""), /^line 7: .*(UNIQUE|unique)/],
  [
    "a file elsewhere",
    (lines) => change(lines, 1, { file: "../../forged" }),
    /^line 2: an image names a file elsewhere/,
  ],
  [
    "an image elsewhere",
    (lines) => change(lines, 1, { image: "1/../../.." }),
    /^line 2: an image names a file elsewhere/,
  ],
  [
    "no data of an image",
    (lines) => [1, 2].forEach((index) => change(lines, index, { image: 2 })),
    /: the data of the image are missing/,
  ],
  [
    "no sequence",
    (lines) => change(lines, lines.length - 1, { next: { "tags; drop": 1 } }),
    /: there is no sequence "tags; drop"/,
  ],
  ["no number", (lines) => change(lines, lines.length - 1, { next: { tags: 0 } }), /: 0 is no number of a sequence/],
];

test.each(Object.entries(places))("an import of lines that are wrong leaves nothing %s", async (_, at) => {
  const lines = await exportedLines();
  const place = await at();
  for (const [name, breakLines, message] of broken) {
    const wrong = [...lines];
    breakLines(wrong);
    const error: unknown = await importStore(place, each(wrong)).catch((reason: unknown) => reason);
    expect(messageOf(error), name).toMatch(message);
    expect(filesIn(place), name).toEqual([]);
  }
  expect(await importStore(place, each(lines))).toMatchObject({ lines: lines.length - 1, images: 1 });
  expect(readFileSync(place.imageFile(data)).equals(bytes)).toBe(true);
  const again = await linesFrom(place);
  expect(again.slice(0, -1).toSorted()).toEqual(lines.slice(0, -1).toSorted());
  // PostgreSQL has the sequences that were never used, too.
  expect(JSON.parse(again.at(-1) ?? "")).toMatchObject(JSON.parse(lines.at(-1) ?? "") as object);
  const store = await open(place);
  expect(await store.survey(now, derivedOtherwise)).toEqual([]);
  await store.close();
  await expect(importStore(place, each(lines))).rejects.toThrow("the store has rows. Import into an empty folder");
});

test.each(Object.entries(places))("an export says why it cannot be %s", async (_, at) => {
  const place = await at();
  await expect(linesFrom(place)).rejects.toThrow(/^(there is|\S+ has) no store/);
  const store = await open(place);
  await store.write({ account: "a", now }, ({ images }) =>
    images.add({ id: "private/1", account: "a", ticket: null, ...data } as ImageRow),
  );
  await store.close();
  await expect(linesFrom(place)).rejects.toThrow(
    `The image data in ${place.imageFile(data)} are missing. Name their folder`,
  );
  const later = await open(place);
  await later.survey(now, ({ database }) =>
    database.run("insert into kysely_migration (name, timestamp, oldest) values ('0009-later', '', 8)", []),
  );
  await later.close();
  await expect(linesFrom(place)).rejects.toThrow("the store has schema 9, and this program is for schema 8");
});

test("a file of lines is split, without lines that take too much memory", async () => {
  async function* chunks(): AsyncGenerator<string> {
    yield* ["a", "b\n\nc", "d\n", "e"];
  }
  const lines: string[] = [];
  for await (const line of linesOf(chunks())) lines.push(line);
  expect(lines).toEqual(["ab", "", "cd", "e"]);
  async function* endless(): AsyncGenerator<string> {
    for (;;) yield "x".repeat(1_048_576);
  }
  await expect(linesOf(endless()).next()).rejects.toThrow("a line has more than 67108864 characters");
});

function filesIn({ folder }: StorePlace): readonly string[] {
  const uploads = join(folder, "uploads");
  if (!existsSync(uploads)) return [];
  return readdirSync(uploads, { recursive: true, encoding: "utf8" }).filter((name) => name.includes(".gz"));
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${messageOf(error.cause)}`;
}

function change(lines: string[], index: number, fields: object): void {
  lines[index] = JSON.stringify({ ...(JSON.parse(lines[index] ?? "") as object), ...fields });
}

function indexOf(lines: readonly string[], table: string): number {
  return lines.findIndex((line) => line.startsWith(`{"table":"${table}"`));
}
