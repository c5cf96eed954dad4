import { writeFile } from "node:fs/promises";
import path from "node:path";
import { withFixtureFolder } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { hashGenerator } from "./generator-identity.js";

const generator = {
  "package.json": JSON.stringify({
    version: "1.0.0",
    dependencies: { formatter: "1.0.0", "@plumbline/kit": "1.0.0" },
    peerDependencies: { "@plumbline/site": "1.0.0" },
  }),
  "node_modules/@plumbline/site/package.json":
    '{"name": "@plumbline/site", "version": "1.0.0", "dependencies": {"@plumbline/server-runtime": "1.0.0"}}',
  "node_modules/@plumbline/server-runtime/package.json": '{"version": "1.0.0"}',
  "node_modules/@plumbline/server-runtime/dist/index.js": "four();\n",
  "node_modules/@plumbline/site/assets/page.css": "a {}\n",
  "node_modules/@plumbline/kit/package.json": '{"version": "1.0.0"}',
  "node_modules/@plumbline/kit/dist/printer.js": "three();\n",
  "node_modules/formatter/package.json": '{"version": "1.0.0"}',
  "dist/cli.js": "one();\n",
  "dist/spec/load.js": "two();\n",
  "templates/readme.md.hbs": "# {{title}}\n",
  "vocabulary/x-limits.schema.json": "{}\n",
};

test.each([
  ["package.json", '{"version": "1.0.1", "dependencies": {"formatter": "1.0.0"}}'],
  ["node_modules/formatter/package.json", '{"version": "1.0.2"}'],
  ["node_modules/@plumbline/kit/dist/printer.js", "tree();\n"],
  ["node_modules/@plumbline/site/assets/page.css", "b {}\n"],
  ["node_modules/@plumbline/server-runtime/dist/index.js", "for();\n"],
  ["dist/spec/load.js", "too();\n"],
  ["dist/spec/more.js", "two();\n"],
  ["templates/readme.md.hbs", "## {{title}}\n"],
  ["vocabulary/x-limits.schema.json", '{"type": "array"}\n'],
])("a generator with another %s has another identity", async (name, text) => {
  await withFixtureFolder({ ...generator, "node_modules/other/package.json": "{}" }, async (folder) => {
    const before = await hashGenerator(folder);
    await writeFile(path.join(folder, "node_modules/other/package.json"), '{"version": "9.0.0"}');
    expect(await hashGenerator(folder)).toBe(before);
    await writeFile(path.join(folder, name), text);
    expect(await hashGenerator(folder)).not.toBe(before);
  });
});
