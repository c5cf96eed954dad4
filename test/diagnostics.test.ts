import { diagnosticCodes } from "@plumbline/kit/openapi";
import { describe, expect, it } from "vitest";
import { readTracked, trackedFiles } from "./support/tracked.js";

const negative = "test/descriptions/negative";
const handlers = "generators/src/handlers/handlers.test.ts";
const loading = "packages/plumbline/src/generate/load-generator.test.ts";
const names = "packages/kit/src/openapi/build/names/stable-names.test.ts";
const overlays = "packages/kit/src/openapi/overlays/overlays.test.ts";
const suites = "generators/src/conformance/coverage.test.ts";
const table = "test/descriptions/README.md";
const workflows = "generators/src/conformance/cases/workflows/read-workflows.test.ts";

/**
 * Where the diagnostics are triggered that the linter does not report of a description alone: tests, and tables that tests compare. The
 * others have a folder in `test/descriptions/negative`, which a test lints. An entry without need fails.
 */
const triggers: Readonly<Record<string, string>> = {
  "config/missing": "packages/plumbline/src/config/config.test.ts",
  "config/unknown": "packages/plumbline/src/config/config.test.ts",
  "config/value": "packages/plumbline/src/config/config.test.ts",
  "conformance/bound-too-large": table,
  "conformance/no-case": table,
  "conformance/unknown": suites,
  "conformance/untested": suites,
  "conformance/unused-exemption": suites,
  "generator/failed": loading,
  "generator/inputs": "packages/plumbline/src/generate/artifact-input.test.ts",
  "generator/missing": loading,
  "generator/name": "packages/plumbline/src/config/config.test.ts",
  "generator/path": loading,
  "generator/schema": loading,
  "generator/text": loading,
  "handlers/syntax": handlers,
  "handlers/unclear": handlers,
  "mock/data": "test/mock/watch.test.ts",
  "mock/no-sample": "generators/src/mock/unsampled-responses.test.ts",
  "names/collision": names,
  "names/renamed": names,
  "names/reserved": names,
  "names/unusable": names,
  "overlay/extends": overlays,
  "overlay/schema": overlays,
  "overlay/target": overlays,
  "overlay/too-many-steps": "packages/kit/src/openapi/overlays/overlays.step-budget.test.ts",
  "overlay/unmatched": "packages/kit/src/openapi/overlays/overlays.lint.test.ts",
  "overlay/unreadable": "test/plumbline/overlays.test.ts",
  "overlay/update": overlays,
  "overlay/version": overlays,
  "patterns/unchecked": table,
  "references/of": "generators/src/server/resources.test.ts",
  "site/no-mock": "packages/site/src/try-it/create-console.test.ts",
  "unsupported/format": "generators/src/validator/custom-checks.test.ts",
  "unsupported/parameter": "test/validator/round-trip.test.ts",
  "unsupported/slash": table,
  "workflow/criterion": workflows,
  "workflow/duplicate": workflows,
  "workflow/expression": workflows,
  "workflow/input": workflows,
  "workflow/missing": workflows,
  "workflow/no-assertions": workflows,
  "workflow/schema": workflows,
  "workflow/unknown": workflows,
};

interface Diagnostics {
  /** The text of the page about diagnostics. */
  readonly page: string;
  /** The codes with severities. */
  readonly registered: readonly string[];
  /** The texts of the sources that report diagnostics. */
  readonly sources: readonly string[];
  /** The codes that the linter reports of a description in `test/descriptions/negative`. */
  readonly linted: ReadonlySet<string>;
  /** The texts of tests, by the codes that they trigger. */
  readonly triggered: Readonly<Record<string, string>>;
}

describe("every diagnostic", () => {
  it("has a rule that runs, a paragraph, and a description that triggers it", () => {
    const files = trackedFiles();
    const sources = files.filter(
      (file) =>
        /^(generators|packages\/(codemods|kit|plumbline|site))\/src\/.*\.ts$/.test(file) &&
        !/\.(test|support)\.ts$|\/lint\/(redocly\/)?codes\.ts$/.test(file),
    );
    const expected = files.filter((file) => file.startsWith(`${negative}/`) && file.endsWith("/expected.txt"));
    // `lint/negative.test.ts` runs the linter on each folder, and compares its only code with the name of the folder.
    const linted = expected.flatMap((file) => readTracked(file).match(/\S+(?=\n)/g) ?? []);
    expect(sources.length).toBeGreaterThan(300);
    expect(linted.length).toBeGreaterThan(80);
    const errors = findErrors({
      page: readTracked("packages/plumbline/docs/diagnostics.md"),
      registered: Object.keys(diagnosticCodes),
      sources: sources.map(readTracked),
      linted: new Set(linted),
      triggered: Object.fromEntries(Object.entries(triggers).map(([code, file]) => [code, readTracked(file)])),
    });
    expect(errors).toEqual([]);
  });

  const valid: Diagnostics = {
    page: "# Limits\n\n## limits/unit\n\nA text.\n\n## openapi/struct\n\nA text.\n\n## site/no-mock\n\nA text.\n",
    registered: ["limits/unit", "openapi/struct"],
    sources: ['report("limits/unit", at)', 'return { code: "site/no-mock" };', '"text/plain"'],
    linted: new Set(["limits/unit", "openapi/struct"]),
    triggered: { "site/no-mock": "site/no-mock" },
  };

  it.each<readonly [string, Partial<Diagnostics>, readonly string[]]>([
    ["all are complete", {}, []],
    ["a code has no paragraph", { registered: ["limits/none"] }, ["limits/none has no paragraph"]],
    [
      "a reported code has no paragraph",
      { sources: [...valid.sources, 'const code = "limits/none";', 'node.report(\n  "mine/none", at)'] },
      ["limits/none has no paragraph", "mine/none has no paragraph"],
    ],
    [
      "a paragraph is empty",
      { page: valid.page.replace("mock\n\nA text.", "mock\n") },
      ["site/no-mock has no paragraph"],
    ],
    [
      "a code has two paragraphs",
      { page: `${valid.page}\n## limits/unit\n\nAgain.\n` },
      ["limits/unit has two paragraphs"],
    ],
    [
      "no rule reports a code",
      { sources: ['rule: LintRule<"limits/unit"> = {\n  codes: {\n    "limits/unit": {', ...valid.sources.slice(1)] },
      ["no rule reports limits/unit"],
    ],
    [
      "the linter does not run a rule of Redocly",
      { linted: new Set(["limits/unit"]) },
      ["no rule reports openapi/struct", "nothing triggers openapi/struct"],
    ],
    ["no test triggers a code", { triggered: { "site/no-mock": "" } }, ["nothing triggers site/no-mock"]],
    [
      "a test is named without need",
      { triggered: { ...valid.triggered, "limits/unit": "limits/unit", old: "old" } },
      ["limits/unit needs no entry", "old needs no entry"],
    ],
  ])("is checked: %s", (_, changes, errors) => {
    expect(findErrors({ ...valid, ...changes })).toEqual(errors);
  });
});

function findErrors({ page, registered, sources, linted, triggered }: Diagnostics): readonly string[] {
  const headings = [...page.matchAll(/^## (\S+)\n\n(?=[^\s#])/gm)].map(([, code = ""]) => code);
  const documented = new Set(headings);
  const groups = new Set([...documented, ...registered].map((code) => code.split("/")[0]));
  const reported = new Set(sources.flatMap((text) => codesIn(text, groups)));
  const known = [...new Set([...registered, ...reported])];
  const hasRule = (code: string): boolean => reported.has(code) || (code.startsWith("openapi/") && linted.has(code));
  // A regular expression has the code with an escaped slash.
  const isTriggered = (code: string): boolean =>
    linted.has(code) || triggered[code]?.replaceAll("\\/", "/").includes(code) === true;
  return [
    ...known.filter((code) => !documented.has(code)).map((code) => `${code} has no paragraph`),
    ...[...documented].flatMap((code) => [
      ...(headings.indexOf(code) === headings.lastIndexOf(code) ? [] : [`${code} has two paragraphs`]),
      ...(hasRule(code) ? [] : [`no rule reports ${code}`]),
      ...(isTriggered(code) ? [] : [`nothing triggers ${code}`]),
    ]),
    ...Object.keys(triggered)
      .filter((code) => linted.has(code) || !(documented.has(code) || known.includes(code)))
      .map((code) => `${code} needs no entry`),
  ];
}

/** The codes that a source reports: texts of a known group, and what stands where codes do. A rule declares its codes as types and as keys. */
function codesIn(text: string, groups: ReadonlySet<string | undefined>): readonly string[] {
  const code = /(\bcode: |\b(?:report|warn)\(\s*)?"([a-z]+)\/([\w-]+)"(?!:)/g;
  return [...text.replaceAll(/\bLint(?:Rule|Finding)<.*?>/gs, "").matchAll(code)].flatMap(
    ([, isCode, group = "", name = ""]) => (isCode !== undefined || groups.has(group) ? [`${group}/${name}`] : []),
  );
}
