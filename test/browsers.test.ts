import { build, type BuildFailure } from "esbuild";
import { describe, expect, it } from "vitest";
import { repository } from "./support/places.js";
import { readTracked } from "./support/tracked.js";

/** What pages and workers contain: runtimes, and packages that are generated on them. */
const packages = [
  "packages/client-runtime",
  "packages/client",
  "packages/server-runtime",
  "packages/validator",
  "packages/server",
  "packages/mock",
];

describe("a bundle for browsers", () => {
  it.each(packages.flatMap(entriesOf))("contains %s", async (entry) => {
    expect(await problemsOf(`export * from "${entry}";`)).toEqual([]);
  });

  it("contains a form that a Standard Schema checks, and a mock behind MSW", async () => {
    const page = `
      import { createInstanceInput } from "@cloud-compute/validator/standard";
      import { createMock } from "@cloud-compute/mock";
      import { mswHandlers } from "@plumbline/server-runtime/mock/msw";
      document.forms[0].onsubmit = () => createInstanceInput.body["~standard"].validate({ region: "us-east" });
      globalThis.handlers = mswHandlers(createMock(), "https://api.example.com");`;
    expect(await problemsOf(page)).toEqual([]);
  });

  it("contains no module of Node", async () => {
    expect(await problemsOf('import { readFileSync } from "node:fs"; readFileSync("a");')).toEqual([
      expect.stringContaining('Could not resolve "node:fs"'),
    ]);
  });
});

/** What a package can be imported as. */
function entriesOf(folder: string): readonly string[] {
  const { name, exports } = JSON.parse(readTracked(`${folder}/package.json`)) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, unknown>>;
  };
  return Object.keys(exports).flatMap((entry) => (entry.endsWith(".json") ? [] : [name + entry.slice(1)]));
}

/** What keeps a program from running in browsers. */
async function problemsOf(contents: string): Promise<readonly string[]> {
  try {
    const { warnings } = await build({
      stdin: { contents, resolveDir: `${repository}/test` },
      bundle: true,
      write: false,
      format: "esm",
      platform: "browser",
      logLevel: "silent",
      // Our bundles import the files that they share, which have no side effects. Of installed packages esbuild does not say so.
      logOverride: { "ignored-bare-import": "silent" },
    });
    return warnings.map(({ text }) => text);
  } catch (error) {
    return (error as BuildFailure).errors.map(({ text }) => text);
  }
}
