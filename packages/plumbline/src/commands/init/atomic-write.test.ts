import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeAtomically } from "./atomic-write.js";

it("writes all files or none", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "plumbline-put-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const at = (name: string): string => path.join(folder, name);
  await writeFile(at("old"), "before");
  await mkdir(at("taken"));
  const fresh = [{ file: at("made/new"), text: "new" }];
  const changed = [{ file: at("old"), text: "after" }];

  // A folder cannot be replaced by a file, which fails after all other writes.
  await expect(
    writeAtomically({ created: fresh, changed: [...changed, { file: at("taken"), text: "" }] }),
  ).rejects.toThrow();
  expect((await readdir(folder)).sort()).toEqual(["old", "taken"]);
  expect(await readFile(at("old"), "utf8")).toBe("before");

  await writeAtomically({ created: fresh, changed });
  expect((await readdir(folder)).sort()).toEqual(["made", "old", "taken"]);
  expect([await readFile(at("made/new"), "utf8"), await readFile(at("old"), "utf8")]).toEqual(["new", "after"]);

  await expect(writeAtomically({ created: fresh, changed: [{ file: at("old"), text: "again" }] })).rejects.toThrow(
    "exists already",
  );
  expect([await readdir(at("made")), await readFile(at("old"), "utf8")]).toEqual([["new"], "after"]);
});
