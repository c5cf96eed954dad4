import { expect, test } from "vitest";
import { formatFile } from "./format-file.js";

test("formats to 120 columns", async () => {
  const file = await formatFile({ path: "src/a.ts", text: "\n\nexport const a={b:1}\n\n\n\nexport const c='d'" });
  expect(file).toEqual({ path: "src/a.ts", text: 'export const a = { b: 1 };\n\nexport const c = "d";\n' });
});

test("leaves a verbatim file as it is", async () => {
  const page = { path: "a.html", text: "<pre>\n  a </pre><p>b", isVerbatim: true } as const;
  expect(await formatFile(page)).toEqual(page);
});

test("is idempotent", async () => {
  const once = await formatFile({ path: "a.ts", text: `export const a = [${"'b', ".repeat(40)}];` });
  expect(await formatFile(once)).toEqual(once);
});

test("rejects text that does not parse", async () => {
  await expect(formatFile({ path: "src/a.ts", text: "export const = 1;" })).rejects.toThrow(
    /^src\/a\.ts does not parse: /,
  );
});

test("keeps the quotes of a key, even where a later Unicode version allows it as an identifier", async () => {
  const text = 'export const a = { "\u{323b0}": 1, "200": 2, b: 3 };\n';
  expect(await formatFile({ path: "a.ts", text })).toEqual({ path: "a.ts", text });
});
