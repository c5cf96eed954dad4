import { chmod, cp, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { place } from "../support/pets.js";
import { temporaryFolder, unremovedFolder } from "../support/places.js";
import { eachUnder, type Ended } from "../support/run.js";
import {
  bothEditions,
  copyOf,
  differing,
  removeEditions,
  stateOf,
  writingEach,
  type Edition,
  type Made,
  type State,
} from "../support/shop.js";
import { bound, onDiskWith, onReadOnlyDisk, withFilesUpTo } from "../support/starving.js";

let whole: Readonly<Record<Edition, Made>>;
beforeAll(async () => (whole = await bothEditions()));
afterAll(() => removeEditions(whole));

const again = "and run the command again. Nothing was changed.";
const unwritable = `The path is not writable (EACCES). Make it writable, or choose another folder with --out, ${again}`;

/** A change to a workspace of the first edition, and the message of a run for the second. */
const obstacles: readonly Obstacle[] = [
  ...["made/client", "made/client/src/gen", "made/client/src/gen/operations"].map((name) => ({
    what: `the folder ${name} is read-only`,
    protect: { name, mode: 0o555 },
    says: `${name}  ${unwritable}\n`,
  })),
  ...["made/client/.plumbline.json", "made/client/package.json", "made/client/src/gen/types.ts"].map((name) => ({
    what: `the file ${name} is read-only`,
    protect: { name, mode: 0o444 },
    says: `${name}  ${unwritable}\n`,
  })),
  {
    what: "the package is new, and would be in a folder that is read-only",
    protect: { name: "made", mode: 0o555 },
    out: "made/new",
    says: `made  ${unwritable}\n`,
  },
  {
    what: "the packages are to be in a file",
    out: "made/README.md",
    says: `made/README.md  A file stands where a folder is needed (ENOTDIR). Move it away, or choose another folder with --out, ${again}\n`,
  },
  {
    what: "a file stands where a folder is needed",
    instead: "made/client/src/gen/operations",
    says: `The generator did not write these files, and must not replace them:
  made/client/src/gen/operations
Move them away, or choose another folder with --out.
`,
  },
];

interface Obstacle {
  readonly what: string;
  readonly protect?: { readonly name: string; readonly mode: number };
  /** A folder that is a file now. */
  readonly instead?: string;
  readonly out?: string;
  readonly says: string;
}

describe("one error and nothing changed where", () => {
  const folders: string[] = [];
  let before: readonly State[];
  let runs: readonly Ended[];

  beforeAll(async () => {
    for (const { protect, instead } of obstacles) {
      const folder = await unremovedFolder();
      folders.push(folder);
      await cp(whole.a.folder, folder, { recursive: true, preserveTimestamps: true });
      if (instead !== undefined) {
        await rm(path.join(folder, instead), { recursive: true });
        await place(folder, { [instead]: "mine\n" });
      }
      if (protect !== undefined) await chmod(path.join(folder, protect.name), protect.mode);
    }
    before = await Promise.all(folders.map(stateOf));
    const writing = obstacles.map(({ out = "made" }, index) => ({
      edition: "b" as const,
      out,
      in: folders[index] ?? "",
    }));
    runs = await eachUnder(bound, ...writingEach(whole, writing));
  });

  afterAll(async () => {
    for (const [index, { protect }] of obstacles.entries()) {
      const folder = folders[index] ?? "";
      if (protect !== undefined) await chmod(path.join(folder, protect.name), 0o755);
      await rm(folder, { recursive: true });
    }
  });

  it.each(obstacles.map(({ what, says }, index) => ({ what, says, index })))("$what", async ({ says, index }) => {
    expect(runs[index]).toEqual({ code: 1, out: "", error: says });
    expect(differing(await stateOf(folders[index] ?? ""), before[index] ?? {})).toEqual([]);
  });

  // First the manifest is too large, and then the package's largest file.
  it.each([
    { blocks: 1, file: "made/client" },
    { blocks: 5, file: "made/client/src/gen/types.ts" },
  ])("no file may have more than $blocks blocks", async ({ blocks, file }) => {
    const folder = await copyOf(whole.a.folder);
    const [run] = await eachUnder(withFilesUpTo(blocks), ...writingEach(whole, [{ edition: "b", in: folder }]));
    const says = `${file}  The file is larger than files may be here (EFBIG). Raise the limit, such as that of ulimit -f, ${again}\n`;
    expect(run).toEqual({ code: 1, out: "", error: says });
    expect(differing(await stateOf(folder), whole.a.state)).toEqual([]);
  });
});

if (onDiskWith === undefined || onReadOnlyDisk === undefined) {
  console.log("This user may not mount disks: full disks are simulated by limits on file sizes only.");
} else {
  const fill = onDiskWith;
  const readOnly = onReadOnlyDisk;
  describe("on a disk of its own", () => {
    it.each([
      { pages: 0, file: /^made\/client$/ },
      { pages: 12, file: /^made\/client\/src\/gen\/operations\/area-[a-z]\d+\.ts$/ },
    ])("with $pages free pages, one error is reported and nothing changed", async ({ pages, file }) => {
      const disk = { from: whole.a.folder, to: await temporaryFolder(), at: await temporaryFolder() };
      const [run] = await eachUnder(fill(disk, pages), ...writingEach(whole, [{ edition: "b", in: disk.at }]));
      const [name = "", ...says] = (run?.error ?? "").split("  ");
      expect({ ...run, error: says }).toEqual({
        code: 1,
        out: "",
        error: [`The disk is full (ENOSPC). Make room, ${again}\n`],
      });
      expect(name).toMatch(file);
      expect(differing(await stateOf(disk.to), whole.a.state)).toEqual([]);
    });

    it("with pages enough, everything is written", async () => {
      const disk = { from: whole.a.folder, to: await temporaryFolder(), at: await temporaryFolder() };
      const [run] = await eachUnder(fill(disk, 400), ...writingEach(whole, [{ edition: "b", in: disk.at }]));
      expect(run).toMatchObject({ code: 0, error: "" });
      expect(differing(await stateOf(disk.to), whole.b.state)).toEqual([]);
    });

    it("that is read-only, an error is reported only if something has to be written", async () => {
      const disk = { from: whole.a.folder, to: await temporaryFolder(), at: await temporaryFolder() };
      const writing = (["a", "b"] as const).map((edition) => ({ edition, in: disk.at }));
      const [same, changed] = await eachUnder(readOnly(disk, 0), ...writingEach(whole, writing));
      expect(same).toMatchObject({ code: 0, error: "" });
      expect(changed).toEqual({
        code: 1,
        out: "",
        error: `made/client  The file system is read-only (EROFS). Make it writable, or choose another folder with --out, ${again}\n`,
      });
      expect(differing(await stateOf(disk.to), whole.a.state)).toEqual([]);
    });
  });
}
