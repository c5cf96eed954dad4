import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { artifactOptions, housesDescription, contextFromText } from "./context/fixture-context.support.js";
import { caseFiles } from "./generate-cases.js";
import { emitConformancePackage } from "./package.js";

test.each([
  [false, "houses/listHouses/accepts"],
  [true, "Build the suite first: npx tsc -p "],
])("a generated command runs as it lies, or says how to build it (scenarios: %s)", async (hasScenarios, output) => {
  const { api } = await contextFromText(housesDescription);
  const options = artifactOptions();
  const folder = mkdtempSync(path.join(tmpdir(), "plumbline-suite-"));
  try {
    for (const file of [
      ...caseFiles(api, options),
      ...emitConformancePackage(api, options, { hasTests: false, hasScenarios }),
    ]) {
      if (!("text" in file)) continue;
      const target = path.join(folder, file.path);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, file.text);
    }
    symlinkSync(fileURLToPath(new URL("../../../node_modules", import.meta.url)), path.join(folder, "node_modules"));
    const script = `node bin/pets-conformance.js list 2>&1; true`;
    expect(execFileSync("sh", ["-c", script], { cwd: folder, encoding: "utf8" })).toContain(output);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
