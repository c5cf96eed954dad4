import type { findImpact } from "@plumbline/codemods/impact";
import type { migrateCode, migrateFromTool } from "@plumbline/codemods/migrate";
import { UsageError } from "@plumbline/command-line";

/** The parts of `@plumbline/codemods`, an optional peer, that commands use. */
export interface Codemods {
  readonly findImpact: typeof findImpact;
  readonly migrateCode: typeof migrateCode;
  readonly migrateFromTool: typeof migrateFromTool;
}

/**
 * Loads `@plumbline/codemods`.
 *
 * @param what what requires it, such as an option
 * @throws UsageError if it is not installed
 */
export async function loadCodemods(what: string): Promise<Codemods> {
  try {
    const impact = await import("@plumbline/codemods/impact");
    const { migrateCode, migrateFromTool } = await import("@plumbline/codemods/migrate");
    return { findImpact: impact.findImpact, migrateCode, migrateFromTool };
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new UsageError(
      `${what} requires the package @plumbline/codemods. Install it: npm install --save-dev @plumbline/codemods`,
    );
  }
}
