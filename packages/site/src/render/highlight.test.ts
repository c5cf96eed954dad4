import { expect, test } from "vitest";
import { highlightJson, loadHighlighter } from "./highlight.js";

test("colours code by classes", async () => {
  const { code } = await loadHighlighter();
  expect(code('const a = "<b>";', "typescript").toString()).toBe(
    '<span class="s-keyword">const</span> <span class="s-constant">a</span> <span class="s-keyword">=</span> <span class="s-string-expression">&quot;&lt;b&gt;&quot;</span>;',
  );
  expect(code("x<y".repeat(3000), "shell").toString()).toBe("x&lt;y".repeat(3000));
});

test("prints JSON with colours, and cuts what is long", () => {
  expect(
    highlightJson({ a: [1, "<"], b: {} })
      .toString()
      .replaceAll(/<\/?span[^>]*>/g, ""),
  ).toBe("{\n  &quot;a&quot;: [\n    1,\n    &quot;&lt;&quot;\n  ],\n  &quot;b&quot;: {}\n}");
  expect(
    highlightJson(Array.from({ length: 500 }, () => null))
      .toString()
      .split("\n"),
  ).toHaveLength(121);
});
