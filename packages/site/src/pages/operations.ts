import type { Operation } from "@plumbline/kit/model";
import { scopeCodes } from "../describe/access.js";
import { describeSources } from "../describe/sources.js";
import type { Html } from "../render/html.js";
import { renderMarkdown } from "../render/markdown.js";
import { renderHtml } from "../render/templates.js";
import { operationsByTag, type PageContext, type SiteContext } from "../site-context.js";
import { pageContext, type SitePage } from "../site-page.js";

/** An operation in a list. */
export interface OperationRow {
  readonly title: string;
  readonly name: string;
  readonly method: string;
  readonly methodClass: string;
  readonly path: string;
  readonly href: string | undefined;
  readonly isDeprecated: boolean;
  readonly scopes: Html;
}

/** Creates the list of all operations. */
export function operationsPage(site: SiteContext): SitePage {
  const path = "operations/index.html";
  const context = pageContext(site, path);
  const tags = [...operationsByTag(site.api)].map(([tag, operations]) => ({
    title: tag,
    href: context.links.tag(tag),
    operations: operations.map((each) => operationRow(context, each)),
  }));
  return { path, title: "Operations", body: renderHtml("operations", { tags }) };
}

/** Creates a page for each tag: its description, and its operations. */
export function tagPages(site: SiteContext): readonly SitePage[] {
  return [...operationsByTag(site.api)].map(([tag, operations]) => {
    const path = site.paths.tags.get(tag) ?? "";
    const context = pageContext(site, path);
    const described = site.api.tags.find(({ name }) => name === tag);
    const body = renderHtml("tag", {
      title: tag,
      description: described?.description === undefined ? undefined : renderMarkdown(described.description, 2),
      operations: operations.map((each) => operationRow(context, each)),
      sources: described && describeSources(context, [described]),
    });
    return { path, title: tag, tag, body };
  });
}

/** Describes an operation in a list. */
export function operationRow({ links }: PageContext, operation: Operation): OperationRow {
  return {
    title: operation.summary ?? operation.name,
    name: operation.name,
    method: operation.method,
    methodClass: operation.method.toLowerCase(),
    path: operation.path,
    href: links.operation(operation.name),
    isDeprecated: operation.deprecated,
    scopes: scopeCodes(operation),
  };
}
