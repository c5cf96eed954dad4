import { readdir } from "node:fs/promises";
import type { Manifest } from "./manifest.js";

/** A package manager, by its commands. */
export interface Installer {
  readonly install: string;
  /** Runs a script; its name follows. */
  readonly run: string;
  /** Runs an installed command; its name follows. */
  readonly execute: string;
  /** Builds all packages that have a build script. */
  readonly build: string;
  /** The file that lists the workspaces. */
  readonly workspaces: "package.json" | "pnpm-workspace.yaml";
}

/** Detects the package manager by `packageManager` of the package.json, else by lock files. Default: npm. */
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
  // Yarn's commands for all packages differ between its versions; npm's command works in each.
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
