import { expect, test } from "vitest";
import { renderInlineMarkdown, renderMarkdown } from "./markdown.js";

test("renders Markdown, with headings of one level", () => {
  expect(renderMarkdown("# One\n\nA `code` and [a link](https://a.example/?a=1&b=2).\n\n- item").toString()).toBe(
    [
      "<h3>One</h3>",
      '<p>A <code>code</code> and <a href="https://a.example/?a=1&amp;b=2" rel="noreferrer">a link</a>.</p>',
      "<ul>\n<li>item</li>\n</ul>",
    ].join("\n"),
  );
});

test("the headings of a text after the title of a page are of the second level", () => {
  expect(renderMarkdown("# One\n\n### Two", 2).toString()).toBe("<h2>One</h2>\n<h2>Two</h2>");
});

test("renders one line without paragraphs", () => {
  expect(renderInlineMarkdown("A *line*\nof two").toString()).toBe("A <em>line</em> of two");
  expect(renderInlineMarkdown("Plain text, which needs no parser.").toString()).toBe(
    "Plain text, which needs no parser.",
  );
});

test("a wide table takes the keyboard", () => {
  expect(renderMarkdown("| a |\n|---|\n| 1 |").toString()).toContain('<div class="scroll" tabindex="0"');
});

test.each([
  ["<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"],
  ["<img src=x onerror=alert(1)>", "<p>&lt;img src=x onerror=alert(1)&gt;</p>"],
  ["[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>"],
  ["[a](JaVaScRiPt&#58;alert(1))", "<p>[a](JaVaScRiPt:alert(1))</p>"],
  ["[a](data:text/html,x)", "<p>[a](data:text/html,x)</p>"],
  ["[a](//evil.example)", "<p><code>a</code></p>"],
  ["[a](../other.html)", "<p><code>a</code></p>"],
  ["![pixel](https://evil.example/p.png)", '<p><a href="https://evil.example/p.png" rel="noreferrer">pixel</a></p>'],
  ['[a](https://a.example/"onclick="b)', '<p><a href="https://a.example/%22onclick=%22b" rel="noreferrer">a</a></p>'],
  ["<https://a.example>", '<p><a href="https://a.example" rel="noreferrer">https://a.example</a></p>'],
  ["<style>*{}</style>", "<p>&lt;style&gt;*{}&lt;/style&gt;</p>"],
])("%s is harmless", (text, expected) => {
  expect(renderMarkdown(text).toString()).toBe(expected);
});
