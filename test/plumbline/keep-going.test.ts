import { readdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { place } from "../support/pets.js";
import { temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";

/** The names of two limits are equal, which only the server has. */
const description = `openapi: 3.0.3
info: {title: Pets, version: '1'}
x-errors: [{id: many, status: 429}]
paths:
  /pets:
    get:
      operationId: listPets
      x-limits:
        - {id: a-1, kind: rate, max: 1, window: PT1M, error: many}
        - {id: a1, kind: rate, max: 2, window: PT1M, error: many}
      responses: {'204': {description: ok}}
`;
const generate = ["generate", "--spec", "openapi.yaml", "--only", "client,validator,server"];

describe("generate --keep-going", () => {
  it("leaves out the packages that fail, with a line for each, and fails", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "openapi.yaml": description });
    const all = await plumbline(generate, { in: folder });
    expect(all).toMatchObject({ code: 1, out: "" });
    expect(all.error).toContain("  error  names/collision  ");
    expect(await readdir(folder)).toEqual(["openapi.yaml"]);

    const kept = await plumbline([...generate, "--keep-going"], { in: folder });
    expect(kept.code).toBe(1);
    expect(kept.error).toBe(all.error);
    expect(kept.out.match(/^missing .*$/gm)).toEqual([`missing  ${path.join("generated", "server")} (server)`]);
    expect((await readdir(path.join(folder, "generated"))).toSorted()).toEqual(["client", "validator"]);

    const again = await plumbline([...generate, "--keep-going", "--json"], { in: folder });
    expect(again.code).toBe(1);
    expect(JSON.parse(again.out)).toMatchObject({
      written: [],
      missing: [{ artifact: "server", folder: path.join("generated", "server") }],
      errors: [{ code: "names/collision", severity: "error" }],
    });
    const checked = await plumbline([...generate, "--keep-going", "--check"], { in: folder });
    expect(checked).toMatchObject({ code: 1, error: all.error });
    expect(checked.out).toMatch(/^\d+ generated files are up to date\n$/);
  });

  it("succeeds where nothing fails, and writes nothing where everything does", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "openapi.yaml": description });
    const without = [...generate.slice(0, -1), "client", "--keep-going"];
    expect(await plumbline(without, { in: folder })).toMatchObject({ code: 0, error: "" });
    const server = [...generate.slice(0, -1), "server", "--keep-going"];
    expect(await plumbline(server, { in: folder })).toMatchObject({ code: 1, out: "" });
    expect(await plumbline([...without, "--watch"], { in: folder })).toMatchObject({ code: 2 });
  });
});
