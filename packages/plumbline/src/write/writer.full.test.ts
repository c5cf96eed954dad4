import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { withFixtureFolder } from "@plumbline/openapi/testing";
import { WriteError, writePackages } from "./writer.js";

test("gives up after waiting about ten seconds for another run, and writes nothing", async () => {
  const ticket = `.plumbline.${process.ppid}.6f1e0a52-0e5b-4a8e-9d55-0d8f8f0a7c11.plumbline-tmp`;
  await withFixtureFolder({ [ticket]: "" }, async (folder) => {
    const files = [{ path: "src/gen/a.ts", text: "export const a = 1;\n" }];
    const begun = performance.now();
    await expect(writePackages({ folder, files })).rejects.toThrow(WriteError);
    expect(performance.now() - begun).toBeGreaterThan(5000);
    expect(await readdir(folder)).toEqual([ticket]);
  });
});
