import { importedNames } from "../../../handlers/syntax/imports.js";
import type { ToolMigrator } from "../code-recorder.js";

/** Records the edits of code that uses openapi-typescript-codegen. */
export const migrateOpenapiTypescriptCodegen: ToolMigrator = (_request, { files, report }) => {
  for (const file of files)
    for (const { module, node } of importedNames(file))
      if (module === "openapi-typescript-codegen") report("notUnderstood", node, "The import has no rewrite.");
};
