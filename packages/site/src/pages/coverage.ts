import { countOf, type Requirement } from "@plumbline/kit/model";
import { html, type Html } from "../render/html.js";
import { renderInlineMarkdown } from "../render/markdown.js";
import { renderHtml } from "../render/templates.js";
import type { SiteContext } from "../site-context.js";
import { anchorOf, documentSections } from "../site-links.js";
import { pageContext, type SitePage } from "../site-page.js";

/** Creates the pages of coverage: a summary by section of the documents, and a page for each section. */
export function coveragePages(site: SiteContext): readonly SitePage[] {
  const sections = documentSections(site.api);
  const path = "coverage/index.html";
  const { links } = pageContext(site, path);
  const { suite } = site;
  const documents = [...new Set(sections.map(({ document }) => document))].map((document) => ({
    title: document,
    sections: sections
      .filter((each) => each.document === document)
      .map(({ section, path: target, requirements }) => ({
        title: section,
        href: links.page(target),
        total: requirements.length,
        stated: requirements.filter(({ statedAt }) => statedAt.length > 0).length,
        open: requirements.filter(({ open }) => open).length,
        tested: suite === undefined ? undefined : requirements.filter(({ id }) => suite.cases.has(id)).length,
      })),
  }));
  const all = site.api.requirements;
  const summary = [
    { value: all.length, label: "requirements" },
    { value: all.filter(({ statedAt }) => statedAt.length > 0).length, label: "stated in the description" },
    ...(suite === undefined
      ? []
      : [{ value: all.filter(({ id }) => suite.cases.has(id)).length, label: "tested by a case" }]),
    { value: all.filter(({ open }) => open).length, label: "left open by the documents" },
  ];
  const index = renderHtml("coverage", { documents, summary, hasSuite: suite !== undefined });
  return [
    { path, title: "Coverage", body: index },
    ...sections.map((each) => ({
      path: each.path,
      title: each.section,
      body: renderHtml("requirements", {
        ...each,
        requirements: each.requirements.map((one) => describeRequirement(site, one)),
      }),
    })),
  ];
}

/** Cases, and places, beyond which a page counts the rest. */
const maxListed = 8;

function describeRequirement(site: SiteContext, requirement: Requirement): object {
  const { id, text, line, open, statedAt } = requirement;
  const cases = site.suite?.cases.get(id) ?? [];
  const settled = site.api.assumptions.find(({ settles }) => settles === id);
  return {
    id,
    anchor: anchorOf(id),
    text,
    line,
    isOpen: open,
    settled: settled && {
      assumed: renderInlineMarkdown(settled.text),
      because: renderInlineMarkdown(settled.because),
    },
    places: listOf(statedAt.map((origin) => site.source(origin))),
    cases: listOf(cases),
    hasSuite: site.suite !== undefined,
    untested: cases.length === 0 ? site.suite?.untested.get(id) : undefined,
    count: countOf(cases.length, "case"),
  };
}

function listOf(texts: readonly string[]): { readonly shown: readonly Html[]; readonly more: number } {
  const items = texts.slice(0, maxListed).map((text) => html`<code>${text}</code>`);
  return { shown: items, more: texts.length - items.length };
}
