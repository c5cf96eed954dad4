import { runtimeVersionRange } from "@plumbline/kit/codegen";
import { isJsonObject } from "@plumbline/kit/model";
import { builtInGenerators, optionalArtifacts } from "../../artifact-kinds.js";
import { workspaceGlob, type Manifest, type ManifestRequirements } from "./manifest.js";
import type { PackageManager } from "./package-commands.js";

/** The entries that a package.json requires. */
export function requiredManifestFields(installer: PackageManager, artifacts: readonly string[]): ManifestRequirements {
  return {
    workspaces: installer.workspaces === "package.json" ? [workspaceGlob] : [],
    scripts: { generate: generateScript, check: "plumbline generate --check", build: installer.build(artifacts) },
    dependencies: {},
    // Generated packages are TypeScript, and build with its compiler.
    devDependencies: {
      plumbline: runtimeVersionRange,
      typescript: "^7.0.2",
      // It edits handlers, and comes with a compiler.
      ...(artifacts.includes("handlers") ? { "@plumbline/codemods": runtimeVersionRange } : {}),
      ...Object.fromEntries(
        optionalArtifacts
          .filter((kind) => artifacts.includes(kind))
          .map((kind) => [builtInGenerators[kind], runtimeVersionRange] as const),
      ),
    },
  };
}

/** The next commands. The second install provides the dependencies of the packages that are new by then. */
export function nextCommands(
  { install, run, execute, build }: PackageManager,
  { fields }: Manifest,
  artifacts: readonly string[],
): readonly string[] {
  const scripts = isJsonObject(fields["scripts"]) ? fields["scripts"] : {};
  const isOurs = (name: string, script: string): boolean => (scripts[name] ?? script) === script;
  return [
    install,
    `${isOurs("generate", generateScript) ? `${run} generate` : `${execute} plumbline generate`} && ${install}`,
    isOurs("build", build(artifacts)) ? `${run} build` : build(artifacts),
  ];
}

const generateScript = "plumbline generate";
