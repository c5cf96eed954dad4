import type { Api } from "../model/index.js";
import { compareCallers } from "./api/compare-callers.js";
import { compareTags, compareTexts, compareVersion } from "./api/compare-info.js";
import { compareProblemDetails } from "./api/compare-problem-details.js";
import { compareResources } from "./api/compare-resources.js";
import { compareScopes } from "./api/compare-scopes.js";
import { compareSecuritySchemes } from "./api/compare-security.js";
import { compareServers } from "./api/compare-servers.js";
import { compareStateMachines } from "./api/compare-state-machines.js";
import { compareByTable, type ComparisonTable } from "./comparison-table.js";
import { isDeepEqual } from "./deep-equal.js";
import { DescriptionComparison, reportDifference, type ComparisonContext } from "./description-comparison.js";
import type { Difference } from "./difference.js";
import { compareErrors } from "./operations/compare-errors.js";
import { compareOperationsWithoutPath, compareOperations } from "./operations/compare-operations.js";
import { compareSentRequests } from "./operations/compare-sent-requests.js";

/**
 * Compares two descriptions.
 *
 * @param old - The old model. The two models must not share objects.
 * @param next - The new model.
 * @returns The differences in the order of the new description; removed nodes follow the nodes of their kind.
 */
export function compareDescriptions(old: Api, next: Api): readonly Difference[] {
  const comparison = new DescriptionComparison(old, next);
  compareByTable(apiTable, old, next, {
    comparison,
    direction: "response",
    location: "the API",
    subject: "the API",
    pointer: "",
    carrier: { users: new Set() },
  });
  return comparison.differences();
}

const apiTable: ComparisonTable<Api> = {
  title: (old, next, at) =>
    reportDifference(at, "title-changed", { old: old.title, new: next.title, newOrigin: next.origin }),
  version: compareVersion,
  summary: compareTexts,
  description: compareTexts,
  servers: (old, next, at) => compareServers(old, next, at),
  tags: compareTags,
  securitySchemes: compareSecuritySchemes,
  scopeGrammar: compareScopes,
  callers: compareCallers,
  operations: compareOperations,
  operationsWithoutPath: compareOperationsWithoutPath,
  sentRequests: compareSentRequests,
  errors: (old, next, at) => compareErrors(old.errors, next.errors, at),
  problemDetails: compareProblemDetails,
  resources: compareResources,
  stateMachines: compareStateMachines,
  schemas: compareNamedSchemas, // after everything that refers to schemas
  headers: "responses document them",
  requirements: "sources do not belong to the API",
  assumptions: "sources do not belong to the API",
  nestedArrays: "servers read every form that clients may write",
  uncheckedPatterns: "they do not change which values are accepted",
  slowPatterns: "they do not change which values are accepted",
  origin: "positions do not belong to the API",
};

/** Compares the names of schemas, which are those of types. By then the schemas of operations have been compared. */
function compareNamedSchemas(old: Api, next: Api, at: ComparisonContext): void {
  const { comparison } = at;
  const before = new Map(old.schemas.map((each) => [each.name, each] as const));
  const renamed = new Set(comparison.renamedSchemas.values());
  for (const { name, schema } of next.schemas) {
    const match = before.get(name);
    if (match === undefined && !renamed.has(name))
      reportDifference(at, "schema-added", { subject: name, newOrigin: schema.origin });
    if (match === undefined || (comparison.usedSchemas.new.has(name) && comparison.usedSchemas.old.has(name))) continue;
    if (!isDeepEqual(match.schema, schema))
      reportDifference(at, "schema-changed", { subject: name, newOrigin: schema.origin });
  }
  for (const { name, schema } of old.schemas) {
    const newName = comparison.renamedSchemas.get(name);
    if (newName !== undefined) {
      const here = next.schemas.find((each) => each.name === newName)?.schema.origin ?? next.origin;
      reportDifference(at, "schema-renamed", { old: name, new: newName, newOrigin: here });
    } else if (!comparison.has("new", name))
      reportDifference(at, "schema-removed", { subject: name, oldOrigin: schema.origin });
  }
}
