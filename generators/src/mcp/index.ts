import { defineGenerator, type Generator } from "@plumbline/kit/codegen";
import { emitMcpPackage } from "./package.js";

const options = {
  client: {
    type: "string",
    description:
      "The package of the generated client. Default: the name of this package, with client in the place of mcp.",
  },
} as const;

/** Generates an MCP server: data for a tool of each operation, and the command that serves them. */
const mcpGenerator: Generator<typeof options> = defineGenerator({
  options,
  files: (api, artifact) => emitMcpPackage(api, artifact, clientPackage(artifact.package, artifact.config.client)),
});

export default mcpGenerator;

function clientPackage(name: string, stated: string | undefined): string {
  const derived = name.replace(/(^|[/-])mcp$/, "$1client");
  const client = stated ?? (derived === name ? undefined : derived);
  if (client === undefined)
    throw new Error(
      `Missing option \`client\`: the name ${name} does not end with "mcp". Write the name of the client's package.`,
    );
  return client;
}
