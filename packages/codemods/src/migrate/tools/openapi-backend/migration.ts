import type { CodeRecorder } from "../code-recorder.js";
import type { ToolRequest } from "../tool-migration.js";

/** Migrates set-ups of openapi-backend to a generated server. */
export function migrateOpenapiBackend(_request: ToolRequest, _recorder: CodeRecorder): void {
  // Follows.
}
