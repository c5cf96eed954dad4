import { runtimeVersion } from "../../emit/runtimes.js";
import { isObject } from "../../json.js";
import type { Installer } from "./installer.js";
import { workspace, type Manifest, type Wanted } from "./manifest.js";

/** The entries that a package.json requires. */
export function wantedWith(installer: Installer): Wanted {
  return {
    workspaces: installer.workspaces === "package.json" ? [workspace] : [],
    scripts: { generate, check: "plumbline generate --check", build: installer.build },
    // Generated packages are TypeScript, and build with its compiler.
    devDependencies: { "@plumbline/generators": runtimeVersion, typescript: "^7.0.2" },
  };
}

/** The next commands. The second install provides the dependencies of the packages that are new by then. */
export function nextWith({ install, run, execute, build }: Installer, { fields }: Manifest): readonly string[] {
  const scripts = isObject(fields["scripts"]) ? fields["scripts"] : {};
  const isOurs = (name: string, script: string): boolean => (scripts[name] ?? script) === script;
  return [
    install,
    `${isOurs("generate", generate) ? `${run} generate` : `${execute} plumbline generate`} && ${install}`,
    isOurs("build", build) ? `${run} build` : build,
  ];
}

const generate = "plumbline generate";
