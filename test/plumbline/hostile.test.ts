import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { large, namesOf, oddFiles } from "../support/hostile.js";
import { repository } from "../support/places.js";
import { compileProject, type Ended, runNode } from "../support/run.js";

interface Outcome {
  readonly file: string;
  readonly code: number;
  readonly said: string;
}

const corpus = path.join(repository, "test", "descriptions", "hostile");
/** Megabytes of the heap for each process. */
const memory = 512;

const isFull = process.env["MODE"] === "full";
/** Beside those that hold the payload, a short run has of the others what might never end or share a file. */
const endless: ReadonlySet<string> = new Set([
  "aliases-that-explode.yaml",
  "fields-in-circles.yaml",
  "names-by-case.yaml",
  "references-that-fan-out-nameless.yaml",
]);

let folder: string;
/** The folder of the clients; nothing else may be written. */
let out: string;
let canary: string;
let before: readonly string[];
let outcomes: readonly Outcome[];
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? "");
  response.end("{}");
});

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "plumbline-hostile-"));
  out = path.join(folder, "out");
  canary = path.join(folder, "touched");
  await mkdir(out);
  await symlink(path.join(repository, "node_modules"), path.join(out, "node_modules"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made = path.join(folder, "made");
  await mkdir(made);
  for (const [name, text] of Object.entries({ ...large, "other-machines.json": () => namesOf(address) }))
    await writeFile(path.join(made, name), text());
  const odd = await oddFiles(path.join(made, "odd"));
  before = await names();
  const descriptions = (await readdir(corpus)).filter((name) => !name.endsWith(".overlay.yaml"));
  const small = descriptions.toSorted().map((name) => path.join(corpus, name));
  const machines = path.join(made, "other-machines.json");
  const roots = ["pipe", "zero", "huge", "folder", "secret"].map((name) => path.join(made, "odd", `${name}.yaml`));
  if (!isFull) {
    const chosen = small.filter((file) => endless.has(path.basename(file)) || readFileSync(file).includes("canary"));
    outcomes = await generated("chosen", [...chosen, machines, odd, ...roots, path.join(made, "nested-10000.json")]);
    return;
  }
  // Small ones share a process; each large one has a separate process.
  const apart = Object.keys(large).map((name) => path.join(made, name));
  const rest = [...small, machines, odd, ...roots];
  // Half of them at a time: a process has two minutes.
  const half = Math.ceil(rest.length / 2);
  outcomes = [...(await generated("small", rest.slice(0, half))), ...(await generated("others", rest.slice(half)))];
  for (const file of apart) outcomes = [...outcomes, ...(await generated(path.basename(file, ".json"), [file]))];
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

describe("hostile descriptions", () => {
  it("become clients, or are rejected for a reason that the table names", () => {
    const readme = readFileSync(path.join(repository, "test", "descriptions", "README.md"), "utf8");
    const section = readme.slice(readme.indexOf("## Hostile ones"));
    const rows = section.split("\n").filter((line) => line.startsWith("| `"));
    const tried = new Set(outcomes.map(({ file }) => `| \`${path.basename(file)}\``));
    const reported = rows.filter((row) => isFull || tried.has(row.split(" | ")[0] ?? ""));
    expect(reported.map((row) => row.split(" | ").toSpliced(1, 1).join(" | "))).toEqual(outcomes.map(rowOf));
    expect(rows.every((row) => /^\| `[a-z0-9-]+\.(yaml|json)` \| \w.+ \| .+ \|$/.test(row))).toBe(true);
    expect(outcomes.filter(({ code }) => code === 0).length).toBeGreaterThan(isFull ? 30 : 15);
  });

  it("get diagnostics that contain only the generator's own text", () => {
    for (const { code, said } of outcomes) {
      expect(said).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/,
      );
      expect(said).not.toContain("hunter2");
      if (code === 0) continue;
      const [last, ...lines] = said.trimEnd().split("\n").toReversed();
      expect(last).toMatch(/^\d+ problems? \(\d+ errors?, \d+ warnings?\) in \d+ files?\.$/);
      for (const line of lines)
        expect(line).toMatch(
          /^\S+:\d+:\d+ {2}(error|warning) {2}[a-z]+\/[A-Za-z0-9-]+ {2}\S|^ {2}… and \d+ more warning/,
        );
    }
  });

  it("do not run code, write other files, or connect to other machines", async () => {
    expect(existsSync(canary)).toBe(false);
    expect(await names()).toEqual(before);
    expect(asked).toEqual([]);
  });

  it("have files with plain names only", async () => {
    const written = await below(out);
    expect(written.length).toBeGreaterThan(300);
    expect(written.filter((name) => !/^[A-Za-z0-9._/-]{1,255}$/.test(name))).toEqual([]);
  });

  it("have no commands but ours in the package, and no markup of theirs in the README", async () => {
    for (const each of await packages()) {
      const manifest = JSON.parse(readFileSync(path.join(out, each, "package.json"), "utf8")) as Readonly<
        Record<string, unknown>
      >;
      expect(Object.keys(manifest).toSorted()).toEqual(fields);
      expect(manifest["scripts"]).toEqual({
        build: "tsc -p tsconfig.json",
        typecheck: "tsc -p tsconfig.json --noEmit",
      });
      const prose = readFileSync(path.join(out, each, "README.md"), "utf8").replaceAll(/^(````*)ts\n[^]*?^\1$/gm, "");
      expect(prose.replaceAll(/`[^`\n]*`/g, "")).not.toMatch(/(?<!\\)<\/?[a-z!]|(?<!\\)\]\(\s*<?javascript/i);
    }
  });

  it("compile under the strictest settings, unlike an injected error, and have no side effects when imported", async () => {
    const broken = path.join((await packages())[0] ?? "", "src", "broken.ts");
    await writeFile(path.join(out, broken), "export const broken: number = '*/';\n");
    const errors = (await compiled()).out.split("\n").filter((line) => !line.startsWith(" ") && line !== "");
    expect(errors).toEqual([expect.stringMatching(/^[^(]*broken\.ts\(1,\d+\): error /)]);
    expect(errors[0]).toContain(broken);
    await rm(path.join(out, broken));
    const entries = (await packages()).flatMap((each) => [
      path.join(each, "src", "index.js"),
      ...modulesOf(each).map((file) => path.join(each, "src", "gen", `${file}.js`)),
    ]);
    const modules = entries.map((entry) => path.join(out, "js", entry));
    const imports = modules.map((file) => `await import(${JSON.stringify(file)});`);
    await writeFile(path.join(out, "import-all.mjs"), imports.join("\n"));
    expect(await watched([path.join(out, "import-all.mjs")])).toEqual({ code: 0, out: "", error: "" });
    expect(imports.length).toBeGreaterThan(isFull ? 200 : 70);
    expect(existsSync(canary)).toBe(false);
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("canary");
  });
});

describe("it would be noticed if", () => {
  it.each([
    ["code reads the canary", "globalThis.canary();"],
    ["code writes it", "globalThis.canary = 1;"],
    ["code is the value of a string", "`${globalThis.canary}`;"],
  ])("%s", async (_, text) => {
    await writeFile(path.join(out, "unsafe.mjs"), text);
    await watched([path.join(out, "unsafe.mjs")]);
    expect(readFileSync(canary, "utf8")).toMatch(/touched/);
    await rm(canary);
    await rm(path.join(out, "unsafe.mjs"));
  });

  it("a file is written beside the others", async () => {
    await writeFile(path.join(folder, "made", "stray"), "");
    expect(await names()).not.toEqual(before);
    await rm(path.join(folder, "made", "stray"));
  });

  it("a program connects to the other machine", async () => {
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/here`);
    expect(asked.splice(0)).toEqual(["/here"]);
  });
});

const fields = [
  "apiVersion",
  "dependencies",
  "description",
  "engines",
  "exports",
  "files",
  "keywords",
  "license",
  "main",
  "name",
  "scripts",
  "sideEffects",
  "type",
  "types",
  "version",
];

/** Generates a client from each file, in one process that has to end. */
async function generated(name: string, files: readonly string[]): Promise<readonly Outcome[]> {
  const place = path.join(out, name);
  await mkdir(place);
  const script = path.join(repository, "test", "support", "generate-all.mjs");
  const ended = await watched([script, place, isFull ? "" : "client,validator,server", ...files]);
  expect(ended).toMatchObject({ code: 0, error: "" });
  return JSON.parse(ended.out) as readonly Outcome[];
}

/** Runs a script with the canary in its cage. */
function watched(args: readonly string[]): Promise<Ended> {
  const cage = path.join(repository, "test", "support", "canary.mjs");
  return runNode([`--max-old-space-size=${memory}`, "--import", cage, ...args], { in: out, env: { CANARY: canary } });
}

async function compiled(): Promise<Ended> {
  const [first = ""] = await packages();
  const { compilerOptions } = JSON.parse(readFileSync(path.join(out, first, "tsconfig.json"), "utf8")) as {
    compilerOptions: Readonly<Record<string, unknown>>;
  };
  expect(compilerOptions).toMatchObject({
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
  });
  // Maps of a declaration with 100,000 values take TypeScript 7 minutes, the declaration itself a second.
  const options = { ...compilerOptions, declarationMap: false, rootDir: ".", outDir: "js" };
  await writeFile(
    path.join(out, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, include: ["*/*/client/src", "*/*/validator/src", "*/*/server/src"] }),
  );
  await writeFile(path.join(out, "package.json"), '{"type": "module"}');
  return compileProject(path.join(out, "tsconfig.json"), { in: out });
}

/** The folders of the packages, relative to `out`. */
async function packages(): Promise<readonly string[]> {
  const manifests = (await below(out)).filter((name) =>
    /^[a-z0-9-]+\/\d+\/(client|validator|server)\/package\.json$/.test(name),
  );
  return manifests.map((name) => path.dirname(name));
}

/** Everything that is on the disk around the clients, and around the descriptions. */
async function names(): Promise<readonly string[]> {
  const context = (await below(folder)).filter((name) => name !== "out" && !name.startsWith("out/"));
  return [...context, ...(await below(path.join(repository, "test", "descriptions")))];
}

/** The paths of everything in a folder; links are not followed. */
async function below(place: string): Promise<readonly string[]> {
  const entries = await readdir(place, { withFileTypes: true });
  const nested = entries.map(async (entry) => {
    const inner = entry.isDirectory() ? await below(path.join(place, entry.name)) : [];
    return [entry.name, ...inner.map((name) => `${entry.name}/${name}`)];
  });
  return (await Promise.all(nested)).flat().toSorted();
}

/** The row of the table for a description, without its explanation. */
function rowOf({ file, code, said }: Outcome): string {
  const codes = new Set(
    [...said.matchAll(/^\S+:\d+:\d+ {2}(?:error|warning) {2}([a-z]+\/[A-Za-z0-9-]+)/gm)].map((match) => match[1] ?? ""),
  );
  const listed = [...codes].toSorted().map((each) => `\`${each}\``);
  return `| \`${path.basename(file)}\` | ${code === 0 ? "client" : "refused"} | ${listed.join(", ")} |`;
}

/** Modules that the entry of a package does not import. */
function modulesOf(name: string): readonly string[] {
  if (name.endsWith("client")) return [];
  return name.endsWith("server") ? ["operations"] : ["operations-table", "responses"];
}
