import { describe, expect, it } from "vitest";
import { findProseErrors, readHtml, readMarkdown, readProse } from "./support/prose.js";
import { readTracked, trackedFiles } from "./support/tracked.js";

/** Sentences that stand against the rules, with the reason. An entry that nothing needs fails. */
const exemptions: readonly { readonly error: RegExp; readonly reason: string }[] = [
  { error: /^test\/(names|prose)\.test\.ts:/, reason: "Samples of what the checks find." },
  { error: /ssh-keys\.test\.ts:\d+: "is no"/, reason: "The reason of an error, which clients of the API may compare." },
  {
    error: /dns\/zone(\.test)?\.ts:\d+: "is no"/,
    reason: "A text in the `errors` of domains, which clients of the API read.",
  },
];

const files = trackedFiles().filter(
  (file) => /\.(ts|mjs|md|hbs)$/.test(file) && !/\/gen\/|^test\/descriptions\/|\/CHANGELOG\.md$/.test(file),
);

describe("prose", () => {
  it("uses the field's words, in sentences that end", () => {
    expect(files.length).toBeGreaterThan(500);
    const errors = files.flatMap(errorsOf);
    const isExempt = (error: string): boolean => exemptions.some((each) => each.error.test(error));
    expect(errors.filter((error) => !isExempt(error))).toEqual([]);
    expect(exemptions.filter((each) => !errors.some((error) => each.error.test(error)))).toEqual([]);
  });

  it.each([
    ["a.md", "A limit.\n\nThe caller is told.\n", ['a.md:3: "told". Write: report, respond, format.']],
    ["a.md", "| a | Nobody |\n", ['a.md:1: "Nobody". Write: the name of who acts: the caller, the server, a client.']],
    ["a.md", "`told`\n\n```\nnobody\n```\n", []],
    ["a.md", `${"word ".repeat(35)}end.`, [expect.stringContaining("a.md:1: 36 words")]],
    ["a.md", `${"word ".repeat(34)}end. ${"word ".repeat(34)}end.`, []],
    [
      "a.ts",
      "/** A caller that\n * nobody knows. */\nexport const a = 1;",
      [expect.stringContaining('a.ts:1: "nobody"')],
    ],
    [
      "generators/site/templates/a.hbs",
      `<p title="told">A <a href="told">limit</a>.</p>\n<p>The caller is <code>{{told}}</code> told.</p>`,
      ['generators/site/templates/a.hbs:2: "told". Write: report, respond, format.'],
    ],
    ["a.ts", "function a() {\n  // refused\n  return 1;\n}", [expect.stringContaining('a.ts:2: "refused"')]],
    ["a.ts", "const a = `${b} is no date`;", [expect.stringContaining('a.ts:1: "is no"')]],
    ["a.ts", "const a = `${`the body is no date`} and`;", [expect.stringContaining('a.ts:1: "is no"')]],
    ["a.ts", 'const told = "refused";\nconst b = "It is no longer there.";', []],
  ])("%s: %s", (file, text, errors) => {
    expect(findErrors(file, text)).toEqual(errors);
  });
});

function errorsOf(file: string): readonly string[] {
  return findErrors(file, readTracked(file));
}

function findErrors(file: string, text: string): readonly string[] {
  if (file.startsWith("generators/site/templates/")) return findProseErrors(file, readHtml(text));
  return findProseErrors(file, /\.(md|hbs)$/.test(file) ? readMarkdown(text) : readProse(file, text));
}
