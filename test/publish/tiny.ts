import { cp } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";
import { npm, run, runNode, type Ended } from "../support/run.js";

/** The text of a `package.json`. */
export const manifest = (given: object): string =>
  JSON.stringify({
    version: "1.0.0",
    license: "MIT",
    publishConfig: { access: "public" },
    files: ["index.js"],
    ...given,
  });

/** A repository of three packages: the first by its name depends on the second, and no other package depends on the third. */
const files: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({
    name: "tiny",
    private: true,
    workspaces: ["packages/*"],
    scripts: { check: "node check.cjs", build: "node --version", generate: "node generate.cjs" },
  }),
  ".gitignore": ".npmrc\n",
  ".changeset/config.json": '{ "baseBranch": "main", "changelog": "@changesets/cli/changelog" }',
  "check.cjs": "",
  "generate.cjs": `require("fs").writeFileSync("generated.txt", require("./packages/bee/package.json").version);`,
  "packages/ant/package.json": manifest({ name: "@farm/ant", dependencies: { "@shop/bee": "^1.0.0" } }),
  "packages/ant/index.js": "",
  "packages/bee/package.json": manifest({ name: "@shop/bee" }),
  "packages/bee/index.js": "",
  "packages/cow/package.json": JSON.stringify({ name: "cow", version: "1.0.0", private: true }),
};

export interface Tiny {
  readonly folder: string;
  readonly release: (options?: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>;
  readonly git: (...args: readonly string[]) => Promise<string>;
}

/** Creates that repository with these files beside its own; `configure` sets the registry to publish to. Default: a folder that is removed when the test ends. */
export async function createTiny(
  configure: (folder: string) => Promise<void>,
  more: Readonly<Record<string, string>> = {},
  folder?: string,
): Promise<Tiny> {
  const tiny = tinyIn(folder ?? (await temporaryFolder()));
  const { git } = tiny;
  await place(tiny.folder, { ...files, ...more });
  await configure(tiny.folder);
  await git("init", "--quiet", "--initial-branch=main");
  await git("config", "user.name", "Alice");
  await git("config", "user.email", "alice@example.com");
  await npm(["install", "--package-lock-only"], { in: tiny.folder });
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "The first");
  return tiny;
}

/** A copy of that repository, until the test ends. */
export async function copyTiny({ folder }: Tiny): Promise<Tiny> {
  const copy = await temporaryFolder();
  await cp(folder, copy, { recursive: true });
  return tinyIn(copy);
}

function tinyIn(folder: string): Tiny {
  const git: Tiny["git"] = async (...args) => {
    const { code, out, error } = await run("git", args, { in: folder });
    expect(code, error).toBe(0);
    return out.trimEnd();
  };
  const script = path.join(repository, "test", "release", "release.mjs");
  const nowhere = { ACTIONS_ID_TOKEN_REQUEST_URL: "", SIGSTORE_ID_TOKEN: "", GITHUB_ACTIONS: "", GITLAB_CI: "" };
  const release: Tiny["release"] = (options = [], env = {}) =>
    runNode([script, ...options], { in: folder, env: { ...nowhere, ...env } });
  return { folder, git, release };
}
