import { runtimeVersion } from "../../emit/runtimes.js";
import { isObject } from "../../json.js";
import type { Manifest, Wanted } from "./manifest.js";

/** What a package.json has to have. */
export const wanted: Wanted = {
  scripts: {
    generate: "plumbline generate",
    check: "plumbline generate --check",
    build: "npm run build --workspaces --if-present",
  },
  // What is generated is TypeScript, and builds with its compiler.
  devDependencies: { "@plumbline/generators": runtimeVersion, typescript: "^7.0.2" },
};

/** The second `npm install` gives the packages that are new then what they depend on. */
export function nextAfter({ fields }: Manifest): readonly string[] {
  const scripts = isObject(fields["scripts"]) ? fields["scripts"] : {};
  const isOurs = (name: "generate" | "build"): boolean =>
    (scripts[name] ?? wanted.scripts[name]) === wanted.scripts[name];
  return [
    "npm install",
    `${isOurs("generate") ? "npm run generate" : "npx plumbline generate"} && npm install`,
    isOurs("build") ? "npm run build" : String(wanted.scripts["build"]),
  ];
}
