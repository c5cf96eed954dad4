import { defineGenerator, type Generator } from "@plumbline/kit/codegen";
import { createPortableDocument } from "@plumbline/kit/codegen/documents";
import { printYaml } from "@plumbline/kit/openapi";
import { emitDescriptionPackage } from "./package.js";

const options = {
  client: {
    type: "string",
    description:
      "The package of the generated client, for samples. Default: the name of this package, with client in the place of description",
  },
} as const;

/** Generates a package with the description as one document, for tools that read a single OpenAPI file. */
const descriptionGenerator: Generator<typeof options> = defineGenerator({
  options,
  files: async (api, artifact) => {
    const { config, document, package: name } = artifact;
    const portable = createPortableDocument(api, await document(), { client: config.client ?? clientPackage(name) });
    return [
      { path: "openapi.yaml", text: printYaml(portable), isVerbatim: true },
      ...emitDescriptionPackage(api, artifact),
    ];
  },
});

export default descriptionGenerator;

function clientPackage(name: string): string | undefined {
  const derived = name.replace(/(^|[/-])description$/, "$1client");
  return derived === name ? undefined : derived;
}
