import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { codes, type Code } from "./codes.js";
import { lint } from "./lint.js";

const corpus = fileURLToPath(new URL("../../../test/descriptions/negative/", import.meta.url));
const folders = readdirSync(corpus);

describe("an invalid description is reported", () => {
  test.each(folders)("%s", async (folder) => {
    const root = path.join(corpus, folder);
    const requirements = path.join(root, "requirements.yaml");
    const problems = await lint(path.join(root, "openapi.yaml"), {
      profile: "owner",
      ...(existsSync(requirements) && { requirements }),
    });
    const lines = problems.map(({ code, origin: { file, line, column } }) => `${file}:${line}:${column}  ${code}\n`);
    expect(lines.join("")).toBe(readFileSync(path.join(root, "expected.txt"), "utf8"));
    expect(problems.filter((each) => each.code.replace("/", "-") !== folder)).toEqual([]);
    expect(problems.every((each) => each.severity === codes[each.code as Code].owner)).toBe(true);
  });
});

test("every rule has failed at least once", () => {
  // Settings and workflows have tests of their own.
  const beside = /^(conformance|generator|overlay|workflow)\//;
  const wanted = Object.keys(codes)
    .filter((code) => !beside.test(code))
    .map((code) => code.replace("/", "-"));
  expect(wanted.filter((folder) => !folders.includes(folder))).toEqual([]);
  expect(folders.filter((folder) => !wanted.includes(folder))).toEqual([]);
});
