import { existsSync, readdirSync } from "node:fs";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { filesOf, place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";

const minutes = 60_000;

/** The folders of `packages` with generated files, which the command `npm run check` compares too. */
const generated = readdirSync(path.join(repository, "packages")).filter((name) =>
  existsSync(path.join(repository, "packages", name, ".plumbline.json")),
);

describe("the committed packages", () => {
  it(
    "are current; the check reports changes of a copy, and the next run restores it",
    async () => {
      const folder = await temporaryFolder();
      for (const each of ["spec", ...generated.map((name) => `packages/${name}`)]) {
        const filter = (file: string): boolean => !/(^|[\\/])(node_modules|dist|\.turbo|reports)$/.test(file);
        await cp(path.join(repository, each), path.join(folder, each), { recursive: true, filter });
      }
      const committed = await filesOf(folder);

      const whole = await plumbline(["generate", "--check"], { in: folder });
      expect(whole.out + whole.error).toMatch(/^\d+ generated files are up to date\n$/);
      expect(whole.code).toBe(0);

      await edit(folder, "packages/client/src/gen/scopes.ts", (text) => text.replace("kube", "cube"));
      await rm(path.join(folder, "packages/client/src/gen/operations/tags.ts"));
      await edit(folder, "packages/client/.plumbline.json", (text) =>
        text.replace('"src/gen/', '"src/gen/past.ts",\n    "src/gen/'),
      );
      await place(folder, { "packages/client/src/gen/past.ts": "", "packages/client/src/gen/stray.ts": "" });
      await edit(folder, "packages/client/package.json", (text) =>
        text.replace('"sideEffects": false', '"sideEffects": true'),
      );
      await edit(folder, "packages/client/package.json", (text) =>
        text.replace(/"version": "[^"]*"/, '"version": "7.8.9"'),
      );
      const check = await plumbline(["generate", "--check"], { in: folder });
      expect(check.code).toBe(1);
      expect(reportedIn(check.out)).toEqual([
        "stale    packages/client/.plumbline.json",
        "stale    packages/client/package.json",
        "missing  packages/client/src/gen/operations/tags.ts",
        "orphaned packages/client/src/gen/past.ts",
        "stale    packages/client/src/gen/scopes.ts",
        "foreign  packages/client/src/gen/stray.ts",
      ]);
      expect(check.out).toMatch(
        /\n5 of \d+ generated files are out of date. Run plumbline generate.\n1 files in the generated folders are not from the generator. Move them away.\n$/,
      );

      expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: 0, error: "" });
      const manifest = "packages/client/package.json";
      expect(await filesOf(folder)).toEqual({
        ...committed,
        [manifest]: committed[manifest]?.replace(/"version": "[^"]*"/, '"version": "7.8.9"'),
        "packages/client/src/gen/stray.ts": "",
      });
    },
    3 * minutes,
  );
});

async function edit(folder: string, file: string, change: (text: string) => string): Promise<void> {
  const name = path.join(folder, file);
  const before = await readFile(name, "utf8");
  const after = change(before);
  expect(after, `${file} as edited by this test`).not.toBe(before);
  await writeFile(name, after);
}

/** The lines that name a file, without the differences between them. */
function reportedIn(out: string): readonly string[] {
  return out.split("\n").filter((line) => /^(stale|missing|orphaned|foreign) /.test(line));
}
