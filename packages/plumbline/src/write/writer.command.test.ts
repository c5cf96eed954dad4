import { spawnSync } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
import { withFixtureFolder } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { writePackages } from "./writer.js";

test("programs are executable, and no other files", async () => {
  const a = { path: "src/gen/a.ts", text: "export const a = 1;\n" };
  await withFixtureFolder({}, async (folder) => {
    await writePackages({ folder, files: [a, { path: "bin/pets.js", text: "#!/usr/bin/env node\n" }] });
    expect(spawnSync(path.join(folder, "bin", "pets.js")).status).toBe(0);
    expect((await stat(path.join(folder, a.path))).mode & 0o111).toBe(0);
  });
});
