import type { NormalizedProblem, Oas3Rule } from "@redocly/openapi-core";
import { resolveDocument, type BaseResolver, type Document } from "@redocly/openapi-core/lib/resolve.js";
import { normalizeTypes } from "@redocly/openapi-core/lib/types/index.js";
import { Oas3Types } from "@redocly/openapi-core/lib/types/oas3.js";
import { Oas3_1Types } from "@redocly/openapi-core/lib/types/oas3_1.js";
import { Oas3_2Types } from "@redocly/openapi-core/lib/types/oas3_2.js";
import { normalizeVisitors } from "@redocly/openapi-core/lib/visitors.js";
import { walkDocument } from "@redocly/openapi-core/lib/walk.js";
import { extendTypes } from "../types.js";
import { redoclyRules } from "./rules.js";

/** Redocly's name of a version of OpenAPI. */
export type OpenApiVersion = "oas3_0" | "oas3_1" | "oas3_2";

/** A rule that runs: its settings, which Redocly's rules read. */
export interface RuleSettings {
  readonly severity: "error" | "warn";
  readonly allowAdditionalProperties?: boolean;
}

/**
 * Runs rules on a description of OpenAPI 3, as Redocly's `lintDocument` does. That loads the rules and types of a dozen other formats, too, which
 * takes longer than to lint a small description.
 */
export async function lintDocument({
  document,
  version,
  resolver,
  settings,
  ownRules,
}: {
  readonly document: Document;
  readonly version: OpenApiVersion;
  readonly resolver: BaseResolver;
  /** By the name of one of Redocly's rules. Others do not run. */
  readonly settings: Readonly<Record<string, RuleSettings>>;
  /** Run before those of Redocly. */
  readonly ownRules: Readonly<Record<string, Oas3Rule>>;
}): Promise<readonly NormalizedProblem[]> {
  const versions = { oas3_0: Oas3Types, oas3_1: Oas3_1Types, oas3_2: Oas3_2Types };
  const types = normalizeTypes(extendTypes(versions[version]));
  const { Root: rootType } = types;
  if (rootType === undefined) throw new Error("Redocly's types have no root.");
  const hasExamples = Object.keys(settings).some((ruleId) => !(ruleId in redoclyRules));
  const { exampleRules } = hasExamples ? await import("./example-rules.js") : {};
  const chosen = Object.entries({ ...ownRules, ...redoclyRules, ...exampleRules }).flatMap(([ruleId, rule]) => {
    const { [ruleId]: given = ruleId in ownRules ? ownSettings : undefined } = settings;
    if (given === undefined) return [];
    return [rule({ ...given })].flat().map((visitor) => ({ ruleId, severity: given.severity, visitor }));
  });
  const resolvedRefMap = await resolveDocument({ rootDocument: document, rootType, externalRefResolver: resolver });
  const ctx = { problems: [] as NormalizedProblem[], specVersion: version, visitorsData: {} };
  walkDocument({ document, rootType, normalizedVisitors: normalizeVisitors(chosen, types), resolvedRefMap, ctx });
  return ctx.problems;
}

const ownSettings: RuleSettings = { severity: "error" };
