import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { entryPointsOf, reportApi } from "../support/api-report.js";
import { repository, temporaryFolder } from "../support/places.js";
import { publicFolders } from "../support/tarballs.js";
import { trackedFiles } from "../support/tracked.js";

// The report is committed, so that a review sees every change of the public API. Programs have no API for TypeScript, and a
// review sees that of generated packages in their generated files.
const withoutReport: ReadonlySet<string> = new Set([
  "plumbline",
  "@cloud-compute/client",
  "@cloud-compute/conformance",
  "@cloud-compute/description",
  "@cloud-compute/mcp",
  "@cloud-compute/mock",
  "@cloud-compute/server",
  "@cloud-compute/validator",
]);
const libraries = [...publicFolders()].filter(([name]) => !withoutReport.has(name));

it("every library has a report, and no other package does", () => {
  expect([...withoutReport].filter((name) => !publicFolders().has(name))).toEqual([]);
  const reports = trackedFiles().filter((file) => file.endsWith("/api.md"));
  const expected = libraries.map(([, folder]) => path.posix.join(path.relative(repository, folder), "api.md"));
  expect(reports.toSorted()).toEqual(expected.toSorted());
});

it.each(libraries)("the public API of %s is in its api.md", async (name, folder) => {
  const manifest = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")) as {
    readonly exports: object;
  };
  const entryPoints = entryPointsOf({ name, exports: manifest.exports });
  expect(entryPoints.length).toBeGreaterThan(0);
  const report = await reportApi(folder, entryPoints, await temporaryFolder());
  await expect(report).toMatchFileSnapshot(path.join(folder, "api.md"));
});
