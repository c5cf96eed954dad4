import type { Api } from "@plumbline/kit/model";
import type { MigratedFile } from "../migrate-code.js";

/** What a migration from another tool needs. */
export interface ToolRequest {
  readonly api: Api;
  /** Absolute paths of files and folders. */
  readonly code: readonly string[];
  /** What the code imports the generated package from: the name of a package, or the absolute path of the file that exports everything. */
  readonly target: string;
}

/** A step of a migration from another tool, at a place in code. */
export interface ToolStep {
  /** The absolute path. */
  readonly file: string;
  /** Counted from 1, before the migration. */
  readonly line: number;
  readonly message: string;
}

/** How to bring code from another tool to generated packages. */
export interface ToolMigration {
  /** Files with changes. A new file has an empty `original`. */
  readonly files: readonly MigratedFile[];
  readonly done: readonly ToolStep[];
  /** What a person has to decide. The code has a comment with `TODO(migrate)` where it was changed. */
  readonly toDecide: readonly ToolStep[];
  /** Uses of the tool that stay as they are. */
  readonly notUnderstood: readonly ToolStep[];
  /** Absolute paths of files that do not parse. They stay as they are. */
  readonly unreadable: readonly string[];
}
