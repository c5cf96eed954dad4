import { execFileSync } from "node:child_process";
import { readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { withFixtureFolder, withPaths } from "@plumbline/openapi/testing";
import { runPlumbline, type CommandResult } from "./run-plumbline.support.js";

const pets = withPaths("/pets: {get: {operationId: listPets, responses: {'200': {description: All of them.}}}}");

test("--out creates the folder of the file", async () => {
  const next = pets.replace("listPets", "allPets");
  await withFixtureFolder({ "old.yaml": pets, "new.yaml": next }, async (folder) => {
    const args = ["diff", "old.yaml", "new.yaml", "--fail-on", "none", "--format", "json", "--out", "a/b/diff.json"];
    expect(await runPlumbline(args, folder)).toEqual({ code: 0, out: "", error: "" });
    const { differences } = JSON.parse(await readFile(path.join(folder, "a/b/diff.json"), "utf8")) as {
      readonly differences: readonly { readonly code: string }[];
    };
    expect(differences.map(({ code }) => code)).toEqual(["operation-renamed"]);
  });
});

test("reads a revision from the repository only", async () => {
  const spec = pets.replace("{description: All of them.}", "{$ref: '../shared/all.yaml'}");
  const config = "descriptions: [{description: openapi.yaml}]\n";
  const texts = {
    "a/spec/openapi.yaml": spec,
    "a/spec/plumbline.yaml": config,
    "a/shared/all.yaml": "description: All.",
  };
  await withFixtureFolder({ ...texts, "secret.yaml": pets }, async (folder) => {
    const top = path.join(folder, "a");
    await symlink("../secret.yaml", path.join(top, "linked.yaml"));
    const git = (...args: readonly string[]): void =>
      void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: top });
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("commit", "-qm", "Pets");
    const diff = (...args: readonly string[]): Promise<CommandResult> => runPlumbline(["diff", ...args], top);
    await writeFile(path.join(top, "spec/openapi.yaml"), spec.replace("listPets", "allPets"));
    expect(await diff("main")).toMatchObject({
      code: 1,
      error: expect.stringContaining(
        "../shared/all.yaml is outside of the folder spec; --allow-outside reads it all the same",
      ) as string,
    });
    expect(await diff("main", "--allow-outside")).toMatchObject({ code: 1, error: "" });
    for (const file of ["linked.yaml", "spec/../../../../secret.yaml"])
      expect((await diff(`main:${file}`, "spec/openapi.yaml")).error).toMatch(
        /is outside of the revision main|There is no/,
      );
  });
});
