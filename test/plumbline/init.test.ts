import { describe, expect, it } from "vitest";
import { filesOf, pets, place } from "../support/pets.js";
import { temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";
import { readTracked } from "../support/tracked.js";

const { version } = JSON.parse(readTracked("packages/plumbline/package.json")) as { readonly version: string };
/** The compiler that builds generated packages in this repository. */
const { devDependencies } = JSON.parse(readTracked("package.json")) as {
  readonly devDependencies: { readonly typescript: string };
};

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  await place(folder, files);
  return folder;
}

const next = "\nNext:\n  npm install\n  npm run generate && npm install\n  npm run build\n";

describe("plumbline init", () => {
  it("sets up an empty repository", async () => {
    const folder = await folderWith({ "openapi.yaml": pets });
    const { code, out, error } = await plumbline(["init", "openapi.yaml"], { in: folder });
    expect({ code, error }).toEqual({ code: 0, error: "" });
    const added =
      "private, workspaces, scripts.generate, scripts.check, scripts.build, devDependencies.plumbline, devDependencies.typescript";
    const ignored = "node_modules/, dist/, .conformance/";
    expect(out).toBe(
      `wrote    spec/plumbline.yaml\nwrote    package.json: ${added}\nwrote    .gitignore: ${ignored}\n${next}`,
    );
    expect(await filesOf(folder)).toEqual({
      ".gitignore": "node_modules/\ndist/\n.conformance/\n",
      "openapi.yaml": pets,
      "package.json": `{
  "private": true,
  "workspaces": [
    "packages/*"
  ],
  "scripts": {
    "generate": "plumbline generate",
    "check": "plumbline generate --check",
    "build": "npm run build --if-present -w packages/validator -w packages/server -w packages"
  },
  "devDependencies": {
    "plumbline": "^${version}",
    "typescript": "^${devDependencies.typescript}"
  }
}
`,
      "spec/plumbline.yaml": `# yaml-language-server: $schema=../node_modules/plumbline/plumbline.schema.json
# The packages that \`plumbline generate\` writes for each description. Paths are relative to this file.
# minimal: only problems that prevent generation are errors. strict: all rules of the linter apply.
ruleset: minimal
descriptions:
  - description: ../openapi.yaml
    # Overlays extend a description without changing its file:
    # overlays: [limits.overlay.yaml] # beside this file
    artifacts: # one package each; \`private: true\` prevents publication
      client: {package: '@pet-shop/client', out: ../packages/client}
      validator: {package: '@pet-shop/validator', out: ../packages/validator}
      server: {package: '@pet-shop/server', out: ../packages/server}
      conformance: {package: '@pet-shop/conformance', out: ../packages/conformance}
`,
    });
    expect((await plumbline(["generate"], { in: folder })).code).toBe(0);
    expect((await plumbline(["generate", "--check"], { in: folder })).code).toBe(0);
  });

  it("only adds to a package.json, which stays as it is written", async () => {
    const given = `{\r
\t"name": "@acme/site", "files": ["a", "b"],\r
\t"scripts": { "build": "make" },\r
\t"workspaces": ["apps/*"],\r
\t"dependencies": {"typescript": "5.9.3"},\r
\t"devDependencies": {}\r
}`;
    const folder = await folderWith({ "api/openapi.yaml": pets, "package.json": given });
    const args = ["init", "api/openapi.yaml", "--artifacts", "server,client", "--json"];
    const { code, out } = await plumbline(args, { in: folder });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      written: ["spec/plumbline.yaml", ".gitignore"],
      changed: ["package.json"],
      added: ["workspaces", "scripts.generate", "scripts.check", "devDependencies.plumbline"],
      unignored: [],
      next: [
        "npm install",
        "npm run generate && npm install",
        "npm run build --if-present -w packages/server -w packages",
      ],
    });
    const files = await filesOf(folder);
    expect(files["package.json"]).toBe(`{\r
\t"name": "@acme/site", "files": ["a", "b"],\r
\t"scripts": { "build": "make", "generate": "plumbline generate", "check": "plumbline generate --check" },\r
\t"workspaces": ["apps/*", "packages/*"],\r
\t"dependencies": {"typescript": "5.9.3"},\r
\t"devDependencies": {\r
\t\t"plumbline": "^${version}"\r
\t}\r
}`);
    expect(files["spec/plumbline.yaml"]).toContain(`  - description: ../api/openapi.yaml\n`);
    const packages = [...(files["spec/plumbline.yaml"] ?? "").matchAll(/package: '(.*?)'/g)].map(([, name]) => name);
    expect(packages).toEqual(["@acme/client", "@acme/server"]);
  });

  it("sets up handlers beside the packages, for the chosen server", async () => {
    const folder = await folderWith({ "openapi.yaml": pets });
    const args = ["init", "openapi.yaml", "--artifacts", "server,handlers", "--adapter", "hono"];
    expect((await plumbline(args, { in: folder })).code).toBe(0);
    const { "spec/plumbline.yaml": config = "", "package.json": manifest = "" } = await filesOf(folder);
    expect(config).toContain(`      server: {package: '@pet-shop/server', out: ../packages/server}
      handlers: {server: '@pet-shop/server', out: .., adapter: hono} # your own code, in src/handlers
`);
    expect(JSON.parse(manifest)).toMatchObject({ devDependencies: { "@plumbline/codemods": `^${version}` } });
  });

  it("installs the generator of a site, and says how a repository gets one later", async () => {
    const folder = await folderWith({ "openapi.yaml": pets });
    await plumbline(["init", "openapi.yaml", "--artifacts", "site,client"], { in: folder });
    const manifest = JSON.parse((await filesOf(folder))["package.json"] ?? "") as { devDependencies: object };
    expect(Object.keys(manifest.devDependencies)).toContain("@plumbline/site");
    const again = await plumbline(["init", "openapi.yaml", "--artifacts", "site"], { in: folder });
    expect(again.error).toContain("      site: {package: '@NAME/site', out: ../packages/site}\n");
    expect(again.error).toContain("npm install --save-dev @plumbline/site");
  });

  it("changes nothing in a complete repository", async () => {
    const folder = await folderWith({ "openapi.yaml": pets });
    await plumbline(["init", "openapi.yaml"], { in: folder });
    const first = await filesOf(folder);
    const { "package.json": manifest = "", ".gitignore": ignoring = "" } = first;
    const moved = await folderWith({ "openapi.yaml": pets, "package.json": manifest, ".gitignore": ignoring });
    const { out } = await plumbline(["init", "openapi.yaml", "--scope", "@pet-shop"], { in: moved });
    expect(out).toBe(`wrote    spec/plumbline.yaml\n${next}`);
    expect(await filesOf(moved)).toEqual(first);
  });

  it.each([
    { ignoring: "node_modules\n**/dist/\n", lacks: [".conformance/"] },
    { ignoring: "# dist\r\n/node_modules/\r\npackages/*/dist\r\n", lacks: ["node_modules/", ".conformance/"] },
    { ignoring: "", lacks: ["node_modules/", "dist/", ".conformance/"] },
  ])("does not change a .gitignore $ignoring, and reports its missing lines", async ({ ignoring, lacks }) => {
    const folder = await folderWith({ "openapi.yaml": pets, ".gitignore": ignoring });
    const { out } = await plumbline(["init", "openapi.yaml"], { in: folder });
    expect(out).toContain(`kept     .gitignore, which lacks ${lacks.join(", ")}\n\nNext:\n`);
    expect((await filesOf(folder))[".gitignore"]).toBe(ignoring);
    const again = await folderWith({ "openapi.yaml": pets, ".gitignore": ignoring });
    const reported = await plumbline(["init", "openapi.yaml", "--json"], { in: again });
    expect(JSON.parse(reported.out)).toMatchObject({ unignored: lacks });
  });

  it("omits journals from .gitignore without a suite that writes them", async () => {
    const folder = await folderWith({ "openapi.yaml": pets });
    await plumbline(["init", "openapi.yaml", "--artifacts", "client"], { in: folder });
    expect((await filesOf(folder))[".gitignore"]).toBe("node_modules/\ndist/\n");
  });

  it("sets up a pnpm repository as pnpm requires", async () => {
    const given = "# Ours\npackages:\n  - 'apps/*' # all of them\n\nonlyBuiltDependencies: [esbuild]\n";
    const folder = await folderWith({
      "openapi.yaml": pets,
      "package.json": '{ "scripts": { "generate": "make" } }',
      "pnpm-workspace.yaml": given,
    });
    const { out } = await plumbline(["init", "openapi.yaml", "--json"], { in: folder });
    expect(JSON.parse(out)).toEqual({
      written: ["spec/plumbline.yaml", ".gitignore"],
      changed: ["package.json", "pnpm-workspace.yaml"],
      added: ["scripts.check", "scripts.build", "devDependencies.plumbline", "devDependencies.typescript"],
      unignored: [],
      next: ["pnpm install", "pnpm exec plumbline generate && pnpm install", "pnpm run build"],
    });
    const files = await filesOf(folder);
    expect(files["pnpm-workspace.yaml"]).toBe(given.replace("them\n", "them\n  - 'packages/*'\n"));
    expect(files["package.json"]).toContain('"build":"pnpm --recursive --if-present run build"');
  });

  it.each([
    ["pnpm", { "pnpm-lock.yaml": "" }, { "pnpm-workspace.yaml": "packages:\n  - packages/*\n" }],
    ["pnpm", { "pnpm-workspace.yaml": "packages: [./packages/*]\n" }, {}],
    ["pnpm", { "package.json": '{"packageManager": "pnpm@10.1.0"}', "yarn.lock": "" }, {}],
    ["yarn", { "yarn.lock": "" }, {}],
    ["yarn", { "package.json": '{"packageManager": "yarn@4.1.0+sha224.1"}', "pnpm-lock.yaml": "" }, {}],
    ["npm", { "package.json": '{"packageManager": "npm@11.0.0"}', "yarn.lock": "" }, {}],
  ])("knows %s by %o", async (name, files, written) => {
    const folder = await folderWith({ "openapi.yaml": pets, ...files });
    const { out } = await plumbline(["init", "openapi.yaml"], { in: folder });
    const [, said] = out.split("\nNext:\n");
    expect(said).toBe(`  ${name} install\n  ${name} run generate && ${name} install\n  ${name} run build\n`);
    const made = await filesOf(folder);
    expect(made).toMatchObject(written);
    expect((made["package.json"] ?? "").includes('"workspaces"')).toBe(name !== "pnpm");
  });

  const there = "This file exists already. Edit it, or move it away first. Nothing was changed.";
  it.each([
    ["a configuration", { "spec/plumbline.yaml": "" }, `spec/plumbline.yaml  ${there}\n`],
    ["one at the top", { "plumbline.yaml": "" }, `plumbline.yaml  ${there}\n`],
    [
      "a package in the way",
      { "packages/server/a.js": "" },
      /^packages\/server {2}This folder exists already, and is the folder of the server/,
    ],
    ["a package.json that is none", { "package.json": "{" }, /^package\.json is not valid JSON\nNothing was changed\./],
    ["a package.json that is a list", { "package.json": "[]" }, /^package\.json {2}This file is not a JSON object\./],
    [
      "invalid scripts",
      { "package.json": '{"scripts": []}' },
      /^package\.json {2}`scripts` is not an object\. Fix it first/,
    ],
    ["invalid workspaces", { "package.json": '{"workspaces": 1}' }, /^package\.json {2}`workspaces` is not a list\./],
    [
      "invalid pnpm workspaces",
      { "pnpm-workspace.yaml": "packages: all\n" },
      /^pnpm-workspace\.yaml {2}The list `packages` cannot be edited\. Add packages\/\* to it first\./,
    ],
    ["problems in the description", { "openapi.yaml": "openapi: 3.1.0\n" }, /^openapi\.yaml:1:1 /],
  ])("rejects %s, and writes nothing", async (_, files, says) => {
    const folder = await folderWith({ "openapi.yaml": pets, ...files });
    const before = await filesOf(folder);
    const { code, out, error } = await plumbline(["init", "openapi.yaml"], { in: folder });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toMatch(says);
    expect(await filesOf(folder)).toEqual(before);
  });

  it.each([
    { args: [], says: "Missing argument FILE. Pass your description: plumbline init api/openapi.json." },
    { args: ["a.yaml", "--scope", "acme"], says: '"acme" is not a valid npm scope. Use one such as @acme.' },
    {
      args: ["a.yaml", "--artifacts", "sights"],
      says: /^Unknown artifact "sights"\. (Did you mean "site"|The artifacts are client, )/,
    },
    { args: ["a.yaml", "--artifacts", "handlers"], says: "The artifact handlers requires the artifact server." },
    {
      args: ["a.yaml", "--adapter", "koa"],
      says: '--adapter is one of node, express, fastify, hono, fetch, not "koa".',
    },
    { args: ["a.yaml", "--artifacts", ","], says: "Name at least one artifact." },
    { args: ["spec/plumbline.yaml"], says: "spec/plumbline.yaml is a configuration. Pass the description itself." },
  ])("$args is wrong usage", async ({ args, says }) => {
    // Files of dependencies are not searched, and neither are files that are not descriptions.
    const others = { "a.json": "{}", "node_modules/b/openapi.yaml": pets };
    const folder = await folderWith({ ...others, "api/openapi.json": '{"info": {}, "openapi": "3.0.3"}' });
    const { code, error } = await plumbline(["init", ...args], { in: folder });
    expect(code).toBe(2);
    expect(error.replace("\nSee plumbline init --help.\n", "")).toMatch(says);
  });
});
