import { emitPackageFiles, readTemplate, type ArtifactOptions, type GeneratedFile } from "@plumbline/kit/codegen";
import type { Api } from "@plumbline/kit/model";

const printProgram = readTemplate(new URL("../../templates/description/print.mjs", import.meta.url));
const readmeTemplate = readTemplate(new URL("../../templates/description/readme.md.hbs", import.meta.url));

/** Emits the other files of a publishable package: what its build prints is in no repository. */
export function emitDescriptionPackage(api: Api, options: ArtifactOptions): readonly GeneratedFile[] {
  const files = emitPackageFiles(api, options, {
    description: (title) => `The OpenAPI description of the ${title}`,
    keyword: "description",
    entries: { ".": "index" },
    documents: {
      "openapi.json": "dist/openapi.json",
      "openapi.yaml": "openapi.yaml",
      "openapi.plain.json": "dist/openapi.plain.json",
    },
    dependencies: {},
    build: { command: "node print.mjs && tsc -p tsconfig.json", dependencies: { yaml: "2.9.1" } },
    index: indexText,
    readme: { template: readmeTemplate, data: {} },
  });
  return [...files, { path: "print.mjs", text: printProgram, isVerbatim: true }];
}

const indexText = `/** The addresses of the documents, which \`readFile\` of \`node:fs/promises\` takes. */
export const documents: Readonly<Record<"json" | "yaml" | "plain", URL>> = {
  /** With extension fields, examples, and samples of requests in \`x-codeSamples\`. */
  json: new URL("../dist/openapi.json", import.meta.url),
  /** The same as YAML. */
  yaml: new URL("../openapi.yaml", import.meta.url),
  /** Without extension fields, as JSON. */
  plain: new URL("../dist/openapi.plain.json", import.meta.url),
};
`;
