import type { Api, Method, Operation } from "../../model/index.js";
import { compareTexts } from "../api/compare-info.js";
import { compareSecurity } from "../api/compare-security.js";
import { compareOperationServers } from "../api/compare-servers.js";
import { compareByTable, sourceRows, type ComparisonTable } from "../comparison-table.js";
import { reportDifference, formatOperation, type ComparisonContext } from "../description-comparison.js";
import { matchLists } from "../match-lists.js";
import { compareRequestBodies } from "./compare-bodies.js";
import { compareDeprecationDetails } from "./compare-deprecation.js";
import { compareEffects } from "./compare-effects.js";
import { compareErrors } from "./compare-errors.js";
import { compareGrants } from "./compare-grants.js";
import { compareLimits } from "./compare-limits.js";
import { compareFilterSyntax, compareOrderSyntax, comparePagination } from "./compare-pagination.js";
import { pathParameterNames, compareParameters } from "./compare-parameters.js";
import { compareResponses } from "./compare-responses.js";

/** Matches operations by method and path, whatever the names of path parameters; then by name. */
export function compareOperations(old: Api, next: Api, at: ComparisonContext): void {
  const byPlace = matchLists(old.operations, next.operations, (each) => `${each.method} ${pathShape(each.path)}`);
  for (const [before, after] of byPlace.both) at.comparison.renamedOperations.set(before.name, after.name);
  const byName = matchLists(byPlace.removed, byPlace.added, ({ name }) => name);
  compareMatched(
    { both: [...byPlace.both, ...byName.both], removed: byName.removed, added: byName.added },
    next.operations,
    at,
  );
}

/** Compares operations without a path, which match by name. */
export function compareOperationsWithoutPath(old: Api, next: Api, at: ComparisonContext): void {
  compareMatched(
    matchLists(old.operationsWithoutPath, next.operationsWithoutPath, ({ name }) => name),
    next.operationsWithoutPath,
    at,
  );
}

/** A path without the names of its parameters. */
export function pathShape(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, "{}");
}

function compareMatched(
  { both, removed, added }: ReturnType<typeof matchLists<Operation>>,
  order: readonly Operation[],
  at: ComparisonContext,
): void {
  const before = new Map(both.map(([old, next]) => [next, old] as const));
  for (const next of order) {
    const old = before.get(next);
    const atOperation: ComparisonContext = {
      ...at,
      location: "operation",
      subject: formatOperation(next),
      carrier: { operation: formatOperation(next), users: new Set() },
    };
    if (old !== undefined) {
      compareByTable(operationTable, old, next, atOperation);
    } else if (added.includes(next))
      reportDifference(atOperation, "operation-added", { subject: operationLabel(next), newOrigin: next.origin });
    at.comparison.runDeferred();
  }
  for (const old of removed) {
    const atOperation: ComparisonContext = {
      ...at,
      location: "operation",
      subject: formatOperation(old),
      carrier: { operation: formatOperation(old), users: new Set() },
    };
    const sunset = old.deprecation?.sunset?.text;
    const facts = { subject: operationLabel(old), oldOrigin: old.origin };
    if (sunset === undefined) reportDifference(atOperation, "operation-removed", facts);
    else reportDifference(atOperation, "operation-sunset", { ...facts, old: sunset });
  }
}

const operationTable: ComparisonTable<Operation> = {
  name: (old, next, at) =>
    reportDifference(at, "operation-renamed", { old: old.name, new: next.name, newOrigin: next.origin }),
  method: compareAddress,
  path: compareAddress,
  tag: (old, next, at) =>
    reportDifference(at, "operation-tag-changed", { old: old.tag, new: next.tag, newOrigin: next.origin }),
  summary: compareTexts,
  description: compareTexts,
  deprecated: (_, next, at) =>
    reportDifference(at, next.deprecated ? "operation-deprecated" : "operation-restored", { newOrigin: next.origin }),
  deprecation: compareDeprecationDetails,
  servers: compareOperationServers,
  parameters: compareParameters,
  requestBody: compareRequestBodies,
  responses: compareResponses,
  security: compareSecurity,
  grants: compareGrants,
  limits: (old, next, at) => compareLimits(old.limits, next.limits, at),
  effects: compareEffects,
  errors: (old, next, at) => compareErrors(old.errors, next.errors, at),
  pagination: comparePagination,
  filter: compareFilterSyntax,
  order: compareOrderSyntax,
  ...sourceRows,
};

function compareAddress(old: Operation, next: Operation, at: ComparisonContext): void {
  // A renamed parameter is a difference of its own. A parameter that moved within the path is found by its name.
  const [before, after] = [pathParameterNames(old.path), pathParameterNames(next.path)];
  const isElsewhere = before.some((name, index) => after.includes(name) && after[index] !== name);
  if (operationKey(old) === operationKey(next) && !isElsewhere) return;
  reportDifference(at, "operation-moved", {
    subject: next.name,
    old: formatOperation(old),
    new: formatOperation(next),
    newOrigin: next.origin,
  });
}

function operationKey({ method, path }: { readonly method: Method; readonly path: string }): string {
  return `${method} ${pathShape(path)}`;
}

function operationLabel(operation: Operation): string {
  return operation.path === "" ? operation.name : `${operation.name}, ${formatOperation(operation)}`;
}
