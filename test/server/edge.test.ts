import { build } from "esbuild";
import { expect, test } from "vitest";
import { repository } from "../support/places.js";

/** The modules of Node that an entry of a package needs, with all that it imports. */
async function nodeModulesOf(entry: string): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: { contents: `export * from "${entry}";`, resolveDir: `${repository}/test` },
    bundle: true,
    write: false,
    metafile: true,
    platform: "neutral",
    mainFields: ["module", "main"],
    external: ["node:*"],
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  return [...new Set(imports.map(({ path }) => path).filter((path) => path.startsWith("node:")))];
}

test.each(["limits/redis", "limits/postgres", "limits/testing"])("%s loads where there is no Node", async (entry) => {
  expect(await nodeModulesOf(`@plumbline/server-runtime/${entry}`)).toEqual([]);
});

test("a program for Node is found to need it", async () => {
  expect(await nodeModulesOf("@plumbline/mcp-runtime")).toContain("node:fs");
});
