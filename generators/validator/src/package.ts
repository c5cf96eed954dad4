import {
  readTemplate,
  type GeneratedFile,
  emitPackageFiles,
  escapeProse,
  type ArtifactOptions,
} from "@plumbline/codegen";
import { type Api, preferredContent } from "@plumbline/model";
import { validatorAdapters } from "./adapters.js";
import { validatorRuntime, runtimeVersionRange } from "@plumbline/codegen/validation";

const readmeTemplate = readTemplate(new URL("../templates/readme.md.hbs", import.meta.url));

/** Emits the other files of a publishable package: `package.json`, `tsconfig.json`, the entry point and the README. */
export function emitValidatorPackage(api: Api, options: ArtifactOptions): readonly GeneratedFile[] {
  const entries = ["operations", "responses", ...validatorAdapters.map(({ file }) => file)];
  return emitPackageFiles(api, options, {
    description: (title) => `A request validator for the ${title}`,
    keyword: "validation",
    entries: { ".": "index", ...Object.fromEntries(entries.map((each) => [`./${each}`, `gen/${each}`])) },
    dependencies: { [validatorRuntime]: runtimeVersionRange },
    index: `export * from "./gen/operations.js";\nexport { inputOf, type InputOf, type ValidationResult, type Operation, type ValidationIssue } from "${validatorRuntime}";\n`,
    readme: { template: readmeTemplate, data: readmeData(api) },
  });
}

function readmeData(api: Api): object {
  const made = api.operations.find(
    ({ requestBody, method, parameters }) =>
      method === "POST" &&
      !parameters.some((parameter) => parameter.required) &&
      requestBody !== undefined &&
      preferredContent(requestBody.contents)?.mediaType === "application/json",
  );
  const basePath = basePathOf(api);
  return {
    runtime: validatorRuntime,
    basePath,
    operation: made && { name: made.name, path: escapeProse(made.path) },
  };
}

/** Returns the path of the first server, such as `/v4`, or an empty string. */
function basePathOf({ servers }: Api): string {
  const path = /^https?:\/\/[^/]*(\/[\w\-./]*)/.exec(servers[0]?.url ?? "")?.[1] ?? "";
  return path.replace(/\/+$/, "");
}
