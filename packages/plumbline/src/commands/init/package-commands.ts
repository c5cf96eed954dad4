import { readdir } from "node:fs/promises";
import type { Manifest } from "./manifest.js";

/** A package manager, by its commands. */
export interface PackageManager {
  readonly install: string;
  /** Installs a package; its name follows. */
  readonly add: string;
  /** Runs a script; its name follows. */
  readonly run: string;
  /** Runs an installed command; its name follows. */
  readonly execute: string;
  /** Builds the packages of these artifacts. */
  readonly build: (artifacts: readonly string[]) => string;
  /** The file that lists the workspaces. */
  readonly workspaces: "package.json" | "pnpm-workspace.yaml";
}

/** Detects the package manager by `packageManager` of the package.json, else by lock files. Default: npm. */
export async function detectPackageManager(
  folder: string,
  { fields: { packageManager } }: Manifest,
): Promise<PackageManager> {
  const stated = typeof packageManager === "string" ? packageManager.split("@")[0] : undefined;
  const statedManager = packageManagers.find(({ name }) => name === stated);
  const there = await readdir(folder);
  return statedManager ?? packageManagers.find(({ files }) => files.some((each) => there.includes(each))) ?? npm;
}

interface NamedPackageManager extends PackageManager {
  readonly name: string;
  /** The files by which it is recognized. */
  readonly files: readonly string[];
}

/** npm builds workspaces in the order of their names, and a mock imports its server, which imports the validator beside it. */
function buildFirst(artifacts: readonly string[]): readonly string[] {
  if (!artifacts.includes("server")) return [];
  return ["validator", "server"].filter((each) => artifacts.includes(each)).map((each) => `-w packages/${each} `);
}

const npm: NamedPackageManager = {
  name: "npm",
  files: [],
  install: "npm install",
  add: "npm install",
  run: "npm run",
  execute: "npx",
  build: (artifacts) => `npm run build --if-present ${buildFirst(artifacts).join("")}-w packages`,
  workspaces: "package.json",
};

const packageManagers: readonly NamedPackageManager[] = [
  {
    name: "pnpm",
    files: ["pnpm-lock.yaml", "pnpm-workspace.yaml"],
    install: "pnpm install",
    add: "pnpm add",
    run: "pnpm run",
    execute: "pnpm exec",
    build: () => "pnpm --recursive --if-present run build",
    workspaces: "pnpm-workspace.yaml",
  },
  // Yarn's commands for all packages differ between its versions; npm's command works in each.
  {
    ...npm,
    name: "yarn",
    files: ["yarn.lock", ".yarnrc.yml"],
    install: "yarn install",
    add: "yarn add",
    run: "yarn run",
    execute: "yarn run",
  },
  npm,
];
