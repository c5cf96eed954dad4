import MarkdownIt from "markdown-it";
import sanitizeHtml from "sanitize-html";
import { escapeHtml, trustHtml, type Html } from "./html.js";

/** The level of headings within a text: one below the heading before it, so that a page has no gap in its levels. */
export type HeadingLevel = 2 | 3;

/**
 * Renders the Markdown of a description. Its HTML is text, its images are links, and its links are of http, https or mailto.
 *
 * @param text - Markdown.
 * @param level - The level of all headings. Default: 3.
 */
export function renderMarkdown(text: string, level: HeadingLevel = 3): Html {
  return cached(text, level);
}

/** Renders one line of Markdown, without paragraphs and lists. */
export function renderInlineMarkdown(text: string): Html {
  return cached(text, "inline");
}

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
// A page never loads anything: an image becomes a link to it.
markdown.renderer.rules["image"] = (tokens, index) => {
  const token = tokens[index];
  const address = String(token?.attrGet("src") ?? "");
  return `<a href="${escapeHtml(address)}">${escapeHtml(token?.content || address)}</a>`;
};

/** The tags of Markdown. */
const policy: sanitizeHtml.IOptions = {
  allowedTags: `a blockquote br code del em h2 h3 hr li ol p pre s strong table tbody td th thead tr ul`.split(" "),
  allowedAttributes: { a: ["href", "rel"] },
  allowedSchemes: ["http", "https", "mailto"],
  allowedSchemesAppliedToAttributes: ["href"],
  allowProtocolRelative: false,
  transformTags: {
    a: (_name, { href = "" }) =>
      /^(https?:\/\/|mailto:)/i.test(href)
        ? { tagName: "a", attribs: { href, rel: "noreferrer" } }
        : { tagName: "code", attribs: {} },
  },
};

/** Descriptions repeat texts: GitHub's has each of its most frequent ones on a thousand operations. */
const rendered = new Map<string, Html>();
const maxCachedTexts = 20_000;

function cached(text: string, kind: HeadingLevel | "inline"): Html {
  const key = `${kind}\n${text}`;
  const known = rendered.get(key);
  if (known !== undefined) return known;
  const rendering = trustHtml(plainOrRendered(text, kind));
  if (rendered.size >= maxCachedTexts) rendered.clear();
  rendered.set(key, rendering);
  return rendering;
}

/** Most texts are a sentence without any markup, which needs no parser. */
function plainOrRendered(text: string, kind: HeadingLevel | "inline"): string {
  const trimmed = text.trim();
  if (/^[A-Za-z][\w ,.;:()'"/-]*$/.test(trimmed) && !/[_]|:\/\//.test(trimmed))
    return kind === "inline" ? escapeHtml(trimmed) : `<p>${escapeHtml(trimmed)}</p>`;
  const unsafe =
    kind === "inline"
      ? markdown.renderInline(trimmed.replaceAll(/\s*\n\s*/g, " "))
      : markdown.render(text).replaceAll(/(<\/?)h[1-6]>/g, `$1h${kind}>`);
  // Wide tables scroll in a frame of their own, which takes the keyboard.
  return sanitizeHtml(unsafe, policy)
    .trim()
    .replaceAll("<table>", '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>");
}
