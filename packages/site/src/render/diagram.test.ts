import { expect, test } from "vitest";
import { loadDiagramRenderer } from "./diagram.js";

test("a diagram has classes for colours, and texts of a description as texts", async () => {
  const { draw } = await loadDiagramRenderer();
  const hostile = `"\\N</text><script>alert(1)</script>&amp;`;
  const svg = draw({
    label: `States "of" <a>`,
    nodes: [
      { id: "start", label: "", kind: "start" },
      { id: "a", label: hostile, kind: "state" },
      { id: "b", label: "b", kind: "hidden" },
    ],
    edges: [
      { from: "start", to: "a", label: "", kind: "operation" },
      { from: "a", to: "b", label: hostile, kind: "time" },
    ],
  }).toString();
  expect(svg).toMatch(/^<svg class="diagram" role="img" aria-label="States of a" width="\d+"\s+viewBox="[^"]*"/);
  expect(svg).toContain('class="node hidden"');
  expect(svg).toContain('class="edge time"');
  expect(svg).not.toMatch(/<script|<title|<!--| (?:fill|stroke|style|id)=/);
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) =>
    text.replaceAll("&#160;", " ").trim(),
  );
  const shown = "&quot;\\N&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;";
  expect(texts.toSorted()).toEqual([shown, "b", shown].toSorted());
});
