import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { publicPackages } from "./release/manifests.mjs";
import { pets, place } from "./support/pets.js";
import { repository, temporaryFolder } from "./support/places.js";
import { plumbline, plumblineProcess } from "./support/run.js";
import { readTracked, trackedFiles } from "./support/tracked.js";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly apiVersion?: string;
  readonly license?: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly engines?: { readonly node?: string };
  readonly publishConfig?: { readonly access?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

const json = (file: string): unknown => JSON.parse(readTracked(file));
const published = publicPackages(repository).map(({ folder }) => ({
  folder,
  manifest: json(`${folder}/package.json`) as Manifest,
}));
const versionOf = (name: string) => published.find(({ manifest }) => manifest.name === name)?.manifest.version;

describe("a package that is published", () => {
  it.each(published)("$folder has a version, a licence and a scope that everybody may read", ({ manifest }) => {
    expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(manifest).toMatchObject({ license: "MIT", publishConfig: { access: "public" } });
  });

  it.each(published)("$folder says what it is, who wrote it and which Node it needs", ({ manifest }) => {
    const { engines } = json("package.json") as Manifest;
    expect(manifest).toMatchObject({ author: "The Plumbline authors", engines });
    expect(manifest.description).toMatch(/^[A-Z]/);
    expect(manifest.keywords).toContain("openapi");
    // A fork has other addresses: the release command adds them.
    for (const key of ["repository", "homepage", "bugs"]) expect(manifest).not.toHaveProperty(key);
  });

  it.each(published)("$folder asks for ours as they are, within the range that npm would update to", ({ manifest }) => {
    const wanted = Object.entries(manifest.dependencies ?? {}).filter(([name]) =>
      /^(@(plumbline|cloud-compute)\/|plumbline$)/.test(name),
    );
    expect(wanted.map(([name]) => [name, `^${versionOf(name)}`])).toEqual(wanted);
  });
});

describe("the generator and its runtimes", () => {
  const ours = published.map(({ manifest }) => manifest).filter(({ name }) => /^(@plumbline\/|plumbline$)/.test(name));

  it("have one version, so that generated packages match their runtimes", () => {
    expect(ours.length).toBeGreaterThanOrEqual(5);
    expect(new Set(ours.map(({ version }) => version)).size).toBe(1);
  });

  it("are versioned together", () => {
    const { fixed } = json(".changeset/config.json") as { readonly fixed: readonly (readonly string[])[] };
    expect(fixed.map((each) => [...each].sort())).toEqual([ours.map(({ name }) => name).sort()]);
  });
});

describe("the first release", () => {
  it("has one changeset, which names every published package", () => {
    // The first release removes the changeset, and writes changelogs: remove this test then.
    if (trackedFiles().some((file) => file.endsWith("/CHANGELOG.md"))) return;
    const changesets = trackedFiles().filter((file) => /^\.changeset\/.*\.md$/.test(file));
    expect(changesets).toEqual([".changeset/first-release.md"]);
    const named = [...readTracked(".changeset/first-release.md").matchAll(/^"(.+)": minor$/gm)];
    expect(named.map(([, name = ""]) => name).sort()).toEqual(published.map(({ manifest }) => manifest.name).sort());
  });
});

describe("a generated package", () => {
  it.each([["openapi.yaml", ["client", "validator", "server", "conformance"]]])(
    "of %s names its version of the API",
    (description, folders) => {
      const [, version] = /^ {2}version: '?([\w.-]+)'?$/m.exec(readTracked(`spec/${description}`)) ?? [];
      expect(version).toMatch(/^\d/);
      const said = folders.map((folder) => (json(`packages/${folder}/package.json`) as Manifest).apiVersion);
      expect(said).toEqual(folders.map(() => version));
    },
  );

  it("of a new version of the API has that one, and the version that its owner gave it", async () => {
    const folder = await temporaryFolder();
    const generate = async (text: string) => {
      await place(folder, { "openapi.yaml": text });
      const args = ["generate", "--spec", "openapi.yaml", "--out", "made", "--only", "client"];
      expect(await plumbline(args, { in: folder })).toMatchObject({ code: 0 });
      return JSON.parse(await readFile(path.join(folder, "made/client/package.json"), "utf8")) as Manifest;
    };
    const first = await generate(pets);
    expect(first).toMatchObject({ version: "0.1.0", apiVersion: "1.2.0" });
    await place(folder, { "made/client/package.json": JSON.stringify({ ...first, version: "3.0.1" }) });
    expect(await generate(pets.replace("version: 1.2.0", "version: 2.0.0"))).toMatchObject({
      version: "3.0.1",
      apiVersion: "2.0.0",
    });
  });

  it("is the same on any day", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "openapi.yaml": pets, "later.mjs": later });
    const args = ["--spec", "openapi.yaml", "--out", "made"];
    expect(await plumbline(["generate", ...args], { in: folder })).toMatchObject({ code: 0 });
    const env = { NODE_OPTIONS: "--import=./later.mjs" };
    expect(await plumblineProcess(["generate", "--check", ...args], { in: folder, env })).toMatchObject({
      code: 0,
      // Once for each thread.
      error: expect.stringMatching(/^(a century later\n)+$/) as string,
    });
  });
});

/** Advances the clock of a program by a century, and prints that. */
const later = `
const { now } = Date;
globalThis.Date = class extends Date {
  constructor(...given) {
    super(...(given.length === 0 ? [globalThis.Date.now()] : given));
  }
  static now() {
    return now() + 100 * 365.25 * 24 * 60 * 60 * 1000;
  }
};
console.error(new Date().getUTCFullYear() >= 2100 ? "a century later" : "today");
`;
