import { mkdir, readFile, readdir, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ManagedJsonFile, GeneratedFile, GeneratedPackage } from "@plumbline/kit/codegen";
import { withFixtureFolder } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import {
  DamagedFileError,
  ForeignFileError,
  compareWithDisk,
  manifestFileName,
  writePackages,
  type WriteResult,
} from "./writer.js";

const a = { path: "src/gen/a.ts", text: "export const a = 1;\n" };
const b = { path: "src/gen/deep/er/b.ts", text: "export const b = 1;\n" };
const manifest: ManagedJsonFile = {
  path: "package.json",
  managedKeys: { name: "pets", type: "module" },
  defaults: { version: "0.1.0" },
};

/** A process id that cannot exist: systems use ids up to 2^22. */
const ended = 2 ** 31 - 1;

test("writes a package and its manifest", async () => {
  await withFixtureFolder({}, async (folder) => {
    const done = await writePackages({ folder, files: [a, b, manifest] });
    expect(relative(folder, done)).toEqual({
      written: ["src/gen/a.ts", "src/gen/deep/er/b.ts", "package.json"],
      unchanged: [],
      removed: [],
    });
    expect(await everything(folder)).toEqual({
      ".plumbline.json": claiming(".plumbline.json", "package.json", "src/gen/a.ts", "src/gen/deep/er/b.ts"),
      "package.json": '{\n  "name": "pets",\n  "version": "0.1.0",\n  "type": "module"\n}\n',
      "src/gen/a.ts": a.text,
      "src/gen/deep/er/b.ts": b.text,
    });
  });
});

test("writes files of the user, and neither lists nor removes them", async () => {
  await withFixtureFolder({ "b.ts": "export const b  = 1;\n" }, async (folder) => {
    const edited = [
      { path: "a.ts", original: null, text: "export const a  = 1;\n" },
      { path: "b.ts", original: "export const b  = 1;\n", text: "export const b  = 2;\n" },
    ];
    expect((await compareWithDisk({ folder, files: edited })).map(({ kind }) => kind)).toEqual([
      "missing",
      "missing",
      "stale",
    ]);
    await writePackages({ folder, files: edited });
    const { "a.ts": first, "b.ts": second } = { "a.ts": edited[0]?.text, "b.ts": edited[1]?.text };
    expect(await everything(folder)).toEqual({
      ".plumbline.json": claiming(".plumbline.json"),
      "a.ts": first,
      "b.ts": second,
    });
    expect((await writePackages({ folder, files: edited })).written).toEqual([]);
    await writePackages({ folder, files: [] });
    expect(Object.keys(await everything(folder))).toEqual([".plumbline.json", "a.ts", "b.ts"]);
  });
});

test.each([
  ["changed", { "b.ts": "export const b = 3;\n" }, "export const b = 1;\n"],
  ["removed", {}, "export const b = 1;\n"],
  ["created", { "b.ts": "export const b = 3;\n" }, null],
])("rejects a file of the user that was %s after it was read", async (_, texts, original) => {
  await withFixtureFolder(texts, async (folder) => {
    const write = writePackages({ folder, files: [a, { path: "b.ts", original, text: "export const b = 2;\n" }] });
    await expect(write).rejects.toThrow("The file changed meanwhile. Run the command again. Nothing was changed.");
    expect(await everything(folder)).toEqual(texts);
  });
});

test("writes only changed files", async () => {
  await withFixtureFolder({}, async (folder) => {
    await writePackages({ folder, files: [a, b] });
    const long = new Date("2020-01-01");
    for (const name of [a.path, b.path, manifestFileName]) await utimes(path.join(folder, name), long, long);
    const done = await writePackages({ folder, files: [a, { ...b, text: "export {};\n" }] });
    expect(relative(folder, done)).toEqual({ written: [b.path], unchanged: [a.path], removed: [] });
    expect(await changedSince(folder, long)).toEqual([b.path]);
  });
});

test("writes nothing, not even the manifest, when nothing changed", async () => {
  await withFixtureFolder({}, async (folder) => {
    await writePackages({ folder, files: [a, manifest] });
    const long = new Date("2020-01-01");
    for (const name of [a.path, "package.json", manifestFileName]) await utimes(path.join(folder, name), long, long);
    expect(relative(folder, await writePackages({ folder, files: [a, manifest] }))).toEqual({
      written: [],
      unchanged: [a.path, "package.json"],
      removed: [],
    });
    expect(await changedSince(folder, long)).toEqual([]);
  });
});

test("removes files that are no longer planned, and empty folders", async () => {
  await withFixtureFolder({ "src/mine.ts": "mine" }, async (folder) => {
    await writePackages({ folder, files: [a, b] });
    const done = await writePackages({ folder, files: [a] });
    expect(relative(folder, done)).toEqual({ written: [], unchanged: [a.path], removed: [b.path] });
    expect(await everything(folder)).toEqual({
      ".plumbline.json": claiming(manifestFileName, a.path),
      [a.path]: a.text,
      "src/mine.ts": "mine",
    });
    expect(await readdir(path.join(folder, "src/gen"))).toEqual(["a.ts"]);
  });
});

test("keeps a folder with a foreign file", async () => {
  await withFixtureFolder({ "src/gen/deep/mine.ts": "mine" }, async (folder) => {
    await writePackages({ folder, files: [b] });
    await writePackages({ folder, files: [] });
    expect(await everything(folder)).toEqual({
      ".plumbline.json": claiming(manifestFileName),
      "src/gen/deep/mine.ts": "mine",
    });
    expect(await readdir(path.join(folder, "src/gen/deep"))).toEqual(["mine.ts"]);
  });
});

test("never changes a foreign file, and then writes nothing", async () => {
  await withFixtureFolder({ [b.path]: "mine" }, async (folder) => {
    const error = await writePackages({ folder, files: [a, b] }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ForeignFileError);
    expect((error as ForeignFileError).paths).toEqual([path.join(folder, b.path)]);
    expect(await everything(folder)).toEqual({ [b.path]: "mine" });
  });
});

test("adopts an existing file with the planned text", async () => {
  await withFixtureFolder({ [a.path]: a.text }, async (folder) => {
    expect(relative(folder, await writePackages({ folder, files: [a] }))).toEqual({
      written: [],
      unchanged: [a.path],
      removed: [],
    });
    expect(await everything(folder)).toEqual({
      ".plumbline.json": claiming(manifestFileName, a.path),
      [a.path]: a.text,
    });
  });
});

test("keeps keys of a JSON file that it does not manage", async () => {
  const before = '{"version": "3.1.4", "zoo": [1], "name": "pets", "type": "commonjs", "__proto__": 1}';
  await withFixtureFolder({ "package.json": before }, async (folder) => {
    await writePackages({ folder, files: [manifest] });
    expect(await readFile(path.join(folder, "package.json"), "utf8")).toBe(
      '{\n  "name": "pets",\n  "version": "3.1.4",\n  "type": "module",\n  "zoo": [\n    1\n  ],\n  "__proto__": 1\n}\n',
    );
    expect(await compareWithDisk({ folder, files: [manifest] })).toEqual([]);
  });
});

test("keeps the package.json of another package unchanged", async () => {
  await withFixtureFolder({ "package.json": '{"name": "cats"}' }, async (folder) => {
    await expect(writePackages({ folder, files: [manifest, a] })).rejects.toThrow(ForeignFileError);
    expect(await everything(folder)).toEqual({ "package.json": '{"name": "cats"}' });
  });
});

test.each(["package.json", manifestFileName])("names the damaged file: %s", async (name) => {
  await withFixtureFolder({ [name]: "<<<<<<< HEAD\n" }, async (folder) => {
    const error = await writePackages({ folder, files: [a, manifest] }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DamagedFileError);
    expect((error as Error).message).toBe(`${path.join(folder, name)} is not valid JSON`);
    expect(await everything(folder)).toEqual({ [name]: "<<<<<<< HEAD\n" });
  });
});

const breaks: readonly (readonly [string, (folder: string) => Promise<unknown>, readonly object[]])[] = [
  ["nothing", async () => undefined, []],
  [
    "a changed file",
    (folder) => put(folder, a.path, "changed"),
    [{ kind: "stale", path: a.path, onDisk: "changed", planned: a.text }],
  ],
  [
    "a lost file",
    (folder) => rm(path.join(folder, a.path)),
    [{ kind: "missing", path: a.path, onDisk: undefined, planned: a.text }],
  ],
  [
    "a key of ours",
    (folder) => put(folder, "package.json", '{"name": "cats"}'),
    [expect.objectContaining({ kind: "stale", path: "package.json" })],
  ],
  [
    "a key of theirs",
    (folder) => put(folder, "package.json", '{\n  "name": "pets",\n  "version": "9.9.9",\n  "type": "module"\n}\n'),
    [],
  ],
  [
    "a stray among the generated sources",
    (folder) => put(folder, "src/gen/old copy.ts", "stray"),
    [{ kind: "foreign", path: "src/gen/old copy.ts", onDisk: undefined, planned: undefined }],
  ],
  ["a file of theirs elsewhere", (folder) => put(folder, "src/mine.ts", "mine"), []],
  [
    "a lost manifest, and a changed file",
    async (folder) => {
      await rm(path.join(folder, manifestFileName));
      await put(folder, a.path, "changed");
    },
    [
      expect.objectContaining({ kind: "missing", path: manifestFileName }),
      { kind: "foreign", path: a.path, onDisk: "changed", planned: a.text },
    ],
  ],
  [
    "a manifest that claims one more",
    async (folder) => {
      await put(folder, "src/gen/c.ts", "c");
      await put(folder, manifestFileName, claiming(manifestFileName, "package.json", a.path, "src/gen/c.ts"));
    },
    [
      expect.objectContaining({ kind: "stale", path: manifestFileName }),
      { kind: "orphaned", path: "src/gen/c.ts", onDisk: "c", planned: undefined },
    ],
  ],
  [
    "a link to a file that is as planned",
    async (folder) => {
      await put(folder, "elsewhere.ts", a.text);
      await rm(path.join(folder, a.path));
      await symlink(path.join(folder, "elsewhere.ts"), path.join(folder, a.path));
    },
    [{ kind: "foreign", path: a.path, onDisk: undefined, planned: a.text }],
  ],
  [
    "a folder where a file should be",
    async (folder) => {
      await rm(path.join(folder, a.path));
      await mkdir(path.join(folder, a.path));
    },
    [{ kind: "foreign", path: a.path, onDisk: undefined, planned: a.text }],
  ],
];

test.each(breaks)("compares, and finds %s", async (_, damage, found) => {
  await withFixtureFolder({}, async (folder) => {
    const planned: GeneratedPackage = { folder, files: [a, manifest] };
    await writePackages(planned);
    await damage(folder);
    const differences = (await compareWithDisk(planned)).map((each) => ({
      ...each,
      path: path.relative(folder, each.path),
    }));
    expect(differences).toEqual(found);
  });
});

test.each(["../a.ts", "/etc/a.ts", "src/../../a.ts", "src//a.ts", "src\\..\\a.ts", "", ".", "src/.."])(
  "rejects the path %j",
  async (name) => {
    await withFixtureFolder({}, async (folder) => {
      await expect(writePackages({ folder, files: [{ path: name, text: "" }] })).rejects.toThrow(
        `${JSON.stringify(name)} is outside of the package`,
      );
      expect(await everything(folder)).toEqual({});
    });
  },
);

test("removes nothing outside of the package, whatever the manifest lists", async () => {
  await withFixtureFolder(
    {
      "precious.txt": "mine",
      "package/.plumbline.json": claiming("../precious.txt", "/etc/hosts", "src/../../precious.txt"),
    },
    async (folder) => {
      await writePackages({ folder: path.join(folder, "package"), files: [a] });
      expect(Object.keys(await everything(folder))).toEqual([
        "package/.plumbline.json",
        "package/src/gen/a.ts",
        "precious.txt",
      ]);
    },
  );
});

test.each(["src", "src/gen", "src/gen/a.ts"])("writes nothing through a link at %s", async (at) => {
  await withFixtureFolder({ "elsewhere/a.ts": "theirs", "elsewhere/gen/a.ts": "theirs" }, async (outer) => {
    const folder = path.join(outer, "package");
    await mkdir(path.dirname(path.join(folder, at)), { recursive: true });
    await put(folder, manifestFileName, claiming(manifestFileName, a.path));
    await symlink(path.join(outer, at.endsWith(".ts") ? "elsewhere/a.ts" : "elsewhere"), path.join(folder, at));
    const before = await everything(outer);
    await expect(writePackages({ folder, files: [a, manifest] })).rejects.toThrow(ForeignFileError);
    expect(await everything(outer)).toEqual(before);
  });
});

test("removes nothing through a link", async () => {
  await withFixtureFolder({ "elsewhere/gen/a.ts": "theirs" }, async (outer) => {
    const folder = path.join(outer, "package");
    await put(folder, manifestFileName, claiming(manifestFileName, a.path));
    await symlink(path.join(outer, "elsewhere"), path.join(folder, "src"));
    await expect(writePackages({ folder, files: [] })).rejects.toThrow(ForeignFileError);
    expect(await readFile(path.join(outer, "elsewhere/gen/a.ts"), "utf8")).toBe("theirs");
  });
});

test("a package may be a symbolic link", async () => {
  await withFixtureFolder({}, async (outer) => {
    await mkdir(path.join(outer, "real"));
    await symlink(path.join(outer, "real"), path.join(outer, "link"));
    await writePackages({ folder: path.join(outer, "link"), files: [a] });
    expect(await readFile(path.join(outer, "real", a.path), "utf8")).toBe(a.text);
  });
});

test.each([
  ["a file where a folder should be", { src: "a file" }, "src"],
  ["a folder where a file should be", { [`${a.path}/mine.ts`]: "mine" }, a.path],
  ["a folder where its list should be", { [`${manifestFileName}/mine.txt`]: "mine" }, manifestFileName],
])("rejects %s before writing anything", async (_, before, culprit) => {
  await withFixtureFolder(before, async (folder) => {
    const error = await writePackages({ folder, files: [manifest, a] }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ForeignFileError);
    expect((error as ForeignFileError).paths).toEqual([path.join(folder, culprit)]);
    expect(await everything(folder)).toEqual(before);
  });
});

test("writes all of several packages, or none", async () => {
  await withFixtureFolder({ "second/src/gen/b.ts": "mine", file: "a file" }, async (outer) => {
    const before = await readdir(outer, { recursive: true });
    const first = { folder: path.join(outer, "new", "first"), files: [a] };
    const taken = { folder: path.join(outer, "second"), files: [{ path: "src/gen/b.ts", text: b.text }] };
    await expect(writePackages(first, taken)).rejects.toThrow(ForeignFileError);
    expect(await readdir(outer, { recursive: true })).toEqual(before);
    await expect(writePackages(first, { folder: path.join(outer, "file", "deep"), files: [b] })).rejects.toMatchObject({
      path: path.join(outer, "file"),
      message:
        "A file stands where a folder is needed (ENOTDIR). Move it away, or choose another folder with --out, and run the command again. Nothing was changed.",
    });
    expect(await readdir(outer, { recursive: true })).toEqual(before);
    const second = { folder: path.join(outer, "other"), files: [b] };
    expect((await writePackages(first, second)).written).toEqual([
      path.join(outer, "new/first", a.path),
      path.join(outer, "other", b.path),
    ]);
  });
});

const stops: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["before anything", { ".plumbline.json": claiming(manifestFileName, "old.ts"), "old.ts": "old" }],
  ["after the claim", { ".plumbline.json": claiming(manifestFileName, "old.ts", a.path, b.path), "old.ts": "old" }],
  [
    "between two files",
    { ".plumbline.json": claiming(manifestFileName, "old.ts", a.path, b.path), "old.ts": "old", [a.path]: a.text },
  ],
  [
    "before a removal",
    {
      ".plumbline.json": claiming(manifestFileName, "old.ts", a.path, b.path),
      "old.ts": "old",
      [a.path]: a.text,
      [b.path]: b.text,
    },
  ],
  [
    "before the list lets go",
    { ".plumbline.json": claiming(manifestFileName, "old.ts", a.path, b.path), [a.path]: a.text, [b.path]: b.text },
  ],
];

test.each(stops)("stopped %s, the next run completes", async (_, left) => {
  await withFixtureFolder(left, async (folder) => {
    const planned: GeneratedPackage = { folder, files: [a, b] };
    expect(await compareWithDisk(planned)).not.toEqual([]);
    await writePackages(planned);
    expect(await compareWithDisk(planned)).toEqual([]);
    expect(await everything(folder)).toEqual({
      ".plumbline.json": claiming(manifestFileName, a.path, b.path),
      [a.path]: a.text,
      [b.path]: b.text,
    });
  });
});

const id = "6f1e0a52-0e5b-4a8e-9d55-0d8f8f0a7c11";
const half = `${a.path}.${id}.plumbline-tmp`;
const deep = `src/gen/new/c.ts.${id}.plumbline-tmp`;
const others = `${a.path}.7f1e0a52-0e5b-4a8e-9d55-0d8f8f0a7c11.plumbline-tmp`;
const announced = JSON.stringify([a.path, "src/gen/new/c.ts", "../precious.txt"]);

/** The name of the ticket of a process. */
function ticketOf(process: number): string {
  return `.plumbline.${process}.${id}.plumbline-tmp`;
}

const planned: readonly GeneratedFile[] = [a];
const whole = { ".plumbline.json": claiming(manifestFileName, a.path), [a.path]: a.text };

test("the next run removes temporary files of a killed run, even without other changes", async () => {
  const precious = `precious.txt.${id}.plumbline-tmp`;
  await withFixtureFolder({ [precious]: "mine" }, async (outer) => {
    const folder = path.join(outer, "package");
    await writePackages({ folder, files: planned });
    for (const [name, text] of Object.entries({
      [half]: "ha",
      [deep]: "",
      [others]: "mine",
      [ticketOf(ended)]: announced,
    }))
      await put(folder, name, text);
    expect(await compareWithDisk({ folder, files: planned })).toEqual([]);
    expect(relative(folder, await writePackages({ folder, files: planned }))).toEqual({
      written: [],
      unchanged: [a.path],
      removed: [],
    });
    expect(await everything(folder)).toEqual({ ...whole, [others]: "mine" });
    expect(await readdir(path.join(folder, "src/gen"))).not.toContain("new");
    expect(await readdir(outer)).toContain(precious);
  });
});

test.each([
  ["that was killed before it announced anything", ended, "", new Date()],
  ["with the number of this one", process.pid, announced, new Date()],
  ["of long ago, whose number is another's now", process.ppid, announced, new Date(Date.now() - 11 * 60_000)],
])("cleans up after a process %s", async (_, number, text, date) => {
  await withFixtureFolder({ [ticketOf(number)]: text }, async (folder) => {
    await utimes(path.join(folder, ticketOf(number)), date, date);
    await writePackages({ folder, files: planned });
    expect(await everything(folder)).toEqual(whole);
  });
});

test("waits for a run that is writing, even without changes", async () => {
  await withFixtureFolder(whole, async (folder) => {
    await put(folder, half, "ha");
    await put(folder, ticketOf(process.ppid), announced);
    let isDone = false;
    const waiting = writePackages({ folder, files: planned }).finally(() => (isDone = true));
    await attempts(folder, { count: 3, isOver: () => isDone });
    expect(isDone).toBe(false);
    expect(await everything(folder)).toMatchObject({ ...whole, [half]: "ha" });
    await rename(path.join(folder, half), path.join(folder, a.path));
    await rm(path.join(folder, ticketOf(process.ppid)));
    await waiting;
    expect(await everything(folder)).toEqual({ ...whole, [a.path]: a.text });
  });
});

test("concurrent runs wait for each other", async () => {
  await withFixtureFolder({}, async (folder) => {
    const texts = ["1", "2", "3", "4", "5"].map((text) => ({ path: `src/gen/${text}.ts`, text }));
    await Promise.all(texts.map((text) => writePackages({ folder, files: [a, text] })));
    const { [manifestFileName]: list, ...left } = await everything(folder);
    const last = texts.find((text) => Object.hasOwn(left, text.path));
    expect(left).toEqual({ [a.path]: a.text, [last?.path ?? ""]: last?.text });
    expect(list).toBe(claiming(manifestFileName, a.path, last?.path ?? ""));
  });
});

/** Waits until this process has tried to write to a folder a number of times, or tries no more. */
async function attempts(
  folder: string,
  { count, isOver }: { readonly count: number; readonly isOver: () => boolean },
): Promise<void> {
  const own = `.plumbline.${process.pid}.`;
  let isTrying = false;
  for (let seen = 0; seen < count && !isOver();) {
    const isThere = (await readdir(folder)).some((name) => name.startsWith(own));
    if (isThere && !isTrying) seen += 1;
    isTrying = isThere;
  }
}

/** A manifest with these files. */
function claiming(...files: readonly string[]): string {
  const comment = "The files of this folder that the generator writes. It never touches another.";
  return `${JSON.stringify({ comment, files: files.toSorted() }, undefined, 2)}\n`;
}

/** The texts below a folder by path, without following links. A waiting run creates and removes a ticket of its own. */
async function everything(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = await namesBelow(folder);
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8").catch(ifGone)));
  return Object.fromEntries(
    names.flatMap((name, index) => (texts[index] === undefined ? [] : [[name, texts[index]] as const])),
  );
}

function ifGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

async function changedSince(folder: string, date: Date): Promise<readonly string[]> {
  const names = await namesBelow(folder);
  const times = await Promise.all(names.map(async (name) => (await stat(path.join(folder, name))).mtime));
  return names.filter((_, index) => times[index]?.getTime() !== date.getTime());
}

async function namesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((each) => each.isFile());
  return files.map((each) => path.relative(folder, path.join(each.parentPath, each.name))).toSorted();
}

async function put(folder: string, name: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), text);
}

function relative(folder: string, done: WriteResult): WriteResult {
  const names = (files: readonly string[]): readonly string[] => files.map((file) => path.relative(folder, file));
  return { written: names(done.written), unchanged: names(done.unchanged), removed: names(done.removed) };
}
