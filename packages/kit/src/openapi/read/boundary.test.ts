import { symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { buildDescription } from "../lint/lint-fixture.support.js";
import { lint } from "../lint/lint.js";
import { withFixtureFolder } from "../testing.js";
import { loadDescription } from "./load.js";
import type { SpecNode } from "./spec-node.js";

const reference = (file: string): string =>
  buildDescription({})
    .replaceAll("$ref: '#/components/schemas/Note'", `$ref: '${file}'`)
    .replace(/^components:[^]*/m, "");
const note = "type: object\nproperties: {id: {type: integer}}\n";
const files = { "api/parts/note.yaml": note, "shared/note.yaml": note };

test.each([
  ["a path", "../shared/note.yaml"],
  ["a link to a file", "linked.yaml"],
  ["a link to a folder", "shared/note.yaml"],
])("%s may not lead out of the folder, unless that is allowed", async (_, file) => {
  await withFixtureFolder({ ...files, "api/openapi.yaml": reference(file) }, async (folder) => {
    await symlink("../shared/note.yaml", path.join(folder, "api/linked.yaml"));
    await symlink("../shared", path.join(folder, "api/shared"));
    const root = path.join(folder, "api/openapi.yaml");
    const boundary = [path.join(folder, "api")];
    const outside = /note\.yaml|linked\.yaml.* is outside of the folder api; --allow-outside reads it all the same/;
    const said = (await lint(root, { ruleset: "minimal", boundary })).filter(({ severity }) => severity === "error");
    expect(said.map(({ code }) => code)).toEqual(said.map(() => "openapi/no-unresolved-refs"));
    expect(said[0]?.message).toMatch(outside);

    const limited = await loadDescription(root, [], boundary);
    expect(limited.files.map(({ name }) => name)).toEqual(["openapi.yaml"]);
    const schema = ["paths", "/notes", "post", "requestBody", "content", "application/json", "schema"];
    expect(schema.reduce<SpecNode | undefined>((place, key) => place?.get(key), limited.root)).toBeUndefined();
    expect(limited.diagnostics.map(({ message }) => message)).toEqual([expect.stringMatching(outside)]);

    const free = await loadDescription(root);
    expect(free.files.length).toBe(2);
    expect((await lint(root, { ruleset: "minimal" })).filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

test("an encoded path leads nowhere else", async () => {
  await withFixtureFolder({ ...files, "api/openapi.yaml": reference("..%2Fshared/note.yaml") }, async (folder) => {
    const root = path.join(folder, "api/openapi.yaml");
    expect((await loadDescription(root, [], [path.join(folder, "api")])).files).toHaveLength(1);
    expect((await loadDescription(root)).files).toHaveLength(2);
  });
});

test("files inside of the folder are read, also by way of links", async () => {
  await withFixtureFolder({ ...files, "api/openapi.yaml": reference("linked.yaml") }, async (folder) => {
    await symlink("parts/note.yaml", path.join(folder, "api/linked.yaml"));
    const boundary = [path.join(folder, "api")];
    const { files: read, diagnostics } = await loadDescription(path.join(folder, "api/openapi.yaml"), [], boundary);
    expect([read.map(({ name }) => name), diagnostics]).toEqual([["openapi.yaml", "linked.yaml"], []]);
  });
});
