import {
  renderTemplate,
  readTemplate,
  type GeneratedFile,
  compilerOptions,
  toSingleLine,
  escapeProse,
  type ArtifactOptions,
} from "@plumbline/codegen";
import { type Api, type Json, preferredContent } from "@plumbline/model";
import { validatorAdapters } from "./adapters.js";
import { validatorRuntime, runtimeVersionRange } from "@plumbline/codegen/validation";

const readmeTemplate = readTemplate(new URL("../templates/readme.md.hbs", import.meta.url));

/** Emits the other files of a publishable package: `package.json`, `tsconfig.json`, the entry point and the README. */
export function emitValidatorPackage(api: Api, options: ArtifactOptions): readonly GeneratedFile[] {
  const entries = ["operations", "responses", ...validatorAdapters.map(({ file }) => file)];
  return [
    {
      path: "package.json",
      managedKeys: {
        name: options.package,
        description: `A request validator for the ${toSingleLine(api.title)}`,
        apiVersion: toSingleLine(api.version),
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
        dependencies: { [validatorRuntime]: runtimeVersionRange },
        engines: { node: "^20.19.0 || ^22.12.0 || >=24.0.0" },
      },
      defaults: { version: "0.1.0", license: "MIT", keywords: ["openapi", "validation"] },
    },
    { path: "tsconfig.json", text: `${JSON.stringify(compilerOptions, undefined, 2)}\n` },
    {
      path: "src/index.ts",
      text: `export * from "./gen/operations.js";\nexport { inputOf, type InputOf, type ValidationResult, type Operation, type ValidationIssue } from "${validatorRuntime}";\n`,
    },
    { path: "README.md", text: readme(api, options) },
  ];
}

function entry(file: string): Json {
  return { types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` };
}

function readme(api: Api, options: ArtifactOptions): string {
  const made = api.operations.find(
    ({ requestBody, method, parameters }) =>
      method === "POST" &&
      !parameters.some((parameter) => parameter.required) &&
      requestBody !== undefined &&
      preferredContent(requestBody.contents)?.mediaType === "application/json",
  );
  const basePath = basePathOf(api);
  return renderTemplate(readmeTemplate, {
    package: options.package,
    title: escapeProse(api.title),
    version: escapeProse(api.version),
    runtime: validatorRuntime,
    basePath,
    operation: made && { name: made.name, path: escapeProse(made.path) },
    operations: `${api.operations.length} ${api.operations.length === 1 ? "operation" : "operations"}`,
  });
}

/** Returns the path of the first server, such as `/v4`, or an empty string. */
function basePathOf({ servers }: Api): string {
  const path = /^https?:\/\/[^/]*(\/[\w\-./]*)/.exec(servers[0]?.url ?? "")?.[1] ?? "";
  return path.replace(/\/+$/, "");
}
