import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { filesOf, pets, place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";

const limits = "generated/server/src/gen/limits.ts";

describe("the example of the page about overlays", () => {
  it("generates a server with a limit, and without a removed path", async () => {
    const { folder, generate } = await examples();
    expect(await plumbline([...generate, "--only", "server"], { in: folder })).toMatchObject({ code: 0, error: "" });
    const files = await filesOf(folder);
    expect(files[limits]).toContain('id: "pet-reads"');
    expect(files[limits]).toMatch(/From limits\.overlay\.yaml#\/actions\/0\/update\/x-limits\/0/);
    expect(Object.values(files).filter((text) => text.includes("getMetrics"))).toHaveLength(1); // the description
    const alone = ["generate", "--spec", "openapi.yaml", "--only", "server"];
    await plumbline(alone, { in: folder });
    const without = await filesOf(folder);
    expect(without[limits]).not.toContain("pet-reads");
    expect(Object.values(without).filter((text) => text.includes("getMetrics")).length).toBeGreaterThan(1);
  });

  it("is the same by plumbline.yaml, and stale when the overlay changes", async () => {
    const { folder, configuration } = await examples();
    await place(folder, { "spec/plumbline.yaml": configuration.replace("../packages", "packages") });
    await place(folder, { "spec/openapi.yaml": await readFile(path.join(folder, "openapi.yaml"), "utf8") });
    const overlay = await readFile(path.join(folder, "limits.overlay.yaml"), "utf8");
    await place(folder, { "spec/limits.overlay.yaml": overlay });
    expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: 0, error: "" });
    expect(await plumbline(["generate", "--check"], { in: folder })).toMatchObject({ code: 0 });
    await place(folder, { "spec/limits.overlay.yaml": overlay.replace("max: 100", "max: 99") });
    const { code, out } = await plumbline(["generate", "--check"], { in: folder });
    expect(code).toBe(1);
    expect(out).toMatch(/^stale +spec\/packages\/server\/src\/gen\/limits\.ts$/m);
  });

  it("is found relative to plumbline.yaml, and a missing one is reported there", async () => {
    const { folder, configuration } = await examples();
    const openapi = await readFile(path.join(folder, "openapi.yaml"), "utf8");
    await place(folder, { "spec/plumbline.yaml": configuration, "spec/openapi.yaml": openapi });
    const { code, error } = await plumbline(["generate"], { in: folder });
    expect({ code, line: error.split("\n")[0] }).toEqual({
      code: 1,
      line: `spec/limits.overlay.yaml:1:1  error  overlay/unreadable  There is no overlay limits.overlay.yaml in ${folder}/spec. In plumbline.yaml its path counts from the folder of that file, after --overlay from where the command runs.`,
    });
  });

  it("is visible in the model, and to the linter", async () => {
    const { folder } = await examples();
    const args = ["openapi.yaml", "--overlay", "limits.overlay.yaml"];
    const { out } = await plumbline(["model", ...args], { in: folder });
    const { operations } = JSON.parse(out) as { readonly operations: readonly { readonly name: string }[] };
    expect(operations.map(({ name }) => name)).toEqual(["getPet"]);
    expect(await plumbline(["lint", ...args], { in: folder })).toMatchObject({ code: 0 });
  });
});

it("trace shows statements of an overlay at their location, and the files generated from them", async () => {
  const { folder } = await examples();
  await place(folder, {
    "spec/plumbline.yaml": `ruleset: minimal
descriptions: [{description: ../openapi.yaml, requirements: requirements.yaml, overlays: [ours.yaml]}]
`,
    "spec/requirements.yaml": `documents:
  shop: {title: Terms of the shop, sections: {Limits: {shop.reads: {line: 3, says: A hundred reads a minute.}}}}
`,
    "spec/ours.yaml": `overlay: 1.0.0
info: {title: Ours, version: '1'}
actions:
  - target: $.paths['/pets/{id}'].get
    update:
      x-limits:
        - {id: pet-reads, kind: rate, max: 100, window: PT1M, x-source: [shop.reads]}
`,
  });
  const { code, out } = await plumbline(["trace"], { in: folder });
  expect({ code, lines: out.split("\n").slice(0, 4) }).toEqual({
    code: 0,
    lines: [
      "shop.reads  Limits, line 3",
      "  A hundred reads a minute.",
      `  spec/ours.yaml:7  /actions/0/update/x-limits/0`,
      "  generates getPet()",
    ],
  });
});

it("a description is linted with its overlays, and without them where it is listed again", async () => {
  const { folder } = await examples();
  const broken = pets.replace("schemas/Pet'}}}}\n        '404'", "schemas/Cat'}}}}\n        '404'");
  await place(folder, {
    "openapi.yaml": broken,
    "ours.yaml": `overlay: 1.0.0
info: {title: Ours, version: '1'}
actions: [{target: $.components.schemas, update: {Cat: {type: object}}}]
`,
  });
  const reported = async (...descriptions: readonly string[]): Promise<readonly string[]> => {
    await place(folder, { "plumbline.yaml": `ruleset: minimal\ndescriptions: [${descriptions.join(", ")}]\n` });
    const { out } = await plumbline(["lint"], { in: folder });
    return out.split("\n").filter((line) => line.includes("no-unresolved-refs"));
  };
  const overlaid = "{description: openapi.yaml, overlays: [ours.yaml]}";
  const plain = "{description: openapi.yaml}";
  expect(broken).not.toBe(pets);
  expect(await reported(overlaid)).toEqual([]);
  expect(await reported(overlaid, plain)).toEqual([expect.stringMatching(/^openapi\.yaml:23:\d+ /)]);
  expect(await reported(plain, plain)).toHaveLength(1);
});

describe("an overlay that is wrong", () => {
  it("is reported at its own lines, and nothing is written", async () => {
    const { folder } = await examples();
    await place(folder, {
      "ours/wrong.yaml": `overlay: 1.0.0
info: {title: Wrong, version: '1'}
actions:
  - target: $.paths['/pets/{id}'].get
    update:
      parameters: [{$ref: '#/components/parameters/none'}]
  - target: $.paths['/cats']
    remove: true
`,
    });
    const args = ["generate", "--spec", "openapi.yaml", "--overlay", "limits.overlay.yaml,ours/wrong.yaml"];
    const before = await filesOf(folder);
    const { code, error } = await plumbline(args, { in: folder });
    expect(code).toBe(1);
    const places = error.split("\n").map((line) =>
      line
        .split("  ")
        .filter((each) => !/^(error|warning)$/.test(each))
        .slice(0, 2)
        .join(" "),
    );
    expect(places).toContain("ours/wrong.yaml:6:20 openapi/no-unresolved-refs");
    expect(places).toContain("ours/wrong.yaml:7:5 overlay/unmatched");
    expect(places.filter((each) => each.startsWith("openapi.yaml"))).toEqual([]);
    expect(await filesOf(folder)).toEqual(before);
  });
});

/** A folder with the description and the overlay of the page, and the configuration of the page. */
async function examples(): Promise<{
  readonly folder: string;
  readonly configuration: string;
  readonly generate: readonly string[];
}> {
  const page = await readFile(path.join(repository, "packages", "plumbline", "docs", "overlays.md"), "utf8");
  const [description = "", overlay = "", configuration = ""] = [...page.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(
    ([, text]) => text ?? "",
  );
  const [, command = ""] = /^\$ npx plumbline (.*)$/m.exec(page) ?? [];
  const folder = await temporaryFolder();
  await place(folder, { "openapi.yaml": description, "limits.overlay.yaml": overlay });
  expect(command).toMatch(/^generate /);
  return { folder, configuration, generate: command.replace(/ --only.*/, "").split(" ") };
}
