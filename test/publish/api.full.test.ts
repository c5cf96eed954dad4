import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { entryPointsOf, reportApi } from "../support/api-report.js";
import { temporaryFolder } from "../support/places.js";
import { publicFolders } from "../support/tarballs.js";

// The report is committed, so that a review sees every change of the public API.
const programs: ReadonlySet<string> = new Set(["plumbline"]);
const libraries = [...publicFolders()].filter(([name]) => !programs.has(name));

it.each(libraries)("the public API of %s is in its api.md", async (name, folder) => {
  const manifest = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")) as {
    readonly exports: object;
  };
  const entryPoints = entryPointsOf({ name, exports: manifest.exports });
  expect(entryPoints.length).toBeGreaterThan(0);
  const report = await reportApi(folder, entryPoints, await temporaryFolder());
  await expect(report).toMatchFileSnapshot(path.join(folder, "api.md"));
});
