import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { inFolder, withPaths } from "../model/testing.support.js";
import { runPlumbline } from "./terminal.support.js";

const pets = withPaths("/pets: {get: {operationId: listPets, responses: {'200': {description: All of them.}}}}");

test("--out creates the folder that the file stands in", async () => {
  const next = pets.replace("listPets", "allPets");
  await inFolder({ "old.yaml": pets, "new.yaml": next }, async (folder) => {
    const args = ["diff", "old.yaml", "new.yaml", "--fail-on", "none", "--format", "json", "--out", "a/b/diff.json"];
    expect(await runPlumbline(args, folder)).toEqual({ code: 0, out: "", error: "" });
    const { differences } = JSON.parse(await readFile(path.join(folder, "a/b/diff.json"), "utf8")) as {
      readonly differences: readonly { readonly code: string }[];
    };
    expect(differences.map(({ code }) => code)).toEqual(["operation-renamed"]);
  });
});
