import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repository, unremovedFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";
import { findDeadLinks, findRepeatedIds, readPages } from "../support/site-links.js";

const examples = path.join(repository, "node_modules", "@readme", "oas-examples");
const assets = new Set(["site.css", "site.js", "icon.svg"].map((name) => `assets/${name}`));

let folder: string;

beforeAll(async () => {
  folder = await unremovedFolder();
});
afterAll(() => rm(folder, { recursive: true }));

interface BuiltSite {
  readonly code: number | null;
  readonly text: string;
  readonly out: string;
}

async function build(spec: string, name: string): Promise<BuiltSite> {
  const out = path.join(folder, name);
  const { code, error } = await plumbline(["generate", "--spec", spec, "--out", out, "--only", "site"], { in: folder });
  return { code, text: error, out: path.join(out, "site") };
}

describe("the site of a third-party description", () => {
  it.each(["3.0", "3.1"])(
    "has every field, no dead link and no id twice, for each example of OpenAPI %s",
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
        const allPages = [...pages.values()].join("\n");
        const { components } = JSON.parse(
          await readFile(path.join(examples, version, "json", name), "utf8"),
        ) as Described;
        const missing = [...propertyNames(components?.schemas)].filter(
          (each) => !allPages.includes(`<code>${escapeHtml(each)}</code></a>`),
        );
        // Beyond 400 fields of a value, a page says how many it leaves out.
        if (!allPages.includes("more fields are in the description"))
          faults.push(...missing.map((each) => `${name}: ${each} is on no page`));
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
});

interface Described {
  readonly components?: { readonly schemas?: unknown };
}

/** The names of all properties in schemas. */
function* propertyNames(node: unknown): Iterable<string> {
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (["example", "examples", "default", "enum", "const"].includes(key)) continue;
    const isProperties = key === "properties" && typeof value === "object" && value !== null;
    if (isProperties) yield* Object.keys(value);
    for (const each of isProperties ? Object.values(value) : [value]) yield* propertyNames(each);
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
