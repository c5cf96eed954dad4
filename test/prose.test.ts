import { describe, expect, it } from "vitest";
import { readTracked, trackedFiles } from "./support/tracked.js";

/** Words of the project's former dialect, and the field's words. */
const fieldWords: Readonly<Record<string, string>> = {
  "told|tells|telling": "report, respond, format",
  "whoever|nobody|somebody": "the name of who acts: the caller, the server, a client",
  "unless said": "Default: …",
  "judge|judges|judged|judging|judgements?": "validate, check, evaluate",
  "refuse|refuses|refused|refusing|refusals?": "reject, error",
  "leavings|anew|mended": "what it is: cleanup, again, fixed",
  "none of ours": "unknown",
};

// A part of an id or of a path is a name that stands elsewhere, too.
const patterns = Object.entries(fieldWords).map(
  ([words, instead]) => [new RegExp(`(?<![\\w./-])(?:${words})(?![\\w-])`, "gi"), instead] as const,
);

/** Docs, the description, templates and sources. `requirements.yaml` quotes documents of others. */
const files = trackedFiles().filter(
  (file) =>
    /\.(md|hbs)$|^(generators|packages\/[^/]+)\/src\/.*\.(ts|mjs)$|^spec\/.*\.yaml$/.test(file) &&
    !/\/gen\/|\.(test|support)\.ts$|^test\/descriptions\/|\/CHANGELOG\.md$/.test(file) &&
    file !== "spec/requirements.yaml",
);

describe("prose", () => {
  it("uses the field's words", () => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap((file) => findWords(file, readTracked(file)))).toEqual([]);
  });

  it.each([
    ["a.md", "A limit.\n\nThe caller is told.\n", ['a.md:3: "told". Write: report, respond, format.']],
    ["a.md", "`told`\n\n```sh\nnobody\n```\n| Refused |\n", ['a.md:6: "Refused". Write: reject, error.']],
    ["a.hbs", "<p>None of ours.</p>", ['a.hbs:1: "None of ours". Write: unknown.']],
    ["a.ts", "const a = `${b} was judged.`;", ['a.ts:1: "judged". Write: validate, check, evaluate.']],
    ["a.yaml", "verifiedBy: phone-number-refused\nx-source: [tag.create.refused]\n", []],
  ])("%s: %s", (file, text, errors) => {
    expect(findWords(file, text)).toEqual(errors);
  });
});

describe("tables", () => {
  it("have no row outside of them", () => {
    const pages = trackedFiles().filter((file) => file.endsWith(".md"));
    expect(pages.length).toBeGreaterThan(50);
    expect(pages.flatMap((file) => findLoneRows(readTracked(file)).map((line) => `${file}:${line}`))).toEqual([]);
  });

  it.each([
    ["| a |\n|---|\n| 1 |\n", []],
    ["| a |\n|---|\n| 1 |\n\n| 2 |\n", [5]],
    ["```\n| a |\n```\n", []],
  ])("%j: rows outside of them at %j", (text, lines) => {
    expect(findLoneRows(text)).toEqual(lines);
  });
});

/** The lines, counted from 1, that begin a table without a head. */
function findLoneRows(text: string): readonly number[] {
  const lines = text.replaceAll(/^```[^]*?^```/gm, (code) => code.replaceAll(/[^\n]/g, "")).split("\n");
  return lines.flatMap((line, index) => {
    const isFirst = line.startsWith("|") && lines[index - 1]?.startsWith("|") !== true;
    return isFirst && !/^\|[-: |]+$/.test(lines[index + 1] ?? "") ? [index + 1] : [];
  });
}

describe("the comments of generated code", () => {
  const generated = trackedFiles().filter((file) => /^packages\/[^/]+\/src\/gen\/.*\.ts$/.test(file));

  it("say durations and expressions in words", () => {
    expect(generated.length).toBeGreaterThan(100);
    expect(generated.flatMap((file) => findNotation(file, readTracked(file)))).toEqual([]);
  });

  it.each([
    ["/**\n * Kept for P14D.\n */", ["a.ts:2: P14D"]],
    ["  /** At most 5 in PT15M per `$target#/id`. */", ["a.ts:1: PT15M", "a.ts:1: $target"]],
    ["// Needs `$request.body#/image`, as `$caller.user`.", ["a.ts:1: $request", "a.ts:1: $caller"]],
    ['const a = "after:PT24H"; // 24 hours', []],
  ])("%j", (text, errors) => {
    expect(findNotation("a.ts", text)).toEqual(errors);
  });
});

/** The durations and expressions in comments, which readers should not have to decode. */
function findNotation(file: string, text: string): readonly string[] {
  return text.split("\n").flatMap((line, index) => {
    const comment = /(?:^\s*\/?\*|\/\/(?!\S*["'`])).*$/.exec(line)?.[0] ?? "";
    const notation = comment.matchAll(/\bPT?\d+[WDHMS]\b|\$(?:request|response|caller|target|refs)\b/g);
    return [...notation].map(([match]) => `${file}:${index + 1}: ${match}`);
  });
}

/** The forbidden words of a file, a line each. In Markdown, code is not prose. */
function findWords(file: string, text: string): readonly string[] {
  const blank = (code: string): string => code.replaceAll(/[^\n]/g, "");
  const prose = file.endsWith(".md") ? text.replaceAll(/```[^]*?```|`[^`\n]*`/g, blank) : text;
  return patterns.flatMap(([pattern, instead]) =>
    [...prose.matchAll(pattern)].map((match) => {
      const line = prose.slice(0, match.index).split("\n").length;
      return `${file}:${line}: "${match[0]}". Write: ${instead}.`;
    }),
  );
}
