import {
  readTemplate,
  type GeneratedFile,
  emitPackageFiles,
  escapeProse,
  describeUncheckedPatterns,
  isCreation,
  printUncheckedPatterns,
  type ArtifactOptions,
} from "@plumbline/codegen";
import { type Api, preferredContent, serverPath } from "@plumbline/model";
import { validatorAdapters } from "./adapters.js";
import { validatorRuntime, runtimeVersionRange } from "@plumbline/codegen/validation";

const readmeTemplate = readTemplate(new URL("../templates/readme.md.hbs", import.meta.url));

/** Emits the other files of a publishable package: `package.json`, `tsconfig.json`, the entry point and the README. */
export function emitValidatorPackage(
  api: Api,
  options: ArtifactOptions,
  parts: ValidatorParts,
): readonly GeneratedFile[] {
  const entries = [
    "operations",
    "responses",
    ...validatorAdapters.map(({ file }) => file),
    ...(["schemas", "ajv", "standard"] as const).filter((part) => parts[part]),
  ];
  return emitPackageFiles(api, options, {
    description: (title) => `A request validator for the ${title}`,
    keyword: "validation",
    entries: { ".": "index", ...Object.fromEntries(entries.map((each) => [`./${each}`, `gen/${each}`])) },
    dependencies: { [validatorRuntime]: runtimeVersionRange },
    index: `export * from "./gen/operations.js";\nexport { inputOf, type InputOf, type ValidationResult, type Operation, type ValidationIssue } from "${validatorRuntime}";\n${printUncheckedPatterns(api)}`,
    ...(parts.ajv ? { optionalPeers: { ajv: "^8.12.0", "ajv-formats": "^3.0.0" } } : {}),
    readme: { template: readmeTemplate, data: { ...readmeData(api), ...parts } },
  });
}

/** The optional parts of a validator. */
export interface ValidatorParts {
  readonly schemas: boolean;
  readonly ajv: boolean;
  readonly standard: boolean;
}

function readmeData(api: Api): object {
  const posts = api.operations.filter(
    ({ requestBody, method, parameters }) =>
      method === "POST" &&
      !parameters.some((parameter) => parameter.required) &&
      requestBody !== undefined &&
      preferredContent(requestBody.contents)?.mediaType === "application/json",
  );
  const made = posts.find(isCreation) ?? posts[0];
  const basePath = serverPath(api.servers[0]?.url ?? "");
  return {
    runtime: validatorRuntime,
    basePath,
    operation: made && { name: made.name, path: escapeProse(made.path) },
    unchecked: describeUncheckedPatterns(api),
  };
}
