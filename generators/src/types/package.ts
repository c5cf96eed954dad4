import {
  emitPackageFiles,
  firstRead,
  jsonLiteral,
  readTemplate,
  renderCode,
  type ArtifactOptions,
  type GeneratedFile,
} from "@plumbline/kit/codegen";
import type { Api } from "@plumbline/kit/model";

const readmeTemplate = readTemplate(new URL("../../templates/types/readme.md.hbs", import.meta.url));

/** Emits the other files of a publishable package: `package.json`, `tsconfig.json`, the entry point and the README. */
export function emitTypesPackage(api: Api, options: ArtifactOptions): readonly GeneratedFile[] {
  return emitPackageFiles(api, options, {
    description: (title) => `The types of the ${title}`,
    keyword: "types",
    entries: { ".": "index" },
    dependencies: {},
    index: 'export * from "./gen/paths.js";\n',
    readme: { template: readmeTemplate, data: readmeData(api) },
  });
}

function readmeData(api: Api): object {
  const operation = firstRead(api)?.operation;
  const schema = api.schemas.find(({ name, variantOf }) => variantOf === undefined && /^[A-Z][A-Za-z0-9]*$/.test(name));
  return {
    example: operation && { name: operation.name, path: renderCode(jsonLiteral(operation.path)) },
    schema: schema && { name: schema.name, key: renderCode(jsonLiteral(schema.name)) },
  };
}
