import { readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { checkTypes, install } from "../support/examples.js";
import { place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";

const kinds = ["client", "validator", "server", "mock", "mcp", "types"];
const options: Readonly<Record<string, string>> = {
  client: "paths: true, query: true, ",
  validator: "ajv: true, standard: true, ",
};

it("artifacts of some operations of Cloud Compute have only these, and compile beside an injected error", async () => {
  const folder = await temporaryFolder();
  await install(folder);
  const artifacts = kinds.map(
    (kind) =>
      `      ${kind}: {package: '@part/${kind}', out: ${kind}, ${options[kind] ?? ""}include: {tags: [tags], paths: [/images/*, /kube/**]}}\n`,
  );
  await place(folder, {
    "plumbline.yaml": `ruleset: minimal
descriptions:
  - description: ${path.join(repository, "spec", "openapi.yaml")}
    artifacts:
${artifacts.join("")}`,
    "wrong.ts": 'export const wrong: number = "";\n',
  });
  expect(await plumbline(["generate", "--spec", "plumbline.yaml"], { in: folder })).toMatchObject({ code: 0 });
  const paths = await readFile(path.join(folder, "types", "src", "gen", "paths.ts"), "utf8");
  expect([...paths.matchAll(/^ {2}"\/(\w+)/gm)].map(([, first]) => first)).toEqual(
    expect.arrayContaining(["tags", "images", "kube"]),
  );
  expect(paths).not.toMatch(/^ {2}"\/(?:compute|domains|profile|images":)/m);
  expect(paths).not.toContain("TokenCreate");
  for (const kind of kinds) await link(folder, kind);
  const errors = (await checkTypes(folder)).out.split("\n").filter((line) => line !== "");
  expect(errors).toEqual([expect.stringMatching(/^wrong\.ts\(1,14\): error TS2322: /)]);
});

/** Installs a package with the types of its sources. */
async function link(folder: string, kind: string): Promise<void> {
  const text = await readFile(path.join(folder, kind, "package.json"), "utf8");
  const installed = path.join(folder, "node_modules", "@part", kind);
  const manifest = text.replaceAll(/"types": "\.\/dist\/(.*?)\.d\.ts"/g, '"types": "./src/$1.ts"');
  await place(installed, { "package.json": manifest });
  await symlink(path.join(folder, kind, "src"), path.join(installed, "src"), "dir");
}
