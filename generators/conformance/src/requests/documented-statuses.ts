import type { Case } from "@plumbline/conformance-runtime";
import type { Operation, OperationResponse } from "@plumbline/model";
import type { ConformanceContext } from "../context/context.js";

/** The documented success statuses of an operation. */
export function successStatuses(operation: Operation): readonly number[] {
  const documented = operation.responses.flatMap(({ status }) =>
    typeof status === "number" && status < 300 ? [status] : [],
  );
  return documented.length > 0 ? documented : [200, 201, 202, 204];
}

/** False when the description has no error for a missing object: a second deletion may succeed. */
export function documentsNotFound({ api }: ConformanceContext, { responses }: Operation): boolean {
  return api.errors.length > 0 || responses.some(({ status }) => status === 404 || status === 410);
}

/** Drops cases that expect undocumented statuses, for descriptions without errors. */
export function documentedCases({ operations }: ConformanceContext, cases: readonly Case[]): readonly Case[] {
  return cases.filter(({ steps }) =>
    steps.every((step) => {
      if (!("call" in step) || step.method !== undefined || step.address !== undefined) return true;
      const due = [step.expect?.status ?? []].flat();
      const described = operations.get(step.call)?.responses ?? [];
      return (
        due.length === 0 ||
        described.length === 0 ||
        due.some((each) => described.some((response) => hasStatus(response, each)))
      );
    }),
  );
}

function hasStatus({ status }: OperationResponse, due: number): boolean {
  return status === due || status === "default" || status === `${Math.floor(due / 100)}XX`;
}
