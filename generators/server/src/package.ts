import {
  compilerOptions,
  type GeneratedFile,
  toSingleLine,
  escapeProse,
  renderTemplate,
  readTemplate,
  type ArtifactOptions,
} from "@plumbline/codegen";
import { validatorRuntime, runtimeVersionRange as validatorRuntimeVersion } from "@plumbline/codegen/validation";
import type { Api, Json } from "@plumbline/model";
import { handlerTypeNames, handlerInputTypeName } from "./handlers.js";
import { serverAdapters } from "./adapters.js";
import { hasUniformPagination } from "./responses/lists.js";
import { stateMachineNames } from "./state-machines/state-machines.js";
import { storedResources } from "./references.js";
import { responseTypeName } from "./responses/response-types.js";
import { serverRuntime, serverRuntimeVersion } from "./runtime.js";
import { basePathsOf } from "./server.js";

const readmeTemplate = readTemplate(new URL("../templates/readme.md.hbs", import.meta.url));

/** Emits the other files of a publishable package: `package.json`, `tsconfig.json`, the entry point and the README. */
export function emitServerPackage(api: Api, options: ArtifactOptions): readonly GeneratedFile[] {
  return [
    {
      path: "package.json",
      managedKeys: {
        name: options.package,
        description: `Server stubs for the ${toSingleLine(api.title)}`,
        apiVersion: toSingleLine(api.version),
        type: "module",
        ...(options.private ? { private: true } : {}),
        sideEffects: false,
        exports: {
          ".": entry("index"),
          "./types": entry("gen/types"),
          ...Object.fromEntries(Object.keys(serverAdapters).map((each) => [`./${each}`, entry(`gen/${each}`)])),
          "./package.json": "./package.json",
        },
        files: ["dist", "src"],
        scripts: { build: "tsc -p tsconfig.json", typecheck: "tsc -p tsconfig.json --noEmit" },
        dependencies: { [serverRuntime]: serverRuntimeVersion, [validatorRuntime]: validatorRuntimeVersion },
        engines: { node: "^20.19.0 || ^22.12.0 || >=24.0.0" },
      },
      defaults: { version: "0.1.0", license: "MIT", keywords: ["openapi", "server"] },
    },
    { path: "tsconfig.json", text: `${JSON.stringify(compilerOptions, undefined, 2)}\n` },
    { path: "src/index.ts", text: index(api) },
    { path: "README.md", text: readme(api, options) },
  ];
}

/**
 * Returns the text of the entry point. Its exports shadow types of the description with the same name, which remain
 * available from `/types`.
 */
function index(api: Api): string {
  const all = [...api.operations, ...api.operationsWithoutPath];
  const types = [
    ...handlerTypeNames,
    ...all.flatMap((each) => [handlerInputTypeName(each), responseTypeName(each)]),
  ].toSorted();
  const server = [
    "createServer",
    "type PartialServerOptions",
    "type ServerOptions",
    ...(storedResources(api).length === 0 ? [] : ["type ResourceLoaders"]),
  ];
  const stateMachines = api.stateMachines.flatMap((each) => {
    const [stateMachine, ...schemas] = stateMachineNames(each);
    return [stateMachine, ...schemas.map((schema) => `type ${schema}`)];
  });
  return [
    `export { ${server.join(", ")} } from "./gen/server.js";`,
    `export type { ${types.join(", ")} } from "./gen/handlers.js";`,
    `export { errors, type Errors } from "./gen/errors.js";`,
    `export { limits, type Limits } from "./gen/limits.js";`,
    `export { filterable, ${hasUniformPagination(api) ? "page, " : ""}type Filterable } from "./gen/lists.js";`,
    ...(stateMachines.length === 0 ? [] : [`export { ${stateMachines.join(", ")} } from "./gen/states.js";`]),
    `export type * from "./gen/types.js";`,
    "",
  ].join("\n");
}

function entry(file: string): Json {
  return { types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` };
}

function readme(api: Api, options: ArtifactOptions): string {
  const read = api.operations.find(
    ({ method, parameters }) => method === "GET" && !parameters.some((each) => each.required),
  );
  return renderTemplate(readmeTemplate, {
    package: options.package,
    title: escapeProse(api.title),
    version: escapeProse(api.version),
    runtime: serverRuntime,
    basePath: basePathsOf(api)[0] ?? "",
    operation: read && { name: read.name, path: escapeProse(read.path) },
    operations: `${api.operations.length} ${api.operations.length === 1 ? "operation" : "operations"}`,
  });
}
