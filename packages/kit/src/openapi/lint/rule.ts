import type { Source } from "@redocly/openapi-core";
import type { DiagnosticCode } from "./codes.js";
import type { RequirementsFile } from "./requirements.js";
import type { SpecIndex } from "./spec-index.js";

/** A finding of a rule, with its location. */
export interface LintFinding {
  readonly code: DiagnosticCode;
  readonly at: { readonly location: { readonly source: Source; readonly pointer: string } };
  readonly message: string;
  readonly fix?: string;
}

/** A rule, or a group of related rules, for a complete description. */
export type LintRule = (survey: SpecIndex, settings: LintSettings) => Iterable<LintFinding>;

export interface LintSettings {
  readonly ruleset: "strict" | "minimal";
  /** The requirements that sources refer to. Without them, sources are not checked. */
  readonly requirements?: RequirementsFile;
  /** Names of custom keywords that schemas may have. */
  readonly keywords: ReadonlySet<string>;
}
