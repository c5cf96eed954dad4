// The watcher runs in this process: what is written in one turn, it sees whole.
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { readFile, readdir, readlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { filesOf, pets, place } from "../support/pets.js";
import { temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";
import { watchIn, watchProcessIn, type WatchEvent, type Watched } from "../support/watching.js";

const config = `ruleset: minimal
descriptions:
  - description: openapi.yaml
    artifacts:
      client: {package: '@pets/client', out: ../packages/client}
      validator: {package: '@pets/validator', out: ../packages/validator}
`;
const pet = "type: object\nrequired: [id]\nproperties: {id: {type: integer}, name: {type: string, maxLength: 9}}\n";
/** The file that contains the bound of a name. */
const bound = "packages/validator/src/gen/checks.ts";
/** The pet is described in a file beside the folder of the description, which `--allow-outside` reads. */
const shop = {
  "spec/plumbline.yaml": config,
  "spec/openapi.yaml": pets
    .replace(/components:[^]*/, "")
    .replaceAll("'#/components/schemas/Pet'", "'../shared/pet.yaml'"),
  "shared/pet.yaml": pet,
};

const ways = [
  ["by events", []],
  ["by polling", ["--poll"]],
] as const;

it.each(ways)(
  "generates again when a file is saved: in place, by a rename, outside the folder, several at once, %s",
  async (_, way) => {
    const { folder, watched } = await watching(way);
    const file = path.join(folder, "spec/openapi.yaml");
    const text = shop["spec/openapi.yaml"];

    writeFileSync(file, text.replace("summary: List pets", "summary: List all pets"));
    expect(await watched.next()).toMatchObject({ event: "generated", removed: [], differences: [{ breaking: [] }] });
    expect(await madeOf(folder)).toContain("List all pets");

    writeFileSync(`${file}~`, text.replace("summary: List pets", "summary: List every pet"));
    renameSync(`${file}~`, file);
    expect(await watched.next()).toMatchObject({ event: "generated" });
    expect(await madeOf(folder)).toContain("List every pet");

    writeFileSync(path.join(folder, "shared/pet.yaml"), pet.replace("9", "8"));
    expect(await watched.next()).toMatchObject({
      event: "generated",
      written: expect.arrayContaining([bound]),
      differences: [
        { message: "The text of GET /pets changed." },
        { origin: { file: "shared/pet.yaml", line: 3 }, code: "response-bound-tightened" },
      ],
    });

    writeFileSync(file, text);
    writeFileSync(path.join(folder, "shared/pet.yaml"), pet);
    expect(await watched.next()).toMatchObject({ event: "generated" });
    await watched.rests(file);
    const { code, out } = await plumbline(["generate", "--check", "--allow-outside"], { in: folder });
    expect({ code, out }).toMatchObject({ code: 0 });
  },
);

it("does nothing for a file that is saved unchanged, or that was not an input", async () => {
  const { folder, watched } = await watching();
  const file = path.join(folder, "spec/openapi.yaml");
  writeFileSync(path.join(folder, "spec/notes.yaml"), "a: 1\n");
  writeFileSync(file, shop["spec/openapi.yaml"]);
  await watched.looks();
  await watched.rests(file);
});

it("reports errors, keeps the files, and continues after the fix", async () => {
  const { folder, watched } = await watching();
  const before = await filesOf(path.join(folder, "packages"));
  const file = path.join(folder, "spec/openapi.yaml");

  writeFileSync(file, "openapi: [");
  expect(await watched.next()).toMatchObject({
    event: "error",
    diagnostics: [{ code: "description/syntax", origin: { file: "spec/openapi.yaml" } }],
  });
  rmSync(path.join(folder, "shared/pet.yaml"));
  writeFileSync(file, shop["spec/openapi.yaml"]);
  expect(await watched.next()).toMatchObject({ event: "error" });
  writeFileSync(path.join(folder, "spec/plumbline.yaml"), config.replace("client:", "clients:"));
  expect(await watched.next()).toMatchObject({ event: "error", diagnostics: [{ code: "config/value" }] });
  expect(await filesOf(path.join(folder, "packages"))).toEqual(before);

  writeFileSync(path.join(folder, "spec/plumbline.yaml"), config);
  expect(await watched.next()).toMatchObject({ event: "error" });
  writeFileSync(path.join(folder, "shared/pet.yaml"), pet.replace("9", "7"));
  expect(await watched.next()).toMatchObject({ event: "generated", written: expect.arrayContaining([bound]) });
});

it.each(ways)(
  "waits for a folder that is not there, and follows one that is moved away and back, %s",
  async (_, way) => {
    const { folder, watched } = await watching(way);
    renameSync(path.join(folder, "shared"), path.join(folder, "moved"));
    expect(await watched.next()).toMatchObject({ event: "error" });
    mkdirSync(path.join(folder, "shared"));
    writeFileSync(path.join(folder, "shared/pet.yaml"), pet.replace("9", "6"));
    expect(await watched.next()).toMatchObject({ event: "generated", written: expect.arrayContaining([bound]) });
  },
);

it.each(ways)("follows targets of links, and a replaced folder, %s", async (_, way) => {
  const { folder, watched } = await watching(way);
  const shared = path.join(folder, "shared");
  await place(folder, { "real/pet.yaml": pet });
  rmSync(path.join(shared, "pet.yaml"));
  symlinkSync("../real/pet.yaml", path.join(shared, "pet.yaml"));
  await watched.looks();
  writeFileSync(path.join(folder, "real/pet.yaml"), pet.replace("9", "8"));
  expect(await watched.next()).toMatchObject({ event: "generated", written: expect.arrayContaining([bound]) });

  await place(folder, { "other/pet.yaml": pet });
  renameSync(shared, path.join(folder, "moved"));
  renameSync(path.join(folder, "other"), shared);
  expect(await watched.next()).toMatchObject({ event: "generated", written: expect.arrayContaining([bound]) });
  writeFileSync(path.join(shared, "pet.yaml"), pet.replace("9", "7"));
  expect(await watched.next()).toMatchObject({ event: "generated", written: expect.arrayContaining([bound]) });
});

it("follows a folder far below a replaced one", async () => {
  const deep = {
    "shared/pet.yaml": "",
    "spec/v1/schemas/pet.yaml": pet,
    "spec/openapi.yaml": shop["spec/openapi.yaml"].replaceAll("../shared", "v1/schemas"),
  };
  const { folder, watched } = await watching([], deep);
  await place(folder, { "next/v1/schemas/pet.yaml": pet, "next/openapi.yaml": deep["spec/openapi.yaml"] });
  await place(folder, { "next/plumbline.yaml": config });
  renameSync(path.join(folder, "spec"), path.join(folder, "moved"));
  renameSync(path.join(folder, "next"), path.join(folder, "spec"));
  await watched.looks();
  writeFileSync(path.join(folder, "spec/v1/schemas/pet.yaml"), pet.replace("9", "7"));
  expect(await watched.next()).toMatchObject({ event: "generated", written: expect.arrayContaining([bound]) });
});

it.each(ways)("waits for a plumbline.yaml that is not there, %s", async (_, way) => {
  const folder = await temporaryFolder();
  const watched = watchIn(folder, ["--allow-outside", ...way]);
  expect(await watched.next()).toMatchObject({ event: "error", diagnostics: [{ code: "config/missing" }] });
  for (const [name, text] of Object.entries(shop)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  expect(await watched.next()).toMatchObject({ event: "generated" });
  rmSync(path.join(folder, "spec/plumbline.yaml"));
  expect(await watched.next()).toMatchObject({ event: "error", diagnostics: [{ code: "config/missing" }] });
  writeFileSync(path.join(folder, "spec/plumbline.yaml"), config.replace("../packages/validator", "../packages/other"));
  expect(await watched.next()).toMatchObject({ event: "generated" });
});

it("reports a too large file once, and its fix", async () => {
  const { folder, watched } = await watching();
  const file = path.join(folder, "shared/pet.yaml");
  truncateSync(file, 2 ** 26 + 1);
  expect(await watched.next()).toMatchObject({ event: "error" });
  await watched.rests(file);
  writeFileSync(file, pet.replace("9", "8"));
  expect(await watched.next()).toMatchObject({ event: "generated", written: expect.arrayContaining([bound]) });
});

it("reports a selected artifact that the configuration no longer has", async () => {
  const own = { "spec/plumbline.yaml": `generators: {list: ./list.mjs}\n${config}      list: {out: ../list}\n` };
  const made = "export default { files: () => [{ path: 'list.md', text: '# List\\n' }] };\n";
  const { folder, watched } = await watching(["--only", "list,client"], { ...own, "spec/list.mjs": made });
  writeFileSync(path.join(folder, "spec/plumbline.yaml"), config);
  expect(await watched.next()).toMatchObject({ event: "error", message: expect.stringContaining('artifact "list"') });
  writeFileSync(path.join(folder, "spec/plumbline.yaml"), own["spec/plumbline.yaml"]);
  expect(await watched.next()).toMatchObject({ event: "generated" });
});

describe("with a suite, which takes longest", () => {
  const suite = `${config}      conformance: {package: '@pets/conformance', out: ../packages/conformance, settings: conformance.yaml}\n`;
  const requirements = `documents: {'1': {title: Pets, sections: {All: {pet.list: {line: 1, says: Pets are listed.}}}}}\n`;
  const files = {
    "spec/plumbline.yaml": suite.replace("openapi.yaml\n", "openapi.yaml\n    requirements: requirements.yaml\n"),
    "spec/openapi.yaml": shop["spec/openapi.yaml"].replace("operationId: listPets", "$&\n      x-source: pet.list"),
    "spec/conformance.yaml": "also: {pet.list: [pets/listPets/accepts]}\n",
    "spec/requirements.yaml": requirements,
  };

  it("writes the others first, and then reports all", async () => {
    const { folder, watched } = await watching([], files);
    expect(await watched.next()).toMatchObject({ event: "generated", pending: [], removed: [] });

    writeFileSync(path.join(folder, "shared/pet.yaml"), pet.replace("9", "8"));
    const first = await watched.next();
    const whole = await watched.next();
    expect(first).toMatchObject({ event: "generated", pending: ["conformance"] });
    expect(whole).toMatchObject({ event: "generated", pending: [] });
    const written = (event: WatchEvent): readonly string[] => (event.event === "generated" ? event.written : []);
    expect(written(first)).toContain(bound);
    expect(written(first).filter((file) => file.startsWith("packages/conformance"))).toEqual([]);
    expect(written(whole)).toEqual(expect.arrayContaining([...written(first), "packages/conformance/data/suite.json"]));
    await watched.rests(path.join(folder, "spec/openapi.yaml"));
    expect(await plumbline(["generate", "--check", "--allow-outside"], { in: folder })).toMatchObject({ code: 0 });
  });

  it("keeps the old suite when only the suite cannot be generated, and still runs the command", async () => {
    const { folder, watched } = await watching(["--run", "exit 7"], files);
    expect(await watched.next()).toMatchObject({ event: "generated", pending: [] });
    expect(await watched.next()).toMatchObject({ event: "ran", exit: 7 });
    const data = path.join(folder, "packages/conformance");
    const before = await filesOf(data);

    const text = files["spec/openapi.yaml"].replace("operationId: listPets", "operationId: allPets");
    writeFileSync(path.join(folder, "spec/openapi.yaml"), text);
    expect(await watched.next()).toMatchObject({ event: "generated", pending: ["conformance"] });
    expect(await watched.next()).toMatchObject({
      event: "error",
      diagnostics: [{ code: "conformance/unknown" }],
      pending: ["conformance"],
    });
    expect(await watched.next()).toMatchObject({ event: "ran", exit: 7 });
    expect(await madeOf(folder)).toContain("allPets");
    expect(await filesOf(data)).toEqual(before);

    writeFileSync(path.join(folder, "spec/conformance.yaml"), "also: {pet.list: [pets/allPets/accepts]}\n");
    expect(await watched.next()).toMatchObject({ event: "generated", pending: ["conformance"] });
    expect(await watched.next()).toMatchObject({ event: "generated", pending: [] });
    expect(await filesOf(data)).not.toEqual(before);
  });
});

it("runs a command after a change of the files, and begins it again after a later one", async () => {
  const command = `node -e "const slow=fs.existsSync('slow');fs.appendFileSync('log','begun\\n');setTimeout(()=>process.exit(3),slow?600000:0)"`;
  const { folder, watched } = await watching(["--run", command]);
  expect(await watched.next()).toMatchObject({ event: "ran", exit: 3 });
  writeFileSync(path.join(folder, "slow"), "");
  writeFileSync(path.join(folder, "shared/pet.yaml"), pet.replace("9", "8"));
  expect(await watched.next()).toMatchObject({ event: "generated" });
  await expect.poll(() => readFile(path.join(folder, "log"), "utf8")).toBe("begun\nbegun\n");
  rmSync(path.join(folder, "slow"));
  writeFileSync(path.join(folder, "shared/pet.yaml"), pet.replace("9", "7"));
  expect(await watched.next()).toMatchObject({ event: "generated" });
  expect(await watched.next()).toMatchObject({ event: "ran", exit: 3 });
  expect(await readFile(path.join(folder, "log"), "utf8")).toBe("begun\nbegun\nbegun\n");
});

it("does not overwrite foreign files, and reports them", async () => {
  const { folder, watched } = await watching();
  const name = path.join(folder, "spec/plumbline.yaml");
  await place(folder, { "elsewhere/package.json": "{}", "elsewhere/src/gen/types.ts": "mine\n" });
  writeFileSync(name, config.replace("../packages/client", "../elsewhere"));
  const rejected = await watched.next();
  expect(rejected).toMatchObject({ event: "error", message: expect.stringContaining("elsewhere") });
  writeFileSync(name, config);
  expect(await watched.next()).toMatchObject({ event: "generated" });
  writeFileSync(name, config.replace("../packages/client", "../elsewhere"));
  expect(await watched.next()).toMatchObject({ event: "error" });
  rmSync(path.join(folder, "elsewhere"), { recursive: true });
  expect(await watched.next()).toMatchObject({ event: "generated" });
});

it("ends with Ctrl-C in the middle of a run, and starts nothing more", async () => {
  const folder = await temporaryFolder();
  // The run is in this generator until Ctrl-C, and then goes on.
  const held = `import { writeFileSync } from "node:fs";
export default { files: () => new Promise((resolve) => {
  process.once("SIGINT", () => resolve([{ path: "list.md", text: "# List\\n" }]));
  writeFileSync(new URL("held", import.meta.url), "");
}) };
`;
  await place(folder, {
    ...shop,
    "spec/plumbline.yaml": `generators: {list: ./list.mjs}\n${config}      list: {out: ../list}\n`,
    "spec/list.mjs": held,
  });
  const watched = watchProcessIn(folder, ["--allow-outside", "--run", "echo begun > log"]);
  await expect.poll(() => existsSync(path.join(folder, "spec/held"))).toBe(true);
  expect(await watched.end()).toBe(0);
  expect(Object.keys(await filesOf(folder))).not.toContain("log");
});

it.runIf(process.platform === "linux")("asks the system for no events when it polls", async () => {
  expect(await hasEvents([])).toBe(true);
  expect(await hasEvents(["--poll"])).toBe(false);

  async function hasEvents(options: readonly string[]): Promise<boolean> {
    const folder = await temporaryFolder();
    await place(folder, shop);
    const watched = watchProcessIn(folder, ["--allow-outside", ...options]);
    expect(await watched.next()).toMatchObject({ event: "generated" });
    const opened = await readdir(`/proc/${watched.pid}/fd`);
    const targets = await Promise.all(
      opened.map((each) => readlink(`/proc/${watched.pid}/fd/${each}`).catch(() => "")),
    );
    await watched.end();
    return targets.includes("anon_inode:inotify");
  }
});

it("ends with Ctrl-C", async () => {
  const { watched } = await watching();
  expect(await watched.end()).toBe(0);
});

it.each([
  [["--watch", "--check"], "--check and --watch exclude each other."],
  [["--poll"], "--poll requires --watch."],
  [["--run", "make"], "--run requires --watch."],
])("rejects %j", async (options, message) => {
  const { code, error } = await plumbline(["generate", ...options], { in: await temporaryFolder() });
  expect({ code, error }).toEqual({ code: 2, error: `${message}\nSee plumbline generate --help.\n` });
});

/** A shop that has been generated, and is watched. */
async function watching(
  options: readonly string[] = [],
  changed: Readonly<Record<string, string>> = {},
): Promise<{ readonly folder: string; readonly watched: Watched }> {
  const folder = await temporaryFolder();
  await place(folder, { ...shop, ...changed });
  const watched = watchIn(folder, ["--allow-outside", ...options]);
  expect(await watched.next()).toMatchObject({ event: "generated", removed: [], unchanged: 0 });
  return { folder, watched };
}

/** All generated files of the client, in one text. */
async function madeOf(folder: string): Promise<string> {
  return Object.values(await filesOf(path.join(folder, "packages/client"))).join("\n");
}
