import { expect, test } from "vitest";
import { escapeProse } from "./escape-prose.js";
import { renderTemplate } from "./template.js";

test("escapes HTML except in triple braces", () => {
  expect(renderTemplate("# {{title}} {{{path}}}", { title: "<b> & co", path: "/a?b=1&c" })).toBe(
    "# \\<b> & co /a?b=1&c",
  );
});

test("throws for a missing value", () => {
  expect(() => renderTemplate("{{title}} {{titel}}", { title: "a" })).toThrow('"titel" not defined');
});

test("quotes in text stay unchanged", () => {
  const title = `a cluster's "own" = b \``;
  expect(renderTemplate("{{#if title}}{{title}}{{else}}none{{/if}}", { title })).toBe(`a cluster's "own" = b \\\``);
});

test.each([
  ["&lt;b&gt; &#60; & &b", "\\&lt;b\\&gt; \\&#60; & &b"],
  ["\\<b> \\[a]", "\\\\\\<b> \\\\\\[a\\]"],
])("prose has no element, entity or link: %s", (text, expected) => {
  expect(renderTemplate("{{text}}", { text: escapeProse(text) })).toBe(expected);
});
