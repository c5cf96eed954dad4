import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { areSame, recordInputs } from "./inputs.js";
import { inFolder } from "./model/testing.support.js";
import { lint } from "./spec/lint.js";
import { readText } from "./spec/source.js";
import { description } from "./spec/testing.support.js";

test("records a file that a failed run was still reading", async () => {
  await inFolder({ "a.yaml": "a: 1\n" }, async (folder) => {
    const file = path.join(folder, "a.yaml");
    const { done, inputs } = recordInputs(async () => {
      void readText(file);
      throw new Error("The linter reports a problem.");
    });
    await expect(done).rejects.toThrow();
    const read = await inputs();
    expect(Object.keys(read.files)).toEqual([file]);
    expect(await areSame(read)).toBe(true);
  });
});

test("an unreadable file is unchanged until it is readable", async () => {
  await inFolder({ "folder/b.yaml": "b: 1\n" }, async (folder) => {
    const { done, inputs } = recordInputs(() => readText(path.join(folder, "folder")));
    await expect(done).rejects.toThrow("it is a folder");
    expect(await areSame(await inputs())).toBe(true);
    expect(await readdir(folder)).toEqual(["folder"]);
  });
});

test("records the requirements that the linter reads", async () => {
  await inFolder({ "openapi.yaml": description({}), "requirements.yaml": "documents: {}\n" }, async (folder) => {
    const requirements = path.join(folder, "requirements.yaml");
    const { done, inputs } = recordInputs(() =>
      lint(path.join(folder, "openapi.yaml"), { profile: "owner", requirements }),
    );
    await done;
    expect(Object.keys((await inputs()).files)).toContain(requirements);
  });
});
