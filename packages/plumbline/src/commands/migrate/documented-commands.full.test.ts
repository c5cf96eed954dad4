import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { withFixtureFolder } from "@plumbline/kit/openapi/testing";
import { describe, expect, test } from "vitest";
import { runPlumbline } from "../run-plumbline.support.js";

const docs = new URL("../../../docs/", import.meta.url);
const pages = readdirSync(docs).filter((name) => name === "migrate.md" || name.startsWith("from-"));

/** The commands of a page, without those that stand for any file or tool. */
const documented = pages.flatMap((page) => {
  const text = readFileSync(new URL(page, docs), "utf8");
  const commands = [...text.matchAll(/(?:^|`)plumbline (migrate [^`\n#]*)/gm)].map(([, command = ""]) =>
    command.trim(),
  );
  return [...new Set(commands)]
    .filter((each) => !/\b(OLD|DESCRIPTION)\b/.test(each))
    .map((command) => ({ page, command }));
});

const description = `openapi: 3.1.0
info: {title: Shelves, version: '1'}
servers: [{url: 'https://shelves.example/v1'}]
security: []
tags: [{name: shelves}]
paths:
  /shelves:
    get: {operationId: listShelves, tags: [shelves], summary: List, responses: {'204': {description: All}}}
`;

async function withApplication(run: (folder: string) => Promise<void>, config?: string): Promise<void> {
  const manifest = { "package.json": '{"name": "app", "private": true}', "openapi.yaml": description };
  const code = { "src/app.ts": 'import { listShelves } from "@app/client";\n', "test/app.ts": "export {};\n" };
  const files = config === undefined ? {} : { "spec/plumbline.yaml": config, "spec/other.yaml": description };
  await withFixtureFolder({ ...manifest, ...code, ...files }, run);
}

describe("the commands of the pages about migrations", () => {
  test("name each tool that has a page", () => {
    const tools = new Set(documented.map(({ command }) => /--from ([\w-]+)/.exec(command)?.[1]));
    expect(tools).toEqual(new Set([undefined, "express-openapi-validator", "openapi-fetch"]));
  });

  test.each(documented)("$page: $command", async ({ command }) => {
    await withApplication(async (folder) => {
      const [, old = "", next = ""] = command.split(" ");
      for (const name of [old, next].filter((each) => each.endsWith(".yaml")))
        await writeFile(path.join(folder, name), description);
      const init = ["init", old, "--scope", "@app", "--artifacts", "client,validator"];
      expect(await runPlumbline(init, folder)).toMatchObject({ code: 0 });
      const { code, error } = await runPlumbline(command.split(/\s+/), folder);
      expect({ code, error }).toEqual({ code: 0, error: "" });
    });
  });
});

describe("the description of `plumbline migrate --from`", () => {
  const tools = [
    ["openapi-fetch", "client"],
    ["express-openapi-validator", "validator"],
  ] as const;
  const artifacts =
    "{client: {package: '@app/client', out: client}, validator: {package: '@app/validator', out: validator}}";
  const listed = `descriptions:\n  - description: ../openapi.yaml\n    artifacts: ${artifacts}\n`;

  test.each(tools)("has the package of %s from the nearest plumbline.yaml, in any folder below", async (tool) => {
    await withApplication(async (folder) => {
      const below = path.join(folder, "apps/web");
      await mkdir(below, { recursive: true });
      const migrate = ["migrate", "--from", tool, "--code", "../../src"];
      expect(await runPlumbline(migrate, below)).toMatchObject({ code: 0, error: "" });
      expect(await runPlumbline([...migrate, "../../openapi.yaml"], below)).toMatchObject({ code: 0, error: "" });
    }, listed);
  });

  test.each(tools)("of several, has the package of the one that is named: %s", async (tool) => {
    const several = `${listed}  - description: other.yaml\n    artifacts: {client: {package: '@app/other', out: other}}\n`;
    await withApplication(async (folder) => {
      const migrate = ["migrate", "--from", tool, "--code", "src"];
      expect(await runPlumbline(migrate, folder)).toMatchObject({ code: 2 });
      expect(await runPlumbline([...migrate, "openapi.yaml"], folder)).toMatchObject({ code: 0, error: "" });
    }, several);
  });

  test.each(tools)("is an error of %s where no configuration lists it", async (tool, kind) => {
    await withApplication(async (folder) => {
      const migrate = ["migrate", "spec/other.yaml", "--from", tool, "--code", "src"];
      expect(await runPlumbline(migrate, folder)).toMatchObject({
        code: 2,
        error: expect.stringContaining(
          `spec/other.yaml is not a description of spec/plumbline.yaml. Leave it out to use that configuration, or pass --${kind}, the name of the generated package.`,
        ) as string,
      });
      const named = await runPlumbline([...migrate, `--${kind}`, "@app/other"], folder);
      expect(named).toMatchObject({ code: 0, error: "" });
    }, listed);
  });
});
