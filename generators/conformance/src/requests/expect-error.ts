import type { Expectation, Template } from "@plumbline/conformance-runtime";
import type { ErrorDefinition, Operation } from "@plumbline/model";

/** The expectation of an error. `field` applies when the error has no constant field. */
export function expectError(error: ErrorDefinition, field?: Template): Expectation {
  const named = error.field === undefined || error.field?.includes("$") === true ? field : error.field;
  return {
    status: error.status,
    error: {
      ...(named === undefined ? {} : { field: named }),
      ...(error.reasonContains.length === 0 ? {} : { reasonContains: error.reasonContains }),
    },
  };
}

/** The documented success statuses of an operation. */
export function successStatuses(operation: Operation): readonly number[] {
  const documented = operation.responses.flatMap(({ status }) =>
    typeof status === "number" && status < 300 ? [status] : [],
  );
  return documented.length > 0 ? documented : [200, 201, 202, 204];
}
