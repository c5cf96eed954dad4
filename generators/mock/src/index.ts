import { defineGenerator, type Generator } from "@plumbline/codegen";
import { emitDefinition } from "./definition.js";
import { emitMockPackage } from "./package.js";

const options = {
  server: {
    type: "string",
    description:
      "The package of the generated server. Default: the name of this package, with server in the place of mock.",
  },
} as const;

/** Generates a mock: what a description says about behavior, as tables for a runtime that interprets them. */
const mockGenerator: Generator<typeof options> = defineGenerator({
  options,
  files: (api, artifact) => {
    const server = serverPackage(artifact.package, artifact.config.server);
    return [...emitDefinition(api, artifact), ...emitMockPackage(api, artifact, server)];
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
