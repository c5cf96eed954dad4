import { guidePages } from "./guide-pages.js";
import type { Html } from "./render/html.js";
import { renderHtml } from "./render/templates.js";
import { operationsByTag, type PageContext, type SiteContext } from "./site-context.js";
import { createPageLinks } from "./site-links.js";

/** A page, before its frame. */
export interface SitePage {
  /** Relative to the root of the site. */
  readonly path: string;
  readonly title: string;
  readonly body: Html;
  /** The tag whose operations the navigation lists. */
  readonly tag?: string;
  /** The operation that the navigation marks. */
  readonly operation?: string;
  /** The servers of a page with a console. Absent: the page connects to nothing. */
  readonly servers?: readonly string[];
}

/** The anchors of the frame and of the headings of pages. */
const pageAnchors = [
  "access",
  "content",
  "menu",
  "request-body",
  "responses",
  "search",
  "search-results",
  "states",
  "try-it",
];

/** Creates the context of a page. */
export function pageContext(context: SiteContext, path: string): PageContext {
  return { ...context, links: createPageLinks(context.paths, path), anchors: new Set(pageAnchors) };
}

/**
 * A page may load its own scripts, styles and icon, and nothing else. Browsers treat files of a folder as different origins, so `'self'` alone would
 * block them there.
 */
export const contentSecurityPolicy =
  "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file:; base-uri 'none'; form-action 'none'";

/**
 * A page with a console also connects to where its user sends requests: servers with HTTPS, this machine, and the documented servers. Nothing else of
 * the policy changes.
 */
function policyOf({ servers }: SitePage): string {
  if (servers === undefined) return contentSecurityPolicy;
  const documented = servers.flatMap((url) => httpOrigin(url) ?? []);
  const sources = new Set(["'self'", "https:", "http://localhost:*", "http://127.0.0.1:*", ...documented]);
  return `${contentSecurityPolicy}; connect-src ${[...sources].join(" ")}`;
}

/** The origin of a server without HTTPS; undefined for all others, and for what a policy cannot contain. */
function httpOrigin(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  return protocol === "http:" && /^[\w.-]+(:\d+)?$/.test(host) ? `http://${host}` : undefined;
}

/** Renders a page with its frame: the head, the navigation and the search. */
export function renderSitePage(context: SiteContext, page: SitePage): string {
  const { api } = context;
  const links = createPageLinks(context.paths, page.path);
  return renderHtml("layout", {
    policy: policyOf(page),
    root: links.root,
    title: page.path === "index.html" ? `${api.title} ${api.version}` : `${page.title} · ${api.title}`,
    site: api.title,
    version: api.version,
    body: page.body,
    guides: guidePages(context).map(({ path, title }) => ({
      title,
      href: links.page(path),
      isCurrent:
        path === page.path ||
        (path !== "index.html" && folderOf(page.path) === folderOf(path) && folderOf(path) !== ""),
    })),
    tags: [...operationsByTag(api)].map(([tag, operations]) => ({
      title: tag,
      href: links.tag(tag),
      isCurrent: page.path === context.paths.tags.get(tag),
      isOpen: tag === page.tag,
      operations:
        tag === page.tag
          ? operations.map((each) => ({
              title: each.summary ?? each.name,
              method: each.method,
              methodClass: each.method.toLowerCase(),
              href: links.operation(each.name),
              isCurrent: each.name === page.operation,
              isDeprecated: each.deprecated,
            }))
          : [],
    })),
  }).toString();
}

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : "";
}
