import { readdir } from "node:fs/promises";
import type { Manifest } from "./manifest.js";

/** What installs the packages of a repository, by the commands that people type there. */
export interface Installer {
  readonly install: string;
  /** Before the name of a script. */
  readonly run: string;
  /** Before the name of a command that is installed. */
  readonly execute: string;
  /** Builds every package of the repository that builds. */
  readonly build: string;
  /** Who says which folders are packages of the repository. */
  readonly workspaces: "package.json" | "pnpm-workspace.yaml";
}

/** As `packageManager` says, else as the files of the folder do; npm where nothing does. */
export async function installerOf(folder: string, { fields: { packageManager } }: Manifest): Promise<Installer> {
  const stated = typeof packageManager === "string" ? packageManager.split("@")[0] : undefined;
  const named = installers.find(({ name }) => name === stated);
  const there = await readdir(folder);
  return named ?? installers.find(({ files }) => files.some((each) => there.includes(each))) ?? npm;
}

const npm = {
  name: "npm",
  files: [],
  install: "npm install",
  run: "npm run",
  execute: "npx",
  build: "npm run build --workspaces --if-present",
  workspaces: "package.json",
} as const;

const installers: readonly (Installer & { readonly name: string; readonly files: readonly string[] })[] = [
  {
    name: "pnpm",
    files: ["pnpm-lock.yaml", "pnpm-workspace.yaml"],
    install: "pnpm install",
    run: "pnpm run",
    execute: "pnpm exec",
    build: "pnpm --recursive --if-present run build",
    workspaces: "pnpm-workspace.yaml",
  },
  // Its commands for all packages differ from version to version; npm's does it in each.
  {
    ...npm,
    name: "yarn",
    files: ["yarn.lock", ".yarnrc.yml"],
    install: "yarn install",
    run: "yarn run",
    execute: "yarn run",
  },
  npm,
];
