import { importedNames } from "../../../handlers/syntax/imports.js";
import type { ToolMigrator } from "../code-recorder.js";

/** Records the edits of code that uses orval. */
export const migrateOrval: ToolMigrator = (_request, { files, report }) => {
  for (const file of files)
    for (const { module, node } of importedNames(file))
      if (module === "orval") report("notUnderstood", node, "The import has no rewrite.");
};
