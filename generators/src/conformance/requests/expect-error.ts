import type { ErrorExpectation, Expectation, Template } from "@plumbline/conformance-runtime";
import type { ErrorDefinition, Operation } from "@plumbline/kit/model";
import { requirementIds, type ConformanceContext } from "../context/context.js";

/** The expectation of an error. `field` applies when the error has no constant field. */
export function expectError(error: ErrorDefinition, field?: Template): Expectation {
  const constant = constantField(error);
  const members = errorMembers(error, constant === undefined ? field : constant);
  // `createCase` makes a URI of it for problem details, and removes it elsewhere.
  return { status: error.status, error: { ...members, type: error.id } };
}

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
  const error = errorMembers(failure, field ?? constantField(failure));
  return {
    expect: { status: failure.status, ...(Object.keys(error).length === 0 ? {} : { error }) },
    requirements: requirementIds(failure.sources),
  };
}

/**
 * The expected error of a request whose media type is missing or unknown. Where the description has a range of statuses for errors, the status
 * may also be 415.
 */
export function expectUnreadable(context: ConformanceContext, operation: Operation): ExpectedRejection {
  const rejection = expectRejection(context, operation, { defaultStatuses: [400, 422, 415] });
  const statuses = new Set(operation.responses.map(({ status }) => String(status)));
  const isNumbered = (statuses.has("400") || statuses.has("422")) && !statuses.has("4XX") && !statuses.has("default");
  const isDescribed = context.api.errors.some(({ status }) => status === 415);
  return isNumbered || isDescribed ? rejection : { ...rejection, expect: { status: [400, 415, 422] } };
}

export function findOperationError(
  { api }: ConformanceContext,
  { errors }: Operation,
  id: string | undefined,
): ErrorDefinition | undefined {
  if (id === undefined) return undefined;
  return [...errors, ...api.errors].find((each) => each.id === id);
}

/** The first shared error with a status is the default for this status. */
export function findSharedError({ api }: ConformanceContext, statuses: readonly number[]): ErrorDefinition | undefined {
  return api.errors.find(({ status }) => statuses.includes(status));
}

/** The field of an error. Null: none. Undefined: it depends on the request. */
function constantField({ field }: ErrorDefinition): string | null | undefined {
  return field?.includes("$") === true ? undefined : field;
}

function errorMembers({ reasonContains }: ErrorDefinition, field: Template | undefined): ErrorExpectation {
  return {
    ...(field === undefined ? {} : { field }),
    ...(reasonContains.length === 0 ? {} : { reasonContains }),
  };
}
