import {
  type ArtifactOptions,
  emitPackageFiles,
  escapeProse,
  type GeneratedFile,
  readTemplate,
  runtimeVersionRange,
} from "@plumbline/kit/codegen";
import type { Api } from "@plumbline/kit/model";
import { leftOutBecause, toolsOf } from "./tools.js";
import { emitToolset, environmentPrefix, mcpRuntime } from "./toolset.js";

const readmeTemplate = readTemplate(new URL("../../templates/mcp/readme.md.hbs", import.meta.url));

/** Emits a publishable package with a command. */
export function emitMcpPackage(api: Api, options: ArtifactOptions, client: string): readonly GeneratedFile[] {
  const command = options.package.replace(/^@/, "").replaceAll("/", "-");
  return [
    ...emitPackageFiles(api, options, {
      description: (title) => `An MCP server for the ${title}: a tool for each operation`,
      keyword: "mcp",
      entries: { ".": "index" },
      dependencies: { [mcpRuntime]: runtimeVersionRange },
      siblings: [client],
      command: { name: command, file: `bin/${command}.js` },
      folders: ["bin", "data"],
      index: 'export { toolset } from "./gen/toolset.js";\n',
      readme: { template: readmeTemplate, data: readmeData(api, command, client) },
    }),
    ...emitToolset(api, { command, client }),
    { path: `bin/${command}.js`, text: commandText },
  ];
}

const commandText = `#!/usr/bin/env node
import { runCommand } from "${mcpRuntime}/command";
import { toolset } from "../dist/index.js";

process.exitCode = await runCommand(toolset, process.argv.slice(2), process);
`;

function readmeData(api: Api, command: string, client: string): object {
  const tools = toolsOf(api).map(({ data }) => data);
  const counts = { read: 0, write: 0, delete: 0 };
  for (const { access } of tools) counts[access]++;
  const write = tools.find(({ access }) => access === "write");
  return {
    command,
    client,
    runtime: mcpRuntime,
    environment: environmentPrefix(command),
    server: api.servers[0]?.url ?? "https://api.example.com",
    tag: tools[0]?.tag ?? "TAG",
    write: write && { name: write.name },
    counts,
    hasScopes: tools.some(({ scopes }) => scopes !== undefined),
    leftOut: api.operations.flatMap((operation) => {
      const reason = leftOutBecause(api, operation);
      return reason === undefined ? [] : [{ name: operation.name, reason: escapeProse(reason) }];
    }),
  };
}
