import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { buildDescription } from "../lint/lint-fixture.support.js";
import { lint } from "../lint/lint.js";
import { withFixtureFolder } from "../testing.js";
import { areUnchanged, recordInputs } from "./recorded-inputs.js";
import { readTextFile } from "./source.js";

test("records a file that a failed run was still reading", async () => {
  await withFixtureFolder({ "a.yaml": "a: 1\n" }, async (folder) => {
    const file = path.join(folder, "a.yaml");
    const { done, inputs } = recordInputs(async () => {
      void readTextFile(file);
      throw new Error("The linter reports a problem.");
    });
    await expect(done).rejects.toThrow();
    const read = await inputs();
    expect(Object.keys(read.files)).toEqual([file]);
    expect(await areUnchanged(read)).toBe(true);
  });
});

test("an unreadable file is unchanged until it is readable", async () => {
  await withFixtureFolder({ "folder/b.yaml": "b: 1\n" }, async (folder) => {
    const { done, inputs } = recordInputs(() => readTextFile(path.join(folder, "folder")));
    await expect(done).rejects.toThrow("it is a folder");
    expect(await areUnchanged(await inputs())).toBe(true);
    expect(await readdir(folder)).toEqual(["folder"]);
  });
});

test("records the requirements that the linter reads", async () => {
  await withFixtureFolder(
    { "openapi.yaml": buildDescription({}), "requirements.yaml": "documents: {}\n" },
    async (folder) => {
      const requirements = path.join(folder, "requirements.yaml");
      const { done, inputs } = recordInputs(() =>
        lint(path.join(folder, "openapi.yaml"), { ruleset: "strict", requirements }),
      );
      await done;
      expect(Object.keys((await inputs()).files)).toContain(requirements);
    },
  );
});
