import type { LintLocation } from "./lint-node.js";
import type { RequirementsFile } from "./requirements.js";
import type { SpecIndex } from "./spec-index.js";

/** A rule, or a group of related rules, for a complete description. It reports its own codes only. */
export interface LintRule<Code extends string> {
  readonly codes: Readonly<Record<Code, CodeEntry>>;
  readonly check: (index: SpecIndex, settings: LintSettings) => Iterable<LintFinding<Code>>;
}

/** A line of a table of codes. */
export type CodeEntry = readonly [strict: SeverityLevel, minimal: SeverityLevel, summary: string];

/** The severities of a code in each ruleset. */
export interface CodeInfo {
  readonly strict: SeverityLevel;
  readonly minimal: SeverityLevel;
  /** One sentence about its meaning. */
  readonly summary: string;
}

export type SeverityLevel = "error" | "warning" | "off";

/** A finding of a rule, with its location. */
export interface LintFinding<Code extends string> {
  readonly code: Code;
  readonly at: { readonly location: Pick<LintLocation, "source" | "pointer"> };
  readonly message: string;
  readonly fix?: string | undefined;
}

export interface LintSettings {
  readonly ruleset: "strict" | "minimal";
  /** The requirements that sources refer to. Without them, sources are not checked. */
  readonly requirements?: RequirementsFile;
  /** Names of custom keywords that schemas may have. */
  readonly keywords: ReadonlySet<string>;
}
