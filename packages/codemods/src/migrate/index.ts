export { migrateCode, type CodeMigration, type MigratedFile, type MigrationStep } from "./migrate-code.js";
export type { ImpactInput } from "../impact/find-impact.js";
export { migrateFromTool, type MigratedTool } from "./tools/index.js";
export type { ToolMigration, ToolRequest, ToolStep } from "./tools/tool-migration.js";
