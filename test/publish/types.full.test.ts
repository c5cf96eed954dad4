import { cp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { filesOf, place } from "../support/pets.js";
import { repository, temporaryFolder, unremovedFolder } from "../support/places.js";
import { npm, runNode } from "../support/run.js";
import { packedAll, publicNames, type Tarball } from "../support/tarballs.js";

const names = publicNames();
let folder: string;
let tarballs: ReadonlyMap<string, Tarball>;

beforeAll(async () => {
  folder = await unremovedFolder();
  tarballs = new Map((await packedAll(names, folder)).map((each) => [each.name, each]));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const packed = (name: string): Tarball => {
  const found = tarballs.get(name);
  if (found === undefined) throw new Error(`${name} was not packed`);
  return found;
};

it.each(names)("%s has types that fit, as attw sees it, if programs import it", async (name) => {
  const manifest = JSON.parse(await readFile(path.join(packed(name).folder, "package.json"), "utf8")) as {
    readonly bin?: object;
    readonly exports?: object;
  };
  const isCommand = manifest.bin !== undefined && manifest.exports === undefined;
  // Programs cannot import YAML: only readers of files use it.
  const documents = Object.keys(manifest.exports ?? {}).filter((entry) => entry.endsWith(".yaml"));
  expect(isCommand || (await attw(packed(name).file, documents)).code === 0).toBe(true);
});

it("an entry that leads nowhere is found", async () => {
  const broken = await temporaryFolder();
  await cp(packed("@plumbline/client-runtime").folder, broken, { recursive: true });
  const manifest = JSON.parse(await readFile(path.join(broken, "package.json"), "utf8")) as object;
  const wrong = { ...manifest, exports: { ".": { types: "./dist/absent.d.ts", default: "./dist/index.js" } } };
  await place(broken, { "package.json": JSON.stringify(wrong) });
  const { out } = await npm(["pack", "--json"], { in: broken });
  expect(out).toContain("plumbline-client-runtime-");
  const file = Object.keys(await filesOf(broken)).find((each) => each.endsWith(".tgz"));
  expect((await attw(path.join(broken, file ?? ""))).code).toBe(1);
});

async function attw(tarball: string, without: readonly string[] = []): ReturnType<typeof runNode> {
  const manifest = createRequire(path.join(repository, "test", "tools", "package.json")).resolve(
    "@arethetypeswrong/cli/package.json",
  );
  const { bin } = JSON.parse(await readFile(manifest, "utf8")) as { readonly bin: { readonly attw: string } };
  const excluded = without.length === 0 ? [] : ["--exclude-entrypoints", ...without];
  const args = [tarball, "--profile", "esm-only", ...excluded];
  return runNode([path.join(path.dirname(manifest), bin.attw), ...args], { in: folder });
}
