import path from "node:path";
import { runtimeVersionRange } from "@plumbline/kit/codegen";
import { sourcesConfigurationText, type DescriptionEntry } from "./configuration.js";
import { detectImportExtension } from "./import-extension.js";
import type { FileChange } from "./init-report.js";
import type { Manifest } from "./manifest.js";
import { detectPackageManager } from "./package-commands.js";
import { planPackageJson } from "./read-manifest.js";

/** Artifacts in the sources of an application. */
export interface ApplicationSources {
  /** Absolute path of the application. */
  readonly folder: string;
  /** Absolute path of the folder for the generated files. */
  readonly sources: string;
  readonly artifacts: readonly string[];
  readonly manifest: Manifest;
  readonly described: DescriptionEntry;
}

/** What `plumbline init` writes beside the description. */
export interface InitPlan {
  /** The text of plumbline.yaml. */
  readonly configuration: string;
  readonly changes: readonly FileChange[];
  /** Folders that an existing .gitignore lacks. */
  readonly unignored: readonly string[];
  /** The next commands. */
  readonly next: readonly string[];
}

/** The folder of each artifact, relative to another one, with forward slashes. Several artifacts have one each. */
export function sourcesByArtifact(
  artifacts: readonly string[],
  { sources, from }: { readonly sources: string; readonly from: string },
): ReadonlyMap<string, string> {
  return new Map(
    artifacts.map((kind) => {
      const folder = artifacts.length === 1 ? sources : path.join(sources, kind);
      return [kind, path.relative(from, folder).split(path.sep).join("/")];
    }),
  );
}

/** Plans artifacts in an application: no workspace and no script, only runtimes. Without a package.json, the user installs them. */
export async function planApplicationSources({
  folder,
  sources,
  artifacts,
  manifest,
  described,
}: ApplicationSources): Promise<InitPlan> {
  const { install, add, execute } = await detectPackageManager(folder, manifest);
  const configuration = sourcesConfigurationText({
    ...described,
    sources: sourcesByArtifact(artifacts, { sources, from: folder }),
    importExtension: await detectImportExtension(folder),
  });
  const runtimes = new Set(artifacts.map((kind) => `@plumbline/${kind === "client" ? "client" : "server"}-runtime`));
  const required = {
    workspaces: [],
    scripts: {},
    dependencies: Object.fromEntries([...runtimes].map((name) => [name, runtimeVersionRange])),
    devDependencies: { plumbline: runtimeVersionRange },
  };
  const hasManifest = manifest.text !== undefined;
  return {
    configuration,
    changes: hasManifest ? planPackageJson(folder, manifest, required) : [],
    unignored: [],
    next: [
      ...(hasManifest ? [install] : [`${add} -D plumbline`, `${add} ${[...runtimes].join(" ")}`]),
      `${execute} plumbline generate`,
    ],
  };
}
