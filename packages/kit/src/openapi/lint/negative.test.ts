import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { diagnosticCodes, type DiagnosticCode } from "./codes.js";
import { lint } from "./lint.js";

const corpus = fileURLToPath(new URL("../../../../../test/descriptions/negative/", import.meta.url));
const folders = readdirSync(corpus);

describe("an invalid description is reported", () => {
  test.each(folders)("%s", async (folder) => {
    const root = path.join(corpus, folder);
    const requirements = path.join(root, "requirements.yaml");
    const diagnostics = await lint(path.join(root, "openapi.yaml"), {
      ruleset: "strict",
      ...(existsSync(requirements) && { requirements }),
    });
    const lines = diagnostics.map(({ code, origin: { file, line, column } }) => `${file}:${line}:${column}  ${code}\n`);
    expect(lines.join("")).toBe(readFileSync(path.join(root, "expected.txt"), "utf8"));
    expect(diagnostics.filter((each) => each.code.replace("/", "-") !== folder)).toEqual([]);
    expect(diagnostics.every((each) => each.severity === diagnosticCodes[each.code as DiagnosticCode].strict)).toBe(
      true,
    );
  });
});
