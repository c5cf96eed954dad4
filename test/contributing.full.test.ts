import { describe, expect, it } from "vitest";
import { cloneInto, git } from "./support/clone.js";
import { place } from "./support/pets.js";
import { temporaryFolder } from "./support/places.js";
import { plumbline, run } from "./support/run.js";
import { readTracked } from "./support/tracked.js";

describe("the first change of CONTRIBUTING.md", () => {
  const text = readTracked("CONTRIBUTING.md");
  const blocks = [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language, block = ""]) => ({
    language,
    block,
  }));
  const linesOf = (language: string) =>
    blocks.filter((each) => each.language === language).map(({ block }) => block.trim().split("\n"));
  const commands = linesOf("sh").flat();
  const [files = [], [rule = ""] = [], [failure = ""] = []] = linesOf("");
  const patch = blocks.find(({ language }) => language === "diff")?.block ?? "";

  it("changes these files, with this meaning, and fails that test", async () => {
    expect(commands).toEqual([
      "npm ci",
      "npm run build",
      "npm run generate",
      "git diff --stat",
      "npx plumbline diff HEAD --fail-on none",
      "npm test -- server/limits",
      "npm run format",
      "npm test",
    ]);
    const folder = await temporaryFolder();
    await cloneInto(folder);
    await place(folder, { "first.patch": patch });
    await git(folder, "apply", "first.patch");
    expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: 0 });
    const changed = (await git(folder, "diff", "--name-only")).split("\n");
    expect(changed).toEqual(files);
    const { out } = await plumbline(["diff", "HEAD", "--fail-on", "none"], { in: folder });
    expect(out).toContain(rule);
    const tests = await run("npm", ["test", "--", "server/limits"], { in: folder });
    expect(tests.code).toBe(1);
    expect(tests.out).toContain(failure);
  });
});
