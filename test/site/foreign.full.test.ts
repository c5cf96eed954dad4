import { existsSync, readFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repository, unremovedFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";
import { compressedSize, findDeadLinks, findRepeatedIds, readPages } from "../support/site-links.js";

const examples = path.join(repository, "node_modules", "@readme", "oas-examples");
/** Installed by `npm run bench` only. */
const github = path.join(
  repository,
  "test",
  "peers",
  "node_modules",
  "@octokit",
  "openapi",
  "generated",
  "api.github.com.json",
);
const assets = new Set(["site.css", "site.js", "icon.svg"].map((name) => `assets/${name}`));

let folder: string;

beforeAll(async () => {
  folder = await unremovedFolder();
});
afterAll(() => rm(folder, { recursive: true }));

interface BuiltSite {
  readonly code: number | null;
  readonly text: string;
  readonly seconds: number;
  readonly out: string;
}

async function build(spec: string, name: string): Promise<BuiltSite> {
  const out = path.join(folder, name);
  const start = performance.now();
  const { code, error } = await plumbline(["generate", "--spec", spec, "--out", out, "--only", "site"], { in: folder });
  return { code, text: error, seconds: (performance.now() - start) / 1000, out: path.join(out, "site") };
}

describe("the site of a third-party description", () => {
  it.each(["3.0", "3.1"])(
    "has no dead link and no id twice, for each example of OpenAPI %s",
    async (version) => {
      const names = (await readdir(path.join(examples, version, "json"))).filter((name) => name.endsWith(".json"));
      const faults: string[] = [];
      let built = 0;
      for (const name of names) {
        const { code, text, out } = await build(path.join(examples, version, "json", name), `${version}-${name}`);
        if (code !== 0) {
          // Rejected with diagnostics, as for every artifact.
          if (!/ error {2}/.test(text)) faults.push(`${name}: ${text.slice(0, 200)}`);
          continue;
        }
        built++;
        const pages = readPages(out);
        faults.push(...findDeadLinks(pages, assets).map((link) => `${name}: ${link}`));
        for (const [page, html] of pages) {
          faults.push(...findRepeatedIds(html).map((id) => `${name}: ${page} has ${id} twice`));
          if (html.includes("[object Object]")) faults.push(`${name}: ${page} has no text of an object`);
        }
      }
      expect(faults).toEqual([]);
      expect(built).toBeGreaterThan(names.length / 2);
    },
    600_000,
  );

  it.skipIf(!existsSync(github))(
    "takes at most 20 s for GitHub's, and its pages have at most 200 kB",
    async () => {
      const { code, seconds, out } = await build(github, "github");
      expect(code).toBe(0);
      expect(seconds).toBeLessThan(20);
      const pages = readPages(out);
      expect(pages.size).toBeGreaterThan(2000);
      expect([...pages].filter(([, html]) => compressedSize(html) > 200_000).map(([name]) => name)).toEqual([]);
      const scripts = ["site.js", "console.js", "minisearch.js", "search-index.js"].map((name) =>
        path.join(out, "assets", name),
      );
      expect(scripts.reduce((sum, file) => sum + compressedSize(readFileSync(file, "utf8")), 0)).toBeLessThan(150_000);
      expect(findDeadLinks(pages, assets)).toEqual([]);
    },
    120_000,
  );
});
