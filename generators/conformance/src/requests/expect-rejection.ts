import type { Case, Expectation, Template } from "@plumbline/conformance-runtime";
import type { ErrorDefinition, Operation, OperationResponse } from "@plumbline/model";
import { requirementIds, type ConformanceContext } from "../context/context.js";

/** The expected error of a rejected request, with its requirements. */
export interface ExpectedRejection {
  readonly expect: Expectation;
  readonly requirements: readonly string[];
}

export interface RejectionOptions {
  /** The id of the error. Default: the first shared error with one of the usual statuses. */
  readonly id?: string | undefined;
  /** The HTTP statuses for descriptions without errors. */
  readonly defaultStatuses: readonly [number, ...number[]];
  /** The invalid field. Default: the field of the error. */
  readonly field?: Template;
}

/** The expected error of an operation. */
export function expectRejection(
  context: ConformanceContext,
  operation: Operation,
  { id, defaultStatuses, field }: RejectionOptions,
): ExpectedRejection {
  const failure = findOperationError(context, operation, id) ?? findSharedError(context, defaultStatuses);
  if (failure === undefined)
    return {
      expect: { status: defaultStatuses.length === 1 ? defaultStatuses[0] : defaultStatuses },
      requirements: [],
    };
  const about = field ?? errorField(failure);
  const { reasonContains } = failure;
  const error = {
    ...(about === undefined ? {} : { field: about }),
    ...(reasonContains.length === 0 ? {} : { reasonContains }),
  };
  return {
    expect: { status: failure.status, ...(Object.keys(error).length === 0 ? {} : { error }) },
    requirements: requirementIds(failure.sources),
  };
}

export function findOperationError(
  { api }: ConformanceContext,
  { errors }: Operation,
  id: string | undefined,
): ErrorDefinition | undefined {
  if (id === undefined) return undefined;
  return [...errors, ...api.errors].find((each) => each.id === id);
}

/** The field of an error. Null: none. Undefined: it depends on the request. */
function errorField({ field }: ErrorDefinition): string | null | undefined {
  return field?.includes("$") === true ? undefined : field;
}

/** The first shared error with a status is the default for this status. */
export function findSharedError({ api }: ConformanceContext, statuses: readonly number[]): ErrorDefinition | undefined {
  return api.errors.find(({ status }) => statuses.includes(status));
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
