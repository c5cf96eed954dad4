import type { NormalizedProblem, Oas3Rule } from "@redocly/openapi-core";
import { redoclyRules } from "./rules.js";
import { visitDescription, type VisitedDescription } from "./visit-description.js";

/** A rule that runs: its settings, which Redocly's rules read. */
export interface RuleSettings {
  readonly severity: "error" | "warn";
  readonly allowAdditionalProperties?: boolean;
}

export interface LintedRules {
  /** By the name of one of Redocly's rules. Others do not run. */
  readonly settings: Readonly<Record<string, RuleSettings>>;
  /** Run before those of Redocly. */
  readonly ownRules: Readonly<Record<string, Oas3Rule>>;
}

/** Runs rules on a description. */
export async function lintDocument(
  description: VisitedDescription,
  { settings, ownRules }: LintedRules,
): Promise<readonly NormalizedProblem[]> {
  const hasExamples = Object.keys(settings).some((ruleId) => !(ruleId in redoclyRules));
  const { exampleRules } = hasExamples ? await import("./example-rules.js") : {};
  const chosen = Object.entries({ ...ownRules, ...redoclyRules, ...exampleRules }).flatMap(([ruleId, rule]) => {
    const { [ruleId]: given = ruleId in ownRules ? ownSettings : undefined } = settings;
    if (given === undefined) return [];
    return [rule({ ...given })].flat().map((visitor) => ({ ruleId, severity: given.severity, visitor }));
  });
  return visitDescription(description, () => chosen);
}

const ownSettings: RuleSettings = { severity: "error" };
