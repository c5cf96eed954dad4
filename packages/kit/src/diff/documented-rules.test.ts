import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { differenceRules, rulesBySubject } from "./difference-rules.js";
import type { DifferenceRule } from "./rule.js";

const page = readFileSync(new URL("../../../plumbline/docs/diff.md", import.meta.url), "utf8");

describe("docs/diff.md", () => {
  it.each(Object.entries(rulesBySubject))("has the table of the rules about: %s", (subject, all) => {
    const rows = Object.entries(all).map(([code, rule]) => rowOf(code, rule));
    const table = ["| rule | | breaks | concerns | because |", "|---|---|---|---|---|", ...rows].join("\n");
    expect(page).toContain(`### ${subject}\n\n${table}\n\n`);
  });

  it("lists each rule once, and no unknown one", () => {
    const list = page.slice(page.indexOf("## The rules"));
    const named = [...list.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
    expect(named).toHaveLength(Object.keys(differenceRules).length);
    expect(new Set(named)).toEqual(new Set(Object.keys(differenceRules)));
  });

  it("lists each party of a rule once, and ends every text with a full stop", () => {
    for (const { breaks, affects, message, reason } of Object.values(differenceRules)) {
      expect(new Set([...breaks, ...affects]).size).toBe(breaks.length + affects.length);
      expect([message, reason].every((text) => text.endsWith("."))).toBe(true);
    }
  });
});

function rowOf(code: string, { message, breaks, affects, reason }: DifferenceRule): string {
  const shown = message.replaceAll("{what}", "…").replaceAll("{old}", "*old*").replaceAll("{new}", "*new*");
  return `| \`${code}\` | ${shown} | ${breaks.join(", ")} | ${affects.join(", ")} | ${reason} |`;
}
