import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { changesetsProgram } from "../../test/release/changesets.mjs";
import { pets, place } from "../support/pets.js";
import { plumbline, runNode } from "../support/run.js";
import { createTiny } from "./tiny.js";

const config = `ruleset: minimal
descriptions:
  - description: openapi.yaml
    artifacts:
      client: {package: '@shop/bee', out: ../packages/bee}
      server: {package: '@farm/ant', out: ../packages/ant}
`;

it("Changesets accepts what plumbline diff writes", async () => {
  const { folder } = await createTiny((root) => writeFile(path.join(root, ".npmrc"), ""), {
    "spec/plumbline.yaml": config,
    "spec/openapi.yaml": pets,
  });
  await place(folder, { "spec/openapi.yaml": pets.replace("required: [id]", "required: [id, name]") });
  const args = ["diff", "main", "--fail-on", "none", "--format", "changeset", "--out", ".changeset/api.md"];
  expect(await plumbline(args, { in: folder })).toEqual({ code: 0, out: "", error: "" });
  const ended = await runNode([changesetsProgram(), "status", "--output", "status.json"], { in: folder });
  expect({ code: ended.code, error: ended.error }).toEqual({ code: 0, error: "" });
  const { releases } = JSON.parse(await readFile(path.join(folder, "status.json"), "utf8")) as {
    readonly releases: readonly { readonly name: string; readonly newVersion: string }[];
  };
  expect(Object.fromEntries(releases.map(({ name, newVersion }) => [name, newVersion]))).toEqual({
    "@farm/ant": "2.0.0",
    "@shop/bee": "1.1.0",
  });
});
