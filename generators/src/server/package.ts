import { compilerOptions } from "../emit/compiler-options.js";
import type { GeneratedFile } from "../emit/files.js";
import { oneLine, prose } from "../emit/prose.js";
import { fill } from "../emit/template.js";
import { serverReadme } from "../emit/templates.js";
import type { ArtifactOptions } from "../generator.js";
import { runtime as validatorRuntime, runtimeVersion as validatorRuntimeVersion } from "../judging/runtime.js";
import type { Api, Json } from "../model/api.js";
import { handlerTypes, requestName } from "./handlers.js";
import { hosts } from "./hosts.js";
import { hasPages } from "./lists.js";
import { machineNames } from "./machines.js";
import { storedResources } from "./references.js";
import { replyName } from "./replies.js";
import { serverRuntime, serverRuntimeVersion } from "./runtime.js";
import { basePathsOf } from "./server.js";

/** Emits the other files of a publishable package: `package.json`, `tsconfig.json`, the entry point and the README. */
export function emitPackage(api: Api, options: ArtifactOptions): readonly GeneratedFile[] {
  return [
    {
      path: "package.json",
      owned: {
        name: options.package,
        description: `Server stubs for the ${oneLine(api.title)}`,
        apiVersion: oneLine(api.version),
        type: "module",
        ...(options.private ? { private: true } : {}),
        sideEffects: false,
        exports: {
          ".": entry("index"),
          "./types": entry("gen/types"),
          ...Object.fromEntries(Object.keys(hosts).map((each) => [`./${each}`, entry(`gen/${each}`)])),
          "./package.json": "./package.json",
        },
        files: ["dist", "src"],
        scripts: { build: "tsc -p tsconfig.json", typecheck: "tsc -p tsconfig.json --noEmit" },
        dependencies: { [serverRuntime]: serverRuntimeVersion, [validatorRuntime]: validatorRuntimeVersion },
        engines: { node: "^20.19.0 || ^22.12.0 || >=24.0.0" },
      },
      initial: { version: "0.1.0", license: "MIT" },
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
  const all = [...api.operations, ...api.linked];
  const types = [...handlerTypes, ...all.flatMap((each) => [requestName(each), replyName(each)])].toSorted();
  const server = [
    "createServer",
    "type PartialOptions",
    "type ServerOptions",
    ...(storedResources(api).length === 0 ? [] : ["type Stores"]),
  ];
  const machines = api.machines.flatMap((each) => {
    const [machine, ...shapes] = machineNames(each);
    return [machine, ...shapes.map((shape) => `type ${shape}`)];
  });
  return [
    `export { ${server.join(", ")} } from "./gen/server.js";`,
    `export type { ${types.join(", ")} } from "./gen/handlers.js";`,
    `export { errors, type Errors } from "./gen/errors.js";`,
    `export { limits, type Limits } from "./gen/limits.js";`,
    `export { filterable, ${hasPages(api) ? "page, " : ""}type Filterable } from "./gen/lists.js";`,
    ...(machines.length === 0 ? [] : [`export { ${machines.join(", ")} } from "./gen/states.js";`]),
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
  return fill(serverReadme, {
    package: options.package,
    title: prose(api.title),
    version: prose(api.version),
    runtime: serverRuntime,
    basePath: basePathsOf(api)[0] ?? "",
    operation: read && { name: read.name, path: prose(read.path) },
    operations: `${api.operations.length} ${api.operations.length === 1 ? "operation" : "operations"}`,
  });
}
