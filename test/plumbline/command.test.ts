import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { filesOf, pets, place } from "../support/pets.js";
import { temporaryFolder } from "../support/places.js";
import { plumbline, plumblineProcess, plumblineProgram } from "../support/run.js";

/** Other tests call the command in their own process. */
describe("the program of the plumbline command", () => {
  it.each([["--version"], ["--help"], ["lint", "--help"], ["draw"], []])(
    "does as in this process: %s %s",
    async (...args) => {
      const surroundings = { in: await temporaryFolder() };
      expect(await plumblineProcess(args, surroundings)).toEqual(await plumbline(args, surroundings));
    },
  );

  it("generates, and fails where the description is wrong", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "openapi.yaml": pets });
    const args = ["generate", "--spec", "openapi.yaml", "--out", "made", "--only", "client"];
    const { code, out, error } = await plumblineProcess(args, { in: folder });
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toMatch(/^wrote {4}made\/client\/src\/gen\/types\.ts$/m);
    const before = await filesOf(folder);
    expect(Object.keys(before)).toContain("made/client/src/gen/types.ts");

    await place(folder, { "openapi.yaml": pets.replace("#/components/schemas/Pet'", "pat.yaml'") });
    const env = { TERM: "xterm-256color" };
    const failed = await plumblineProcess(args, { in: folder, env });
    expect({ code: failed.code, out: failed.out }).toEqual({ code: 1, out: "" });
    expect(failed.error).toMatch(/^openapi\.yaml:14:62 {2}error {2}openapi\/no-unresolved-refs /);
    // A pipe gets no colours and no progress.
    expect(failed.error).not.toMatch(/[\u001b\r]/);
    expect(await filesOf(folder)).toEqual({ ...before, "openapi.yaml": expect.any(String) as string });
  });

  it("ends without an error when its reader has seen enough", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "openapi.yaml": pets });
    const child = spawn(process.execPath, [plumblineProgram, "model", "openapi.yaml"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    const [error, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect({ code: code as unknown, error }).toEqual({ code: 0, error: "" });
  });
});
