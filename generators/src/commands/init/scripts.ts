import { runtimeVersion } from "../../emit/runtimes.js";
import { isObject } from "../../json.js";
import type { Installer } from "./installer.js";
import { workspace, type Manifest, type Wanted } from "./manifest.js";

/** What a package.json has to have. */
export function wantedWith(installer: Installer): Wanted {
  return {
    workspaces: installer.workspaces === "package.json" ? [workspace] : [],
    scripts: { generate, check: "plumbline generate --check", build: installer.build },
    // What is generated is TypeScript, and builds with its compiler.
    devDependencies: { "@plumbline/generators": runtimeVersion, typescript: "^7.0.2" },
  };
}

/** What is to be typed next. What is installed the second time gives the packages that are new then what they depend on. */
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
