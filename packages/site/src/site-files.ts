import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { readTemplate, type GeneratedFile } from "@plumbline/kit/codegen";
import { guidePages } from "./guide-pages.js";
import { coveragePages } from "./pages/coverage.js";
import { accessPage, changesPage, errorsPage, limitsPage, listsPage } from "./pages/guides.js";
import { operationPages } from "./pages/operation.js";
import { operationsPage, tagPages } from "./pages/operations.js";
import { overviewPage } from "./pages/overview.js";
import { schemaPages, schemasPage } from "./pages/schemas.js";
import { stateMachinePages, statesPage } from "./pages/states.js";
import { searchIndexScript } from "./search-index.js";
import type { SiteContext } from "./site-context.js";
import { renderSitePage, type SitePage } from "./site-page.js";

/** Emits all files of a site: its pages, and what they load. */
export function emitSiteFiles(site: SiteContext): readonly GeneratedFile[] {
  return [
    ...pagesOf(site).map((page) => verbatim(page.path, renderSitePage(site, page))),
    verbatim("assets/search-index.js", searchIndexScript(site)),
    ...(site.console === undefined ? [] : [verbatim("assets/console.js", site.console.script)]),
    ...(site.console?.mock === undefined ? [] : [verbatim("assets/mock.js", site.console.mock.script)]),
    ...assets().map(({ path, text }) => verbatim(path, text)),
  ];
}

function verbatim(path: string, text: string): GeneratedFile {
  return { path, text, isVerbatim: true };
}

function pagesOf(site: SiteContext): readonly SitePage[] {
  const guides = new Set(guidePages(site).map(({ path }) => path));
  const pages: Readonly<Record<string, () => readonly SitePage[]>> = {
    "index.html": () => [overviewPage(site)],
    "operations/index.html": () => [operationsPage(site), ...tagPages(site), ...operationPages(site)],
    "schemas/index.html": () => [schemasPage(site), ...schemaPages(site)],
    "states/index.html": () => [statesPage(site), ...stateMachinePages(site)],
    "access.html": () => [accessPage(site)],
    "limits.html": () => [limitsPage(site)],
    "errors.html": () => [errorsPage(site)],
    "lists.html": () => [listsPage(site)],
    "coverage/index.html": () => coveragePages(site),
    "changes.html": () => [changesPage(site)],
  };
  return Object.entries(pages).flatMap(([path, create]) => (guides.has(path) ? create() : []));
}

/** The files that are the same in each site. */
function assets(): readonly { readonly path: string; readonly text: string }[] {
  const files = ["site.css", "site.js", "icon.svg"].map((name) => ({
    path: `assets/${name}`,
    text: readTemplate(new URL(`../assets/${name}`, import.meta.url)),
  }));
  const { resolve } = createRequire(import.meta.url);
  // The package exports modules only; pages need the classic script beside them.
  const script = new URL("../umd/index.js", pathToFileURL(resolve("minisearch")));
  const text = readTemplate(script).replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n");
  return [...files, { path: "assets/minisearch.js", text }];
}
