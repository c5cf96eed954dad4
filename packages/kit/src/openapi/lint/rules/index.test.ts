import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { LintRule } from "../rule.js";
import * as rules from "./index.js";
import { limitEffectsRule, limitsRule } from "./limits.js";

/** The exports of a module of rules, by name. */
type RuleExports = Readonly<Record<string, Pick<LintRule<string>, "codes">>>;

describe("the linter runs", () => {
  test("the rules of every file, each with codes of its own", async () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && file !== "index.ts",
    );
    expect(files.length).toBeGreaterThan(15);
    const modules: [string, RuleExports][] = [];
    for (const file of files) modules.push([file, (await import(new URL(file, import.meta.url).href)) as RuleExports]);
    expect(findErrors(modules, rules)).toEqual([]);
  });

  test.each<readonly [string, RuleExports, RuleExports, readonly string[]]>([
    ["all is well", { limitsRule, limitEffectsRule }, { limitsRule, limitEffectsRule }, []],
    ["a rule is not listed", { limitsRule, limitEffectsRule }, { limitsRule }, ["limitEffectsRule of a.ts never runs"]],
    [
      "two rules have one code",
      { limitEffectsRule },
      { limitEffectsRule, otherRule: limitEffectsRule },
      ["two rules have the code limits/effect"],
    ],
  ])("is checked: %s", (_, exported, listed, errors) => {
    expect(findErrors([["a.ts", exported]], listed)).toEqual(errors);
  });
});

function findErrors(
  modules: readonly (readonly [file: string, exported: RuleExports])[],
  listed: RuleExports,
): readonly string[] {
  const codes = Object.values(listed).flatMap((rule) => Object.keys(rule.codes));
  return [
    ...modules.flatMap(([file, exported]) =>
      Object.entries(exported).flatMap(([name, rule]) =>
        listed[name] === rule ? [] : [`${name} of ${file} never runs`],
      ),
    ),
    ...codes
      .filter((code, position) => codes.indexOf(code) !== position)
      .map((code) => `two rules have the code ${code}`),
  ];
}
