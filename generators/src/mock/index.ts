import { defineGenerator, type Generator } from "@plumbline/kit/codegen";
import { customOptionNames, type ValidatorData } from "@plumbline/kit/codegen/validation";
import type { NamedSchema } from "@plumbline/kit/model";
import { emitDefinition } from "./definition.js";
import { withInferredResources } from "./inferred-resources.js";
import { emitMockPackage } from "./package.js";
import { findUnsampledResponses } from "./unsampled-responses.js";

const options = {
  server: {
    type: "string",
    description:
      "The package of the generated server. Default: the name of this package, with server in the place of mock.",
  },
} as const;

/** Generates a mock: what a description says about behavior, as tables for a runtime that interprets them. */
const mockGenerator: Generator<typeof options, unknown, readonly NamedSchema[]> = defineGenerator({
  options,
  optionalInputs: ["validator"],
  files: (api, artifact) => {
    const validator = artifact.artifacts["validator"] as ValidatorData | undefined;
    return [
      ...emitDefinition(withInferredResources(api), artifact),
      ...emitMockPackage(api, artifact, {
        server: serverPackage(artifact.package, artifact.config.server),
        customOptions: validator === undefined ? [] : customOptionNames(validator),
      }),
    ];
  },
  warnings: findUnsampledResponses,
  /** The schemas of stored objects, by resource. */
  data: (api) => {
    const { resources, schemas } = withInferredResources(api);
    return schemas.filter(({ name }) => resources.some((resource) => resource.name === name));
  },
});

export default mockGenerator;

function serverPackage(name: string, stated: string | undefined): string {
  const derived = name.replace(/(^|[/-])mock$/, "$1server");
  const server = stated ?? (derived === name ? undefined : derived);
  if (server === undefined)
    throw new Error(
      `Missing option \`server\`: the name ${name} does not end with "mock". Write the name of the server's package.`,
    );
  return server;
}
