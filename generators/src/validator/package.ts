import { fill } from "../emit/template.js";
import { validatorReadme } from "../emit/templates.js";
import type { GeneratedFile } from "../emit/files.js";
import { compilerOptions } from "../emit/compiler-options.js";
import { oneLine, prose } from "../emit/prose.js";
import type { ArtifactOptions } from "../generator.js";
import type { Api, Json } from "../model/api.js";
import { chosenContent } from "../model/media.js";
import { hosts } from "./hosts.js";
import { runtime, runtimeVersion } from "../judging/runtime.js";

/** Emits the other files of a publishable package: `package.json`, `tsconfig.json`, the entry point and the README. */
export function emitPackage(api: Api, options: ArtifactOptions): readonly GeneratedFile[] {
  const entries = ["operations", "replies", ...hosts.map(({ file }) => file)];
  return [
    {
      path: "package.json",
      owned: {
        name: options.package,
        description: `A request validator for the ${oneLine(api.title)}`,
        apiVersion: oneLine(api.version),
        type: "module",
        ...(options.private ? { private: true } : {}),
        sideEffects: false,
        exports: {
          ".": entry("index"),
          ...Object.fromEntries(entries.map((each) => [`./${each}`, entry(`gen/${each}`)])),
          "./package.json": "./package.json",
        },
        files: ["dist", "src"],
        scripts: { build: "tsc -p tsconfig.json", typecheck: "tsc -p tsconfig.json --noEmit" },
        dependencies: { [runtime]: runtimeVersion },
        engines: { node: "^20.19.0 || ^22.12.0 || >=24.0.0" },
      },
      initial: { version: "0.1.0", license: "MIT" },
    },
    { path: "tsconfig.json", text: `${JSON.stringify(compilerOptions, undefined, 2)}\n` },
    {
      path: "src/index.ts",
      text: `export * from "./gen/operations.js";\nexport { inputOf, type InputOf, type Judgement, type Operation, type PublicFault } from "${runtime}";\n`,
    },
    { path: "README.md", text: readme(api, options) },
  ];
}

function entry(file: string): Json {
  return { types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` };
}

function readme(api: Api, options: ArtifactOptions): string {
  const made = api.operations.find(
    ({ body, method, parameters }) =>
      method === "POST" &&
      !parameters.some((parameter) => parameter.required) &&
      body !== undefined &&
      chosenContent(body.contents)?.mediaType === "application/json",
  );
  const basePath = basePathOf(api);
  return fill(validatorReadme, {
    package: options.package,
    title: prose(api.title),
    version: prose(api.version),
    runtime,
    basePath,
    operation: made && { name: made.name, path: prose(made.path) },
    operations: `${api.operations.length} ${api.operations.length === 1 ? "operation" : "operations"}`,
  });
}

/** Returns the path of the first server, such as `/v4`, or an empty string. */
function basePathOf({ servers }: Api): string {
  const path = /^https?:\/\/[^/]*(\/[\w\-./]*)/.exec(servers[0]?.url ?? "")?.[1] ?? "";
  return path.replace(/\/+$/, "");
}
