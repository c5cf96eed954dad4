import { emitPackageFiles, readTemplate, type ArtifactOptions, type GeneratedFile } from "@plumbline/codegen";
import type { Api } from "@plumbline/model";

const readmeTemplate = readTemplate(new URL("../templates/readme.md.hbs", import.meta.url));

/** Emits the other files of a publishable package: `package.json`, `tsconfig.json`, the entry point and the README. */
export function emitDescriptionPackage(api: Api, options: ArtifactOptions): readonly GeneratedFile[] {
  return emitPackageFiles(api, options, {
    description: (title) => `The OpenAPI description of the ${title}`,
    keyword: "description",
    entries: { ".": "index" },
    documents: ["openapi.json", "openapi.yaml", "openapi.plain.json"],
    dependencies: {},
    index: indexText,
    readme: { template: readmeTemplate, data: {} },
  });
}

const indexText = `/** The addresses of the documents, which \`readFile\` of \`node:fs/promises\` takes. */
export const documents: Readonly<Record<"json" | "yaml" | "plain", URL>> = {
  /** With extension fields, examples, and samples of requests in \`x-codeSamples\`. */
  json: new URL("../openapi.json", import.meta.url),
  /** The same as YAML. */
  yaml: new URL("../openapi.yaml", import.meta.url),
  /** Without extension fields, as JSON. */
  plain: new URL("../openapi.plain.json", import.meta.url),
};
`;
