import type { NormalizedProblem } from "@redocly/openapi-core";
import { detectSpec } from "@redocly/openapi-core/lib/detect-spec.js";
import {
  resolveDocument,
  type BaseResolver,
  type Document,
  type ResolvedRefMap,
} from "@redocly/openapi-core/lib/resolve.js";
import { normalizeTypes } from "@redocly/openapi-core/lib/types/index.js";
import { Oas3Types } from "@redocly/openapi-core/lib/types/oas3.js";
import { Oas3_1Types } from "@redocly/openapi-core/lib/types/oas3_1.js";
import { Oas3_2Types } from "@redocly/openapi-core/lib/types/oas3_2.js";
import { normalizeVisitors } from "@redocly/openapi-core/lib/visitors.js";
import { walkDocument } from "@redocly/openapi-core/lib/walk.js";
import { extendTypes } from "../types.js";

/*
 * Redocly's index loads the rules and types of a dozen formats, which takes longer than to lint a small description. So we import its modules, and do
 * ourselves what `lintDocument` and `bundle` do around them.
 */

const versions = { oas3_0: Oas3Types, oas3_1: Oas3_1Types, oas3_2: Oas3_2Types };

/** Redocly's name of a version of OpenAPI. */
export type OpenApiVersion = "oas3_0" | "oas3_1" | "oas3_2";

/** Undefined for another format, or none. */
export function detectVersion(parsed: unknown): OpenApiVersion | undefined {
  try {
    const version = detectSpec(parsed);
    return version === "oas3_0" || version === "oas3_1" || version === "oas3_2" ? version : undefined;
  } catch {
    return undefined;
  }
}

/** The visitor of a rule, or of one of its formats. */
export interface RuleVisitor {
  readonly ruleId: string;
  readonly severity: "error" | "warn";
  readonly visitor: object;
}

export interface VisitedDescription {
  readonly document: Document;
  readonly version: OpenApiVersion;
  readonly resolver: BaseResolver;
}

/** Visits a description, schemas in extension fields included. Returns what the visitors report. */
export async function visitDescription(
  { document, version, resolver }: VisitedDescription,
  visitorsFor: (references: ResolvedRefMap) => readonly RuleVisitor[],
): Promise<readonly NormalizedProblem[]> {
  const types = normalizeTypes(extendTypes(versions[version]));
  const { Root: rootType } = types;
  if (rootType === undefined) throw new Error("Redocly's types have no root.");
  const resolvedRefMap = await resolveDocument({ rootDocument: document, rootType, externalRefResolver: resolver });
  const normalizedVisitors = normalizeVisitors([...visitorsFor(resolvedRefMap)], types);
  const problems: NormalizedProblem[] = [];
  const ctx = { problems, specVersion: version, visitorsData: {}, refTypes: new Map() };
  walkDocument({ document, rootType, normalizedVisitors, resolvedRefMap, ctx });
  return problems;
}
