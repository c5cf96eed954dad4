export type { ApiOptions } from "./call/create-api-client.js";
export { createServers, type ServerOptions } from "./create-servers.js";
export type { ToolSelection } from "./tools/select-tools.js";
export {
  readToolset,
  type ArgumentLocation,
  type CredentialLocation,
  type DocumentedError,
  type ObjectSchema,
  type PageFields,
  type ScopeRules,
  type ToolAccess,
  type ToolData,
  type ToolFunction,
  type ToolFunctions,
  type Toolset,
  type ToolsetData,
} from "./toolset.js";
