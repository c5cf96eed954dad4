import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { SourceEdit } from "./fault.js";
import { repositoryRoot } from "./repository.js";

/** Creates an edit within a declaration of a file. */
type SourceEditor = (within: string, find: string, replace: string) => SourceEdit;

/** Checks of request bodies. */
export const editChecks: SourceEditor = editorOf("packages/validator/dist/gen/checks.js");
export const editScopes: SourceEditor = editorOf("packages/validator/dist/gen/security.js");
export const editGrants: SourceEditor = editorOf("packages/server/dist/gen/grants.js");
/** The states that operations require. */
export const editStates: SourceEditor = editorOf("packages/server/dist/gen/states.js");
export const editLimits: SourceEditor = editorOf("packages/server/dist/gen/limits.js");
export const editErrors: SourceEditor = editorOf("packages/server/dist/gen/errors.js");
export const editValues: SourceEditor = editorOf("packages/server/dist/gen/values.js");
export const editMutability: SourceEditor = editorOf("packages/server/dist/gen/mutability.js");
export const editResources: SourceEditor = editorOf("packages/server/dist/gen/resources.js");
export const editSerializers: SourceEditor = editorOf("packages/server/dist/gen/serializers.js");

/** The parameters and bodies of an area's operations. */
export function editOperations(area: string): SourceEditor {
  return editorOf(`packages/validator/dist/gen/operations/${area}.js`);
}

/** The features of the service, by file: `instances/handlers`. */
export function editFeature(file: string): SourceEditor {
  return editorOf(`packages/service/dist/features/${file}.js`);
}

export function editService(file: string): SourceEditor {
  return editorOf(`packages/service/dist/${file}.js`);
}

/** The runtime of generated servers, by file: `steps/limits`. */
export function editRuntime(file: string): SourceEditor {
  return editorOf(bundledFile(`server/${file}`));
}

/** What validators and servers share, by file: `decode/json-text`. */
export function editHttpRuntime(file: string): SourceEditor {
  return editorOf(bundledFile(`http/${file}`));
}

/** The file of the bundled runtime that has the code of a module. The bundler names each module in a comment before it. */
function bundledFile(module: string): string {
  const folder = "packages/server-runtime/dist";
  const names = readdirSync(path.join(repositoryRoot, folder), { recursive: true, encoding: "utf8" });
  const found = names.find(
    (name) =>
      name.endsWith(".js") &&
      readFileSync(path.join(repositoryRoot, folder, name), "utf8").includes(`\n// src/${module}.ts\n`),
  );
  if (found === undefined) throw new Error(`No file below ${folder} has ${module}. Run npm run build.`);
  return `${folder}/${found.replaceAll(path.sep, "/")}`;
}

function editorOf(file: string): SourceEditor {
  return (within, find, replace) => ({ file, within, find, replace });
}
