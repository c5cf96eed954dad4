import { firstRead } from "@plumbline/kit/codegen";
import { createRequestSamples } from "@plumbline/kit/codegen/samples";
import { countOf, findPrimaryScheme, type Api } from "@plumbline/kit/model";
import { describeSamples } from "../describe/samples.js";
import { guidePages } from "../guide-pages.js";
import { renderMarkdown } from "../render/markdown.js";
import { firstSentenceOf } from "../render/sentences.js";
import { renderHtml } from "../render/templates.js";
import { operationsByTag, type SiteContext } from "../site-context.js";
import { pageContext, type SitePage } from "../site-page.js";

/** Creates the first page: what the API is, the first call, and where to read on. */
export function overviewPage(site: SiteContext): SitePage {
  const context = pageContext(site, "index.html");
  const { api, links } = context;
  const first = firstRead(api)?.operation;
  const scheme = findPrimaryScheme(api);
  return {
    path: "index.html",
    title: "Overview",
    body: renderHtml("overview", {
      title: api.title,
      version: api.version,
      summary: api.summary,
      description: api.description === undefined ? undefined : renderMarkdown(api.description),
      servers: api.servers.map(({ url, description }) => ({ url, description })),
      counts: countsOf(api),
      first: first && {
        title: first.summary ?? first.name,
        href: links.operation(first.name),
        samples: describeSamples(site.highlighter, createRequestSamples(api, first, site.client)),
      },
      credentials: scheme && {
        name: scheme.name,
        description: scheme.description === undefined ? undefined : renderMarkdown(scheme.description),
      },
      tags: [...operationsByTag(api)].map(([tag, operations]) => {
        const description = api.tags.find(({ name }) => name === tag)?.description;
        return {
          title: tag,
          href: links.tag(tag),
          count: countOf(operations.length, "operation"),
          text: description === undefined ? undefined : firstSentenceOf(description),
        };
      }),
      guides: guidePages(site)
        .filter(({ path }) => path !== "index.html")
        .map(({ path, title }) => ({ title, href: links.page(path), text: guideTexts[path] })),
    }),
  };
}

const guideTexts: Readonly<Record<string, string>> = {
  "operations/index.html": "Every operation, by tag.",
  "schemas/index.html": "Every named type of requests and responses.",
  "states/index.html": "What objects go through, drawn, with what moves them.",
  "access.html": "Which token and which user may call what.",
  "limits.html": "Rates, quotas and unique values in one table.",
  "errors.html": "Every documented error, with its cause.",
  "lists.html": "How lists are paginated and filtered.",
  "coverage/index.html": "Where each sentence of the documents is stated and tested.",
  "changes.html": "What differs from the previous version.",
};

function countsOf(api: Api): readonly { readonly value: number; readonly label: string }[] {
  // The command and the packages count operations with a path. The lists of operations have the others, too.
  const counts: readonly (readonly [number, string, string?])[] = [
    [api.operations.length, "operation"],
    [api.operationsWithoutPath.length, "operation", " at URLs of responses"],
    [api.schemas.length, "schema"],
    [api.stateMachines.length, "state machine"],
    [api.requirements.length, "requirement"],
  ];
  return counts
    .filter(([value]) => value > 0)
    .map(([value, unit, where = ""]) => ({ value, label: `${unit}${value === 1 ? "" : "s"}${where}` }));
}
