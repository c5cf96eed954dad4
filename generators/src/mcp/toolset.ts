import {
  type Code,
  code,
  importValue,
  importType,
  printSourceFile,
  propertyKey,
  type TextFile,
} from "@plumbline/kit/codegen";
import { type Api, documentedRates, findPrimaryScheme, headerNames, type SecurityScheme } from "@plumbline/kit/model";
import type { CredentialLocation, ScopeRules, ToolsetData } from "@plumbline/mcp-runtime";
import { documentedErrors } from "./errors.js";
import { type OperationTool, toolsOf } from "./tools.js";

/** The package that generated servers import. */
export const mcpRuntime = "@plumbline/mcp-runtime";

/** Emits `data/toolset.json`, with one tool per line, and `src/gen/toolset.ts`, which joins it with the functions of the client. */
export function emitToolset(
  api: Api,
  { command, client }: { readonly command: string; readonly client: string },
): readonly TextFile[] {
  const tools = toolsOf(api);
  const functions = tools.map(
    ({ operation, data }) => code`${propertyKey(data.name)}: ${importValue(operation.name, client)},`,
  );
  const statement: Code = code`/** The tools of the API: generated data, and the functions of the client. */
export const toolset: ${importType("Toolset", mcpRuntime)} = ${importValue("readToolset", mcpRuntime)}(new URL("../../data/toolset.json", import.meta.url), {
${functions}
});`;
  return [
    { path: "data/toolset.json", text: formatToolset(toolsetData(api, command, tools)) },
    { path: "src/gen/toolset.ts", text: printSourceFile([statement], ["toolset"]) },
  ];
}

function toolsetData(api: Api, command: string, tools: readonly OperationTool[]): ToolsetData {
  const url = api.servers[0]?.url;
  const credential = credentialOf(findPrimaryScheme(api));
  const scopeSource = scopeSourceOf(api, tools);
  return {
    title: api.title,
    version: api.version,
    command,
    environment: environmentPrefix(command),
    ...(url !== undefined && /^https?:/.test(url) ? { url } : {}),
    ...(credential === undefined ? {} : { credential }),
    scopes: scopeRules(api),
    ...(scopeSource === undefined ? {} : { scopeSource }),
    rates: documentedRates(api),
    errors: documentedErrors(api.errors),
    tools: tools.map(({ data }) => data),
  };
}

/** `cloud-compute-mcp` reads `CLOUD_COMPUTE_TOKEN`. */
export function environmentPrefix(command: string): string {
  return command
    .replace(/-mcp$/, "")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_");
}

function credentialOf(scheme: SecurityScheme | undefined): CredentialLocation | undefined {
  switch (scheme?.kind) {
    case "bearer":
    case "oauth2":
    case "openIdConnect":
      return { kind: "bearer" };
    case "basic":
      return { kind: "basic" };
    case "apiKey":
      return { kind: "apiKey", in: scheme.in, name: scheme.key };
    default:
      return undefined;
  }
}

function scopeRules({ scopeGrammar }: Api): ScopeRules {
  if (scopeGrammar === undefined) return { levels: {}, separator: "," };
  const { levels, all, separator } = scopeGrammar;
  return { levels, all, separator };
}

/** The first tool without required arguments and scopes whose responses state the scopes of the token. */
function scopeSourceOf(api: Api, tools: readonly OperationTool[]): ToolsetData["scopeSource"] {
  const scopeHeader = headerNames(api).scopes?.toLowerCase();
  if (scopeHeader === undefined) return undefined;
  for (const { operation, data } of tools) {
    if (
      data.access !== "read" ||
      data.inputSchema.required !== undefined ||
      data.scopes !== undefined ||
      data.anonymous
    )
      continue;
    const successes = operation.responses.filter(({ status }) => String(status).startsWith("2"));
    const header = successes.flatMap(({ headers }) => headers).find(({ name }) => name.toLowerCase() === scopeHeader);
    if (header !== undefined) return { tool: data.name, header: header.name };
  }
  return undefined;
}

/** One line for each tool, for readable differences. */
function formatToolset({ tools, ...rest }: ToolsetData): string {
  const lines = Object.entries(rest).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const list = tools.map((tool) => `    ${JSON.stringify(tool)}`).join(",\n");
  return `{\n${[...lines, `  "tools": [\n${list}\n  ]`].join(",\n")}\n}\n`;
}
