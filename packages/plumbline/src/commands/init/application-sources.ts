import path from "node:path";
import { runtimeVersionRange } from "@plumbline/kit/codegen";
import { sourcesConfigurationText, type DescriptionEntry } from "./configuration.js";
import { detectImportExtension } from "./import-extension.js";
import type { FileChange } from "./init-report.js";
import type { Manifest } from "./manifest.js";
import { detectPackageManager } from "./package-commands.js";
import { planPackageJson } from "./read-manifest.js";

/** A client in the sources of an application. */
export interface ApplicationSources {
  /** Absolute path of the application. */
  readonly folder: string;
  /** Absolute path of the folder for the generated files. */
  readonly sources: string;
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

const clientRuntime = "@plumbline/client-runtime";

/** Plans a client in an application: no workspace and no script, one dependency. Without a package.json, the user installs it. */
export async function planApplicationSources({
  folder,
  sources,
  manifest,
  described,
}: ApplicationSources): Promise<InitPlan> {
  const { install, add, execute } = await detectPackageManager(folder, manifest);
  const configuration = sourcesConfigurationText({
    ...described,
    sources: path.relative(folder, sources).split(path.sep).join("/"),
    importExtension: await detectImportExtension(folder),
  });
  const required = {
    workspaces: [],
    scripts: {},
    dependencies: { [clientRuntime]: runtimeVersionRange },
    devDependencies: { plumbline: runtimeVersionRange },
  };
  const hasManifest = manifest.text !== undefined;
  return {
    configuration,
    changes: hasManifest ? planPackageJson(folder, manifest, required) : [],
    unignored: [],
    next: [
      ...(hasManifest ? [install] : [`${add} -D plumbline`, `${add} ${clientRuntime}`]),
      `${execute} plumbline generate`,
    ],
  };
}
