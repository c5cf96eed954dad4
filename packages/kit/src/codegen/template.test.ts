import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { withFixtureFolder } from "../openapi/testing.js";
import { escapeProse } from "./escape-prose.js";
import { precompiledFileOf, precompileTemplate, readTemplate, renderTemplate } from "./template.js";

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

test("a precompiled template is rendered, until its text changes", async () => {
  const compiled = precompileTemplate("compiled {{name}}");
  const files = {
    "templates/same.md.hbs": "text {{name}}",
    "dist/templates/same.md.hbs.cjs": compiled.replace('"compiled {{name}}"', '"text {{name}}"'),
    "templates/changed.md.hbs": "changed {{name}}",
    "dist/templates/changed.md.hbs.cjs": compiled,
  };
  await withFixtureFolder(files, async (folder) => {
    const rendered = (name: string): string => {
      const template = readTemplate(pathToFileURL(path.join(folder, "templates", name)));
      return renderTemplate(template, { name: "<b>" });
    };
    expect(rendered("same.md.hbs")).toBe("compiled \\<b>");
    expect(rendered("changed.md.hbs")).toBe("changed \\<b>");
    const file = path.join(folder, "templates", "same.md.hbs");
    expect(precompiledFileOf(file)).toBe(path.join(folder, "dist", "templates", "same.md.hbs.cjs"));
  });
});
