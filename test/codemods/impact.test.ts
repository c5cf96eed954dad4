import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { consumers, readProjects } from "./consumers.support.js";

for (const name of readdirSync(path.join(consumers, "descriptions")))
  it(`finds ${name}`, { timeout: 240_000 }, async () => {
    for (const [project, { marked, reported }] of await readProjects(name)) {
      const missing = marked.filter((each) => !reported.includes(each));
      const extra = reported.filter((each) => !marked.includes(each));
      const lineOf = (each: string) => { const [at = ""] = each.split(" "); const [file = "", line] = at.split(":"); return readFileSync(path.join(consumers, "projects", project, file), "utf8").split("\n")[Number(line) - 1]?.trim().slice(0, 130); };
      console.log(project, "marked", marked.length, "certain", marked.filter((e) => e.includes(" certain ")).length);
      for (const each of missing) console.log("  -", each, "|", lineOf(each));
      for (const each of extra) console.log("  +", each, "|", lineOf(each));
    }
    expect(1).toBe(1);
  });
