export { migrateCode, type CodeMigration, type MigratedFile, type MigrationStep } from "./migrate-code.js";
export type { ImpactInput } from "../impact/find-impact.js";
