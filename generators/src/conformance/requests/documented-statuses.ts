import type { Case } from "@plumbline/conformance-runtime";
import { allowsAnonymous, type Operation, type OperationResponse } from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";

/** The documented success statuses of an operation. */
export function successStatuses(operation: Operation): readonly number[] {
  const documented = operation.responses.flatMap(({ status }) =>
    typeof status === "number" && status < 300 ? [status] : [],
  );
  return documented.length > 0 ? documented : undocumentedSuccesses;
}

const undocumentedSuccesses = [200, 201, 202, 204] as const;

/** True when a success is documented. Some operations document only errors, or nothing. */
export function hasSuccess({ responses }: Operation): boolean {
  return responses.some(({ status }) => status === "default" || String(status).startsWith("2"));
}

/** The statuses that a valid request may get if its path may name nothing: documented ones, and any success if none is documented. */
export function possibleStatuses(operation: Operation): readonly number[] {
  const { responses } = operation;
  const isAnything = !hasSuccess(operation);
  const stated = responses.flatMap(({ status }) =>
    typeof status === "number" && (status < 500 || isAnything) ? [status] : [],
  );
  const isOpen = responses.some(({ status }) => status === "default" || status === "4XX");
  return [...new Set([...stated, ...(isOpen ? [200, 400, 404] : []), ...(isAnything ? undocumentedSuccesses : [])])];
}

/** False when the description has no error for a missing object: a second deletion may succeed. */
export function documentsNotFound({ api }: ConformanceContext, { responses }: Operation): boolean {
  return api.errors.length > 0 || responses.some(({ status }) => status === 404 || status === 410);
}

/**
 * Drops cases that expect undocumented statuses, for descriptions without errors. `security` itself documents that a request without a
 * credential is rejected, with 401 or 403.
 */
export function documentedCases({ operations }: ConformanceContext, cases: readonly Case[]): readonly Case[] {
  return cases.filter(({ steps }) =>
    steps.every((step) => {
      if (!("call" in step) || step.method !== undefined || step.address !== undefined) return true;
      const due = [step.expect?.status ?? []].flat();
      const operation = operations.get(step.call);
      const described = operation?.responses ?? [];
      const isRejectedCaller =
        operation !== undefined && !allowsAnonymous(operation) && due.every((each) => each === 401 || each === 403);
      return (
        due.length === 0 ||
        isRejectedCaller ||
        described.length === 0 ||
        due.some((each) => described.some((response) => hasStatus(response, each)))
      );
    }),
  );
}

function hasStatus({ status }: OperationResponse, due: number): boolean {
  return status === due || status === "default" || status === `${Math.floor(due / 100)}XX`;
}
