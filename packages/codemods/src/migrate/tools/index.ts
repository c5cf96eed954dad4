import { createCodeRecorder, type ToolMigrator } from "./code-recorder.js";
import { migrateExpressOpenapiValidator } from "./express-openapi-validator/migration.js";
import { migrateHeyApi } from "./hey-api/migration.js";
import { migrateOpenapiFetch } from "./openapi-fetch/migration.js";
import type { ToolMigration, ToolRequest } from "./tool-migration.js";

/** A tool that code can be migrated from. */
export type MigratedTool = "openapi-fetch" | "hey-api" | "express-openapi-validator";

/** The migrations by tool. */
const migrations: Readonly<Record<MigratedTool, ToolMigrator>> = {
  "openapi-fetch": migrateOpenapiFetch,
  "hey-api": migrateHeyApi,
  "express-openapi-validator": migrateExpressOpenapiValidator,
};

/**
 * Computes the changes that bring code from another tool to generated packages. It writes nothing.
 *
 * @param tool the tool whose output the code uses
 */
export function migrateFromTool(tool: MigratedTool, request: ToolRequest): ToolMigration {
  const recorder = createCodeRecorder(request);
  migrations[tool](request, recorder);
  return recorder.finish();
}
