import {
  clientRuntime,
  readTemplate,
  type GeneratedFile,
  emitPackageFiles,
  escapeProse,
  describeUncheckedPatterns,
  isCreation,
  printUncheckedPatterns,
  type ArtifactOptions,
} from "@plumbline/kit/codegen";
import {
  customRuntime,
  validatorModuleNames,
  serverRuntime,
  validatorRuntime,
  runtimeVersionRange,
} from "@plumbline/kit/codegen/validation";
import { type Api, preferredContent, serverPath } from "@plumbline/kit/model";
import { validatorAdapters } from "./adapters.js";
import type { CustomNames } from "./custom-checks.js";
import { requiredSchemes } from "./security.js";

const readmeTemplate = readTemplate(new URL("../../templates/validator/readme.md.hbs", import.meta.url));

/** Emits the other files of a publishable package: `package.json`, `tsconfig.json`, the entry point and the README. */
export function emitValidatorPackage(
  api: Api,
  options: ArtifactOptions,
  parts: ValidatorParts,
): readonly GeneratedFile[] {
  const entries = [
    ...Object.values(validatorModuleNames).filter((each) => each !== "custom-checks" || parts.custom !== undefined),
    ...validatorAdapters.map(({ file }) => file),
    ...(["schemas", "ajv", "standard"] as const).filter((part) => parts[part]),
  ];
  return emitPackageFiles(api, options, {
    description: (title) => `A request validator for the ${title}`,
    keyword: "validation",
    entries: { ".": "index", ...Object.fromEntries(entries.map((each) => [`./${each}`, `gen/${each}`])) },
    dependencies: {
      ...(parts.isConverting ? { [clientRuntime]: runtimeVersionRange } : {}),
      [serverRuntime]: runtimeVersionRange,
    },
    index: `${emitIndex(parts.custom)}${printUncheckedPatterns(api)}`,
    ...(parts.ajv ? { optionalPeers: { ajv: "^8.12.0", "ajv-formats": "^3.0.0" } } : {}),
    readme: {
      template: readmeTemplate,
      data: { ...readmeData(api), ...parts, custom: customReadmeData(parts.custom) },
    },
  });
}

/** The optional parts of a validator. */
export interface ValidatorParts {
  readonly schemas: boolean;
  readonly ajv: boolean;
  readonly standard: boolean;
  /** Whether dates are converted. */
  readonly isConverting: boolean;
  /** Custom formats and keywords. Undefined if there are none. */
  readonly custom: CustomNames | undefined;
}

function emitIndex(custom: CustomNames | undefined): string {
  const types = "type InputOf, type ValidationResult, type Operation, type ValidationIssue";
  const operations = `export * from "./gen/operations.js";\n`;
  if (custom === undefined) return `${operations}export { inputOf, ${types} } from "${validatorRuntime}";\n`;
  return `${operations}export { ${types} } from "${validatorRuntime}";
export { customInputOf as inputOf, type FormatCheck, type KeywordCheck } from "${customRuntime}";
export { type CustomChecks, withChecks } from "./gen/custom-checks.js";
`;
}

/** The names as code, and as the options of an example. */
function customReadmeData(custom: CustomNames | undefined): object | undefined {
  if (custom === undefined) return undefined;
  const formats = custom.formats.map((name) => `${JSON.stringify(name)}: (value) => value !== ""`);
  const keywords = custom.keywords.map(
    (name) => `${JSON.stringify(name)}: (value, keywordValue) => value !== keywordValue || "is not valid"`,
  );
  return {
    options: [
      ...(formats.length === 0 ? [] : [`formats: { ${formats.join(", ")} }`]),
      ...(keywords.length === 0 ? [] : [`keywords: { ${keywords.join(", ")} }`]),
    ],
  };
}

function readmeData(api: Api): object {
  const posts = api.operations.filter(
    ({ requestBody, method, parameters }) =>
      method === "POST" &&
      !parameters.some((parameter) => parameter.required) &&
      requestBody !== undefined &&
      preferredContent(requestBody.contents)?.mediaType === "application/json",
  );
  const example = posts.find(isCreation) ?? posts[0];
  const basePath = serverPath(api.servers[0]?.url ?? "");
  return {
    runtime: serverRuntime,
    basePath,
    operation: example && { name: example.name, path: escapeProse(example.path) },
    unchecked: describeUncheckedPatterns(api),
    scope: api.operations.flatMap(({ security }) => security.flat().flatMap(({ scopes }) => scopes))[0] ?? "read",
    security: requiredSchemes(api).map(({ name, kind }) => ({
      property: /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name),
      text: kind === "basic" ? "credential.username" : kind === "mutualTLS" ? "String(credential)" : "credential",
    })),
  };
}
