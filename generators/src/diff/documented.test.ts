import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { rules, subjects } from "./codes.js";
import type { Rule } from "./difference.js";

const page = readFileSync(new URL("../../docs/diff.md", import.meta.url), "utf8");

describe("docs/diff.md", () => {
  it.each(Object.entries(subjects))("has the table of the rules about: %s", (subject, all) => {
    const rows = Object.entries(all).map(([code, rule]) => rowOf(code, rule));
    const table = ["| rule | | breaks | concerns | because |", "|---|---|---|---|---|", ...rows].join("\n");
    expect(page).toContain(`### ${subject}\n\n${table}\n\n`);
  });

  it("lists each rule once, and no unknown one", () => {
    const list = page.slice(page.indexOf("## The rules"));
    const named = [...list.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
    expect(named).toHaveLength(Object.keys(rules).length);
    expect(new Set(named)).toEqual(new Set(Object.keys(rules)));
  });

  it("lists each party of a rule once, and ends every text with a full stop", () => {
    for (const { breaks, touches, says, why } of Object.values(rules)) {
      expect(new Set([...breaks, ...touches]).size).toBe(breaks.length + touches.length);
      expect([says, why].every((text) => text.endsWith("."))).toBe(true);
    }
  });
});

function rowOf(code: string, { says, breaks, touches, why }: Rule): string {
  const shown = says.replaceAll("{what}", "…").replaceAll("{old}", "*old*").replaceAll("{new}", "*new*");
  return `| \`${code}\` | ${shown} | ${breaks.join(", ")} | ${touches.join(", ")} | ${why} |`;
}
