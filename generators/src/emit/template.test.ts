import { expect, test } from "vitest";
import { fill } from "./template.js";

test("escapes HTML except in triple braces", () => {
  expect(fill("# {{title}} {{{path}}}", { title: "<b> & co", path: "/a?b=1&c" })).toBe("# &lt;b&gt; &amp; co /a?b=1&c");
});

test("throws for a missing value", () => {
  expect(() => fill("{{title}} {{titel}}", { title: "a" })).toThrow('"titel" not defined');
});

test("quotes in text stay unchanged", () => {
  const title = `a cluster's "own" = b \``;
  expect(fill("{{#if title}}{{title}}{{else}}none{{/if}}", { title })).toBe(`a cluster's "own" = b &#x60;`);
});
